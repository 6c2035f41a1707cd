package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// Organization writes an organization with its settings and one product "P-1" (physical goods), by SQL alone,
// and returns its scope.
func Organization(tb testing.TB, databaseURL string) models.Scope {
	tb.Helper()
	ctx := context.Background()
	id := models.NewID(models.PrefixOrganization)
	now := time.Now().UTC()
	settings := models.DefaultSettings(id)
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO organizations (id, external_id, name, name_key, status, is_test, billing_plan, disable_emails,
		  onboarding_status, created_at, updated_at)
		VALUES ($1::text, $1::text, $1::text, $1::text, 'ACTIVE', true, 'FREE', false, 'NOT_STARTED', $2, $2)`, id, now)
	batch.Queue(`INSERT INTO organization_settings (organization_id, disable_onboarding, product_category_version,
		  enable_new_auto_filing_experience, prefer_collected_tax_amounts, special_tax_circumstances, enabled_jurisdictions,
		  filing_lookback_periods, rounding_unit, updated_at)
		VALUES ($1, false, $2, true, false, false, '[]', 1, $3, $4)`,
		id, settings.ProductCategoryVersion, settings.RoundingUnit, now)
	batch.Queue(
		`INSERT INTO organization_details (organization_id, id, created_at, updated_at) VALUES ($1, $2, $3, $3)`,
		id, models.NewID(models.PrefixDetails), now,
	)
	batch.Queue(
		`INSERT INTO onboardings (organization_id, status, completed, created_at, updated_at)
		 VALUES ($1, 'NOT_STARTED', 2, $2, $2)`,
		id, now,
	)
	batch.Queue(`INSERT INTO onboarding_steps (organization_id, number, started_at, completed_at, attempts)
		SELECT $1, n, $2, CASE WHEN n < 3 THEN $2::timestamptz END, CASE WHEN n < 3 THEN 1 ELSE 0 END
		FROM generate_series(1, 3) n`, id, now)
	batch.Queue(`INSERT INTO products (organization_id, id, external_id, name, product_category, tax_class, classification,
		  tax_exempt, status, source, sku, created_at, updated_at)
		VALUES ($1, $2, 'P-1', 'Widget', 'PHYSICAL', 'PHYSICAL', 'CATEGORY_DEFAULT', false, 'APPROVED', 'API', '[]', $3, $3)`,
		id, models.NewID(models.PrefixProduct), now)
	require.NoError(tb, SQL(tb, databaseURL).SendBatch(ctx, batch).Close())
	return models.Scope{OrganizationID: id}
}

// Draft returns a sale of one line of 100.00 USD of product "P-1" to customer
// "C-1" in New York.
func Draft(scope models.Scope, externalID string) *models.TransactionDraft {
	now := time.Now().UTC().Truncate(time.Microsecond)
	d := &models.TransactionDraft{Transaction: models.Transaction{
		OrganizationID: scope.OrganizationID, ID: models.NewID(models.PrefixTransaction), ExternalID: externalID,
		Type: models.TypeSale, Status: models.StatusCommitted,
		ProcessingStatus: models.ProcessingQueued, Epoch: 1, Revision: 1,
		Date: now, TaxDate: now, Currency: "USD",
		TotalAmount: decimal.MustParse("108.88"), Subtotal: decimal.MustParse("100.00"),
		ExemptSent: models.NotExempt, Exempt: models.NotExempt, Source: "API", AddressStatus: tax.StatusUnverified,
		TotalTaxAmountImported: decimal.MustParse("8.88"), CreatedAt: now, UpdatedAt: now,
		Customer: models.Customer{
			OrganizationID: scope.OrganizationID, ID: models.NewID(models.PrefixCustomer),
			ExternalID: "C-1", Status: models.CustomerActive,
			AddressStatus: tax.StatusBlank, Source: "OTHER",
			TaxRegistrations: []models.CustomerTaxRegistration{}, CreatedAt: now, UpdatedAt: now,
		},
	}}
	d.Items = []models.TransactionItem{Item(d, 0, "P-1", "100.00")}
	street, city, state, zip, country := "350 5th Ave", "New York", "NY", "10118", "US"
	d.Addresses = []models.TransactionAddress{{
		OrganizationID: d.OrganizationID, TransactionID: d.ID, Type: models.ShipTo, ID: models.NewID(models.PrefixAddress),
		Street1: &street, City: &city, State: &state, PostalCode: &zip, Country: &country, Status: tax.StatusUnverified,
	}}
	return d
}

// Item returns a line of a draft.
func Item(d *models.TransactionDraft, lineNo int, product, amount string) models.TransactionItem {
	externalID := fmt.Sprintf("L%d", lineNo+1)
	return models.TransactionItem{
		OrganizationID: d.OrganizationID, TransactionID: d.ID,
		LineNo: lineNo, ID: models.NewID(models.PrefixItem), Date: d.Date,
		ExternalProductID: product, ExternalID: &externalID,
		Quantity: decimal.MustParse("1"), Amount: decimal.MustParse(amount),
		TaxItems: []models.TaxItem{},
	}
}
