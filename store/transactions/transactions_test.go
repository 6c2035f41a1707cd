package transactions_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

func ptr[T any](v T) *T { return &v }

// accept writes drafts and fails the test when one is refused.
func accept(t *testing.T, s *store.Store, drafts ...*models.TransactionDraft) {
	t.Helper()
	for _, err := range s.Transactions.Accept(t.Context(), drafts) {
		require.NoError(t, err)
	}
}

// fullDraft is a draft in which every field that a client may send has a value.
func fullDraft(scope models.Scope) *models.TransactionDraft {
	d := storetest.Draft(scope, "FULL/ü %")
	d.ShopDate, d.ShopDateTZ, d.Description, d.RefundStatus = ptr("2026-05-14"), ptr("America/New_York"), ptr("text"),
		ptr("FULLY_REFUNDED")
	d.Date = time.Date(2026, 5, 15, 3, 0, 0, 123456000, time.UTC)
	d.TaxDate = time.Date(2026, 5, 14, 0, 0, 0, 0, time.UTC)
	d.Currency, d.Marketplace, d.ExemptSent, d.Exempt = "CAD", true, models.PartiallyExempt, models.PartiallyExempt
	d.SecondaryExternalID, d.SecondarySource, d.ExternalFriendlyID, d.ConnectionID = ptr("S-1"), ptr("shop"), ptr("#1"),
		ptr("conn")
	d.TaxID, d.City, d.County, d.State, d.PostalCode, d.Country = ptr("T"), ptr("Albany"), ptr("Albany"),
		ptr("New York"), ptr("12207"), ptr("US")
	d.TotalDiscount, d.TaxRateImported = decimal.MustParse("5.50"), decimal.MustParse("0.088750000")
	d.TotalTaxAmountCalculated, d.TaxRateCalculated = decimal.MustParse("1.00"), decimal.MustParse("999.999999999")
	d.TotalTaxLiabilityAmount, d.TaxableAmount = decimal.MustParse("-9999999999.99"), decimal.MustParse("9999999999.99")
	d.TaxLiabilitySource = ptr(models.LiabilityCollected)
	c := &d.Customer
	c.Name, c.Email, c.Phone, c.Street1, c.Street2 = ptr("Ada"), ptr("ada@example.com"), ptr("12345678"),
		ptr("Main St"), ptr("2nd")
	c.City, c.County, c.State, c.PostalCode, c.Country, c.FullAddress = ptr("Troy"), ptr("Rens"), ptr("NY"),
		ptr("12180"), ptr("US"), ptr("all")
	c.ConnectionID, c.RegistrationNumber, c.ExternalFriendlyID = ptr("conn"), ptr("HRB 1"), ptr("Ada L")
	c.TaxRegistrations = []models.CustomerTaxRegistration{
		{ID: "ctax_1", CountryCode: "DE", TaxType: "vat", TaxID: "DE1", IsValid: true},
	}
	line := storetest.Item(d, 1, "P-1", "-1.25")
	line.Description, line.Product, line.ProductName, line.ProductDescription = ptr("d"), ptr("p"), ptr("pn"), ptr("pd")
	line.Quantity = decimal.MustParse("1234567890.123456789")
	line.ExemptSent, line.Exempt, line.TaxExemptionSent, line.TaxExemption = true, true, ptr("EXPORT"), ptr("EXPORT")
	line.TaxItems = []models.TaxItem{{
		Type: "IMPORTED", RuleID: "0000", Name: "New York", JurisdictionType: "STATE",
		JurisdictionName: "New York", Rate: decimal.MustParse("0.04"),
		Amount: decimal.MustParse("4.00"), Reason: "FROM_IMPORT", ExternalID: "T1", Currency: "USD",
	}}
	d.Items = append(d.Items, line)
	bill := d.Addresses[0]
	bill.Type, bill.ID, bill.Street2, bill.County = models.BillTo, models.NewID(models.PrefixAddress), ptr("2"), ptr("NY")
	bill.FullAddress, bill.Phone, bill.IsUnincorporated, bill.ConnectionID = ptr("all"), ptr("1234567"), true, ptr("conn")
	d.Addresses = append(d.Addresses, bill)
	return d
}

func TestTransactionReadsWhatWasAccepted(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	d := fullDraft(b.Scope)
	accept(t, b.Store, d, storetest.Draft(b.Scope, "ANOTHER"))
	same := []cmp.Option{
		cmp.Comparer(func(x, y decimal.Decimal) bool { return x.Cmp(y) == 0 }), cmpopts.EquateEmpty(),
	}

	byID, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, d.ID)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(d.Transaction, byID, same...))
	byExternalID, err := b.Store.Transactions.TransactionByExternalID(t.Context(), b.Scope, "FULL/ü %")
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(d.Transaction, byExternalID, same...))
}

