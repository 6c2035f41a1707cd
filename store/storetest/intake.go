package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/transactions"
)

// Bundle is a store with an intake and an organization for its transactions.
type Bundle struct {
	URL    string
	Store  *store.Store
	Intake *transactions.Intake
	Scope  models.Scope
	SQL    *pgxpool.Pool
}

func Setup(t *testing.T, committers, group int) *Bundle {
	t.Helper()
	url := URL(t)
	s := Open(t, store.Options{URL: url})
	intake := s.Transactions.StartIntake(committers, group)
	t.Cleanup(intake.Close)
	return &Bundle{URL: url, Store: s, Intake: intake, Scope: Organization(t, url), SQL: SQL(t, url)}
}

// Skew makes the clock of the process wrong.
func (b *Bundle) Skew(t *testing.T, by time.Duration) {
	t.Helper()
	b.Store = Skewed(t, b.URL, by)
	b.Intake = b.Store.Transactions.StartIntake(1, 64)
	t.Cleanup(b.Intake.Close)
}

func (b *Bundle) Count(t *testing.T, sql string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, b.SQL.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

func (b *Bundle) Update(id string, change func(d *models.TransactionDraft)) (models.Transaction, error) {
	return b.Store.Transactions.UpdateTransaction(context.Background(), b.Scope, id, NextVersion(change))
}

func (b *Bundle) Processed(t *testing.T, refs []models.Ref) {
	t.Helper()
	loaded, err := b.Store.Transactions.LoadForAddresses(t.Context(), Run, refs)
	require.NoError(t, err)
	require.Len(t, loaded, len(refs))
	for _, stage := range Stages {
		_, err := stage.Save(b.Store, Run, refs)
		require.NoError(t, err)
	}
}

// Waiting returns when a transaction has waited for a lock for more than a second.
func (b *Bundle) Waiting(t *testing.T) {
	t.Helper()
	var first time.Time
	require.Eventually(t, func() bool {
		var since *time.Time
		var late bool
		err := b.SQL.QueryRow(t.Context(), `
			SELECT min(l.waitstart), coalesce(clock_timestamp() - least(min(l.waitstart),
			       nullif($1, '0001-01-01'::timestamptz)) > interval '1100ms', false)
			  FROM pg_locks l JOIN pg_stat_activity a USING (pid)
			 WHERE a.datname = current_database() AND NOT l.granted`, first).Scan(
			&since, &late,
		)
		if err == nil && since != nil && first.IsZero() {
			first = *since
		}
		return err == nil && late
	}, 20*time.Second, time.Millisecond)
}
