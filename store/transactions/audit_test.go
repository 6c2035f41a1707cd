package transactions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// No change is written without its entry in the audit trail: when the entry cannot be written, neither is the change.
func TestAChangeThatCannotBeAuditedIsRolledBack(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	product := func(externalID string) error {
		return b.Store.Catalog.CreateProduct(t.Context(), b.Scope, models.Actor{}, &models.Product{
			ID: models.NewID(models.PrefixProduct), ExternalID: externalID,
			Name: "Widget", ProductCategory: "PHYSICAL", TaxClass: "PHYSICAL",
			Classification: "CATEGORY_DEFAULT", Status: "APPROVED", Source: "OTHER", SKU: []string{},
		})
	}
	require.NoError(t, product("AUDITED"))
	_, err := b.SQL.Exec(t.Context(), "ALTER TABLE audit ADD CONSTRAINT broken CHECK (false) NOT VALID")
	require.NoError(t, err)

	require.Error(t, b.Intake.Accept(t.Context(), storetest.Draft(b.Scope, "ORDER-1")))
	require.Error(t, product("UNAUDITED"))
	for _, table := range []string{"transactions", "transaction_items", "customers", "outbox"} {
		require.Zero(t, b.Count(t, "SELECT count(*) FROM "+table), table)
	}
	require.Zero(t, b.Count(t, "SELECT count(*) FROM products WHERE external_id = 'UNAUDITED'"))
}