func TestTransactionIsFoundOnlyByItsOrganization(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	other := storetest.Organization(t, b.URL)
	d := storetest.Draft(b.Scope, "ORDER-1")
	accept(t, b.Store, d)
	for name, read := range map[string]func() (models.Transaction, error){
		"unknown id": func() (models.Transaction, error) {
			return b.Store.Transactions.Transaction(t.Context(), b.Scope, models.NewID("txn"))
		},
		"id of another": func() (models.Transaction, error) {
			return b.Store.Transactions.Transaction(
				t.Context(), other, d.ID,
			)
		},
		"external id of another": func() (models.Transaction, error) {
			return b.Store.Transactions.TransactionByExternalID(t.Context(), other, "ORDER-1")
		},
		"external id in capitals": func() (models.Transaction, error) {
			return b.Store.Transactions.TransactionByExternalID(t.Context(), b.Scope, "order-1")
		},
		"no organization": func() (models.Transaction, error) {
			return b.Store.Transactions.Transaction(t.Context(), models.Scope{}, d.ID)
		},
	} {
		_, err := read()
		require.ErrorIs(t, err, models.ErrNotFound, name)
	}
}

func TestTransactionShowsAppliedExemptionsOnly(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	first, second := storetest.Draft(b.Scope, "ORDER-1"), storetest.Draft(b.Scope, "ORDER-2")
	first.Exemptions = []models.Exemption{{
		OrganizationID: b.Scope.OrganizationID, ID: models.NewID(models.PrefixExemption),
		ExemptionType: models.ExemptionWholesale,
		StartDate:     first.TaxDate.Truncate(24 * time.Hour), TransactionID: &first.ID,
		CountryCode: "US", Jurisdiction: ptr("NY"), Reseller: true,
		FEIN: ptr("12"), SalesTaxID: ptr("34"), Status: models.ExemptionActive, CreatedAt: first.CreatedAt,
	}}
	accept(t, b.Store, first, second)
	read, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, first.ID)
	require.NoError(t, err)
	require.Empty(t, read.Exemptions, "asked for, not applied")

	ref := models.Ref{OrganizationID: first.OrganizationID, ID: first.ID, Epoch: 1}
	run := models.StageRun{WorkflowID: "transactions/1", RunID: "run", Attempt: 1}
	_, err = b.Store.Transactions.SaveAddresses(t.Context(), run, []models.Ref{ref}, []models.AddressOutcome{
		{Ref: ref, To: models.ProcessingAddressDone, Place: storetest.NewYork},
	})
	require.NoError(t, err)
	_, err = b.Store.Transactions.SaveExemptions(t.Context(), run, []models.Ref{ref}, []models.ExemptionOutcome{{
		Ref: ref, Exempt: models.FullyExempt, Applied: []string{first.Exemptions[0].ID},
		Lines: []models.LineExemption{
			{LineNo: 0, Exempt: true, TaxExemption: "WHOLESALE", ExemptionID: first.Exemptions[0].ID},
		},
	}})
	require.NoError(t, err)
	read, err = b.Store.Transactions.Transaction(t.Context(), b.Scope, first.ID)
	require.NoError(t, err)
	want := first.Exemptions[0]
	want.CustomerID = &first.CustomerID
	require.Empty(t, cmp.Diff([]models.Exemption{want}, read.Exemptions))
	require.Equal(t, "WHOLESALE", *read.Items[0].TaxExemption)
	require.Equal(t, "NY", *read.State, "the destination as it was found")
}

// statements counts the statements that a store sends, also those in batches.
type statements struct{ n int }

func (c *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n++
	return ctx
}
func (c *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (c *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (c *statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) { c.n++ }
func (c *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

func TestReadsCostAConstantNumberOfStatements(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	count := &statements{}
	s := storetest.Open(t, store.Options{URL: url, Tracer: count})
	scope := storetest.Organization(t, url)
	drafts := make([]*models.TransactionDraft, 60)
	for i := range drafts {
		drafts[i] = storetest.Draft(scope, fmt.Sprintf("ORDER-%d", i))
		drafts[i].Customer.ExternalID = fmt.Sprintf("C-%d", i)
		drafts[i].Items = append(drafts[i].Items, storetest.Item(drafts[i], 1, "P-1", "1.00"))
	}
	accept(t, s, drafts...)
	cost := func(read func() error) int {
		before := count.n
		require.NoError(t, read())
		return count.n - before
	}
	list := func(limit int) func() error {
		return func() error {
			found, err := s.Transactions.ListTransactions(t.Context(), scope, models.TransactionFilter{}, nil,
				models.Page{Limit: limit})
			require.Len(t, found.Items, limit)
			return err
		}
	}
	require.Equal(t, 8, cost(list(1)), "begin, count, page with customers, settings, items, addresses, exemptions, commit")
	require.Equal(t, 8, cost(list(60)))
	require.Equal(
		t, 8,
		cost(func() error { _, err := s.Transactions.Transaction(t.Context(), scope, drafts[0].ID); return err }),
	)
	require.Equal(t, 8, cost(func() error {
		_, err := s.Transactions.TransactionByExternalID(t.Context(), scope, "ORDER-7")
		return err
	}))
	require.Equal(t, 5, cost(func() error {
		_, err := s.Transactions.TransactionHistory(t.Context(), scope, drafts[0].ID, models.Page{Limit: 50})
		return err
	}))
}
