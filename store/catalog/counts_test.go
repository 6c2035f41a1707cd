package catalog_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// The totals of lists equal the number of records, while records are created and changed and the counts are rolled
// up.
func TestTotalsOfRecordsAreExact(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 2, 8)
	stranger := storetest.Organization(t, b.URL)
	var at sync.WaitGroup
	for i := range 4 {
		at.Go(func() {
			for n := range 12 {
				d := storetest.Draft(b.Scope, fmt.Sprintf("ORDER-%d-%d", i, n))
				d.Customer.ExternalID = fmt.Sprintf("C-%d", (i+n)%20) // the same ones at the same moment
				if err := b.Intake.Accept(t.Context(), d); err != nil {
					t.Error(err)
				}
				if n%4 == 3 {
					if _, err := b.Store.Catalog.RollUpCounts(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	at.Wait()
	status := models.CustomerStatus("ARCHIVED")
	customers := func(f models.CustomerFilter) models.List[models.Customer] {
		t.Helper()
		list, err := b.Store.Catalog.ListCustomers(t.Context(), b.Scope, f, []models.Order{{Column: "external_id"}},
			models.Page{Limit: 100})
		require.NoError(t, err)
		return list
	}
	made := b.Count(t, "SELECT count(*) FROM customers WHERE organization_id = $1", b.Scope.OrganizationID)
	require.Greater(t, made, 10)
	for range 2 { // before and behind the last roll-up
		all := customers(models.CustomerFilter{})
		require.Len(t, all.Items, made)
		require.EqualValues(t, made, all.Total)
		_, err := b.Store.Catalog.RollUpCounts(t.Context())
		require.NoError(t, err)
	}
	_, err := b.Store.Catalog.UpdateCustomer(t.Context(), b.Scope, models.Actor{},
		customers(models.CustomerFilter{}).Items[0].ID, func(c *models.Customer) error {
			c.Status = status
			return nil
		})
	require.NoError(t, err)
	require.EqualValues(t, 1, customers(models.CustomerFilter{Statuses: []models.CustomerStatus{status}}).Total)
	require.EqualValues(t, made-1, customers(models.CustomerFilter{Statuses: []models.CustomerStatus{"ACTIVE"}}).Total)
	require.EqualValues(t, made,
		customers(models.CustomerFilter{Statuses: []models.CustomerStatus{"ACTIVE", status}}).Total)
	_, err = b.SQL.Exec(t.Context(),
		`DELETE FROM exemptions; DELETE FROM products
		  WHERE external_id NOT IN (SELECT external_product_id FROM transaction_items)`)
	require.NoError(t, err)
	for kind := range map[string]bool{"customers": true, "products": true, "exemptions": true} {
		var counted int64
		require.NoError(t, b.SQL.QueryRow(t.Context(), `SELECT coalesce(sum(n), 0) FROM (
			SELECT organization_id, kind, n FROM record_counts UNION ALL
			SELECT organization_id, kind, n FROM record_count_changes) c
			WHERE kind = $1`, kind).Scan(&counted))
		require.EqualValues(t, b.Count(t, "SELECT count(*) FROM "+kind), counted, kind)
	}
	none, err := b.Store.Catalog.ListCustomers(t.Context(), stranger, models.CustomerFilter{}, nil, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Zero(t, none.Total)
}
