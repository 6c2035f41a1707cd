package filings_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// When a return releases its transactions, those that were late meanwhile belong to it again.
func TestAReleasedReturnEndsItsOpenAmendment(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	f := b.January(t, models.FilingUnfiled)
	_, err := b.Approve(f.ID)
	require.NoError(t, err)
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
	_, err = b.Transition(f.ID, models.FilingIssue)
	require.NoError(t, err)
	require.Equal(t, models.FilingUnfiled, b.Amendments(t, f.ID)[0].Status, "what was claimed is still claimed")

	released, err := b.Transition(f.ID, models.FilingUnfiled)
	require.NoError(t, err)
	require.Equal(t, "2 120.00 12.00", storetest.FilingSums(released))
	ended := b.Amendments(t, f.ID)
	require.Len(t, ended, 1)
	require.Equal(t, models.FilingCancelled, ended[0].Status)
	require.Equal(t, "RETURN_RELEASED", *ended[0].CancelledReason)
	require.Equal(t, "1 20.00 2.00", storetest.FilingSums(ended[0]), "it keeps its period")
	require.Equal(t, 1, b.Count(t,
		`SELECT count(*) FROM audit WHERE entity_id = $1
		    AND detail = jsonb_build_object('from', 'UNFILED', 'to', 'CANCELLED', 'because_of', $2::text)`,
		ended[0].ID, f.ID))

	claimed, err := b.Approve(f.ID)
	require.NoError(t, err)
	require.Equal(t, "2 120.00 12.00", storetest.FilingSums(claimed))
	b.Process(t, b.Sale(t, "2026-01-12", "5.00"))
	require.Equal(
		t, "1 5.00 0.50", storetest.FilingSums(b.Amendments(t, f.ID)[1]), "the next late sale opens another one",
	)
}

// An amendment that comes back ends the one that was opened meanwhile: the return has one open amendment, which has both
// sales. One that ends for good leaves its sales to the other.
func TestAnAmendmentThatIsOpenAgainIsTheOnlyOne(t *testing.T) {
	t.Parallel()
	for to, want := range map[models.FilingStatus][]string{
		models.FilingUnfiled:   {"UNFILED 2 25.00 2.50", "CANCELLED 1 5.00 0.50"},
		models.FilingCancelled: {"CANCELLED 1 20.00 2.00", "UNFILED 2 25.00 2.50"},
	} {
		b := storetest.SetupFilings(t)
		f := b.January(t, models.FilingUnfiled)
		late := func(amount string) {
			b.Process(t, b.Sale(t, "2026-01-11", amount))
			_, err := b.Store.Filings.AmendFilings(t.Context())
			require.NoError(t, err)
		}
		b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
		_, err := b.Approve(f.ID)
		require.NoError(t, err)
		_, err = b.Transition(f.ID, models.FilingFiled)
		require.NoError(t, err)
		late("20.00")
		first := b.Amendments(t, f.ID)[0].ID
		_, err = b.Approve(first)
		require.NoError(t, err)
		_, err = b.Transition(first, models.FilingIssue)
		require.NoError(t, err)
		late("5.00")
		_, err = b.Transition(first, to)
		require.NoError(t, err)
		_, err = b.Store.Filings.AmendFilings(t.Context())
		require.NoError(t, err)
		var found []string
		for _, a := range b.Amendments(t, f.ID) {
			found = append(found, string(a.Status)+" "+storetest.FilingSums(a))
		}
		require.Equal(t, want, found)
	}
}

// Rows of filing members refer to an existing transaction and filing, which cannot be deleted. No other rows refer to
// those of this test.
func TestTheDatabaseKeepsTheTransactionsOfReturns(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	sold := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, sold)
	f := b.January(t, models.FilingFiling)
	_, err := b.SQL.Exec(t.Context(), `INSERT INTO transactions
		SELECT (jsonb_populate_record(t, '{"id": "txn_bare", "external_id": "bare"}')).*
		FROM transactions t
		WHERE id = $1`, sold.ID)
	require.NoError(t, err)
	const refer = `INSERT INTO filing_transactions (organization_id, filing_id, transaction_id, registration_id, claims_as,
		  epoch, tax_date, marketplace, sales, taxable, tax, collected, liability)
		SELECT organization_id, $1::text, $2::text, registration_id, $1::text || $2::text, epoch, tax_date, marketplace,
		       sales, taxable, tax, collected, liability
		  FROM filing_transactions WHERE claims_as = 'RETURN'`
	_, err = b.SQL.Exec(t.Context(), refer, f.ID, "txn_bare")
	require.NoError(t, err)
	for _, c := range []struct {
		sql  string
		args []any
	}{
		{refer, []any{f.ID, "txn_none"}},
		{refer, []any{"file_none", "txn_bare"}},
		{"UPDATE filing_transactions SET transaction_id = 'txn_none' WHERE transaction_id = $1", []any{sold.ID}},
		{"UPDATE filing_transactions SET filing_id = $1", []any{"file_none"}},
		{"UPDATE filing_transactions SET organization_id = $1", []any{"org_none"}},
		{"DELETE FROM filings WHERE id = $1", []any{f.ID}},
		{"UPDATE filings SET id = 'file_other' WHERE id = $1", []any{f.ID}},
		{"DELETE FROM transactions WHERE id = $1", []any{"txn_bare"}},
		{"UPDATE transactions SET id = 'txn_other' WHERE id = $1", []any{"txn_bare"}},
	} {
		_, err := b.SQL.Exec(t.Context(), c.sql, c.args...)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, c.sql)
		require.Equal(t, "23503", refused.Code, c.sql)
	}
}
