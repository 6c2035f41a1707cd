package testbed

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
)

// addProduct writes the bed's product.
func (b *Bed) addProduct(ctx context.Context) {
	b.tb.Helper()
	_, err := b.DB.Exec(ctx, `
		INSERT INTO products (organization_id, id, external_id, name, product_category, tax_class, classification, tax_exempt,
		                      status, source, sku, created_at, updated_at)
		VALUES ($1, $2, $3, 'Widget', 'PHYSICAL', 'PHYSICAL', 'CATEGORY_DEFAULT', false, 'APPROVED', 'API', '[]', $4, $4)`,
		b.OrganizationID, models.NewID(models.PrefixProduct), Product, time.Now().UTC())
	require.NoError(b.tb, err)
}

// noteHeartbeat has the database say that the runs by which Temporal is watched have just begun. Processes would begin one
// for every task queue when they start, which costs as much as all else that most tests do. Where a bed's own Temporal
// server may lose its data, they do.
func (b *Bed) noteHeartbeat(ctx context.Context) {
	b.tb.Helper()
	_, err := b.DB.Exec(ctx, "UPDATE engine_checks SET due_at = now() + $1, done_at = now() WHERE name = $2",
		models.HeartbeatEvery, models.CheckHeartbeat)
	require.NoError(b.tb, err)
}

// Exec changes records directly in the database.
func (b *Bed) Exec(sql string, args ...any) {
	b.tb.Helper()
	_, err := b.DB.Exec(context.Background(), sql, args...)
	require.NoError(b.tb, err)
}

// Count is the one number that a query returns.
func (b *Bed) Count(sql string, args ...any) int {
	b.tb.Helper()
	var n int
	require.NoError(b.tb, b.DB.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

// Rows are the rows of a query, for messages and comparisons.
func (b *Bed) Rows(sql string, args ...any) []map[string]any {
	b.tb.Helper()
	rows, err := b.DB.Query(context.Background(), sql, args...)
	require.NoError(b.tb, err)
	list, err := pgx.CollectRows(rows, pgx.RowToMap)
	require.NoError(b.tb, err)
	return list
}
