package store_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// aBackground is a background migration: it gives products another name.
var aBackground = fstest.MapFS{"90002_background.sql": {Data: []byte(`-- +goose Up
-- levy: background of products
WITH batch AS (
  SELECT organization_id, id FROM products WHERE organization_id || ' ' || id > $1 ORDER BY organization_id || ' ' || id LIMIT $2),
changed AS (
  UPDATE products p SET name = upper(p.name) FROM batch b WHERE p.organization_id = b.organization_id AND p.id = b.id)
SELECT max(organization_id || ' ' || id), count(*) FROM batch;
`)}}

const productOf = `INSERT INTO products (organization_id, id, external_id, name, product_category, tax_class, classification,
	tax_exempt, status, source, sku, created_at, updated_at)
	VALUES ($1, 'prod_good%[1]d', 'GOOD-%[1]d', 'Good %[1]d', 'PHYSICAL', 'GENERAL', 'CATEGORY_DEFAULT', false, 'APPROVED', 'API',
	'{}', now(), now())`

// dueBackground ends the pause after a batch.
func dueBackground(t *testing.T, b *storetest.Bundle) {
	t.Helper()
	storetest.Execute(t, b.URL, "UPDATE background_migrations SET next_at = now()")
}

// A background migration is recorded at once. Its batches change each row once, also when another process continues. It
// tells how far it is, until it has passed all rows.
func TestABackgroundMigrationContinuesWhereItStopped(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	for n := range 7 {
		storetest.Execute(t, b.URL, fmt.Sprintf(productOf, n), b.Scope.OrganizationID)
	}
	applied, err := b.Store.MigrateFrom(t.Context(), aBackground)
	require.NoError(t, err)
	require.Equal(t, 1, applied)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM products WHERE name LIKE 'GOOD %'"), "it is only recorded")
	require.NoError(t, b.Store.CheckMigrated(t.Context()), "and nobody waits for it")

	step := func(rows int) bool {
		done, err := b.Store.BackgroundBatch(t.Context(), aBackground, rows)
		require.NoError(t, err)
		return done
	}
	runs := func() []models.BackgroundRun {
		all, err := b.Store.BackgroundRuns(t.Context())
		require.NoError(t, err)
		return all
	}
	require.True(t, step(3))
	require.False(t, step(3), "a pause follows, of all processes")
	dueBackground(t, b)
	require.Equal(t, 3, b.Count(t, "SELECT count(*) FROM products WHERE name = upper(name)"))
	require.Len(t, runs(), 1)
	require.Equal(t, int64(3), runs()[0].Rows)
	require.Equal(t, "products", runs()[0].Table)

	// A process is killed in the middle of a batch: the database takes back both the rows and the progress.
	tx, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "UPDATE background_migrations SET after_key = 'z'")
	require.NoError(t, err)
	require.False(t, step(3), "one process works at a time")
	require.NoError(t, tx.Rollback(t.Context()))

	other := storetest.Open(t, store.Options{URL: b.URL})
	for {
		done, err := other.BackgroundBatch(t.Context(), aBackground, 3)
		require.NoError(t, err)
		if !done {
			break
		}
		dueBackground(t, b)
	}
	require.Equal(t, 7, b.Count(t, "SELECT count(*) FROM products WHERE name LIKE 'GOOD %'"))
	require.Equal(t, b.Count(t, "SELECT count(*) FROM products"), b.Count(t, "SELECT read_rows FROM background_migrations"),
		"each row once")
	require.Empty(t, runs())
	applied, err = b.Store.MigrateFrom(t.Context(), aBackground)
	require.NoError(t, err)
	require.Zero(t, applied)
}

// A batch that fails changes nothing, tells why, and goes on when the cause has ended.
func TestABackgroundMigrationThatFailsGoesOn(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	for n := range 4 {
		storetest.Execute(t, b.URL, fmt.Sprintf(productOf, n), b.Scope.OrganizationID)
	}
	_, err := b.Store.MigrateFrom(t.Context(), aBackground)
	require.NoError(t, err)
	done, err := b.Store.BackgroundBatch(t.Context(), aBackground, 2)
	require.NoError(t, err)
	require.True(t, done)
	dueBackground(t, b)
	// As of a full disk: the server refuses to write a row.
	storetest.Execute(t, b.URL, `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'No space left on device'; END $$`)
	storetest.Execute(t, b.URL, "CREATE TRIGGER full_disk BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION no_space()")
	for range 2 {
		_, err = b.Store.BackgroundBatch(t.Context(), aBackground, 2)
		require.Error(t, err)
	}
	runs, err := b.Store.BackgroundRuns(t.Context())
	require.NoError(t, err)
	require.Len(t, runs, 1)
	require.Equal(t, int64(2), runs[0].Rows)
	require.NotEmpty(t, runs[0].Failure)
	storetest.Execute(t, b.URL, "DROP TRIGGER full_disk ON products")
	for done = true; done; dueBackground(t, b) {
		done, err = b.Store.BackgroundBatch(t.Context(), aBackground, 2)
		require.NoError(t, err)
	}
	require.Equal(t, 4, b.Count(t, "SELECT count(*) FROM products WHERE name LIKE 'GOOD %'"))
}
