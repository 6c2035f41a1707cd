package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// When a return gives its members back, what came late meanwhile is its own again.
func TestAReleasedReturnEndsItsOpenAmendment(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	b.process(t, b.sale(t, "2026-01-10", "100.00"))
	f := b.january(t, models.FilingUnfiled)
	_, err := b.approve(f.ID)
	require.NoError(t, err)
	b.process(t, b.sale(t, "2026-01-11", "20.00"))
	_, err = b.move(f.ID, models.FilingIssue)
	require.NoError(t, err)
	require.Equal(t, models.FilingUnfiled, b.amendments(t, f.ID)[0].Status, "what was claimed is still claimed")

	released, err := b.move(f.ID, models.FilingUnfiled)
	require.NoError(t, err)
	require.Equal(t, "2 120.00 12.00", sums(released))
	ended := b.amendments(t, f.ID)
	require.Len(t, ended, 1)
	require.Equal(t, models.FilingCancelled, ended[0].Status)
	require.Equal(t, "RETURN_RELEASED", *ended[0].CancelledReason)
	require.Equal(t, "1 20.00 2.00", sums(ended[0]), "it keeps what it was about")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM audit WHERE entity_id = $1 AND detail = jsonb_build_object('from', 'UNFILED', 'to', 'CANCELLED', 'because_of', $2::text)",
		ended[0].ID, f.ID))

	claimed, err := b.approve(f.ID)
	require.NoError(t, err)
	require.Equal(t, "2 120.00 12.00", sums(claimed))
	b.process(t, b.sale(t, "2026-01-12", "5.00"))
	require.Equal(t, "1 5.00 0.50", sums(b.amendments(t, f.ID)[1]), "the next late sale opens another one")
}

// Members refer to a transaction and a filing that are there, and stay.
func TestTheDatabaseKeepsWhatMembersReferTo(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	sold, loose := b.sale(t, "2026-01-10", "100.00"), b.sale(t, "2026-01-11", "50.00")
	b.process(t, sold)
	f := b.january(t, models.FilingFiled)
	const copied = `INSERT INTO filing_transactions (organization_id, filing_id, transaction_id, registration_id, claims_as, epoch, tax_date, marketplace, sales, taxable, tax, collected, liability)
		SELECT organization_id, coalesce($2, filing_id), coalesce($1, transaction_id), registration_id, 'OTHER', epoch, tax_date, marketplace, sales, taxable, tax, collected, liability
		  FROM filing_transactions`
	for name, args := range map[string][]any{
		copied: {"txn_none", nil},
		`INSERT INTO filing_transactions SELECT organization_id, $1, transaction_id, registration_id, 'OTHER', epoch, tax_date, marketplace, sales, taxable, tax, collected, liability
		   FROM filing_transactions`: {"file_none"},
		"UPDATE filing_transactions SET transaction_id = $1":       {"txn_none"},
		"UPDATE filing_transactions SET filing_id = $1":            {"file_none"},
		"UPDATE filing_transactions SET organization_id = $1":      {"org_none"},
		"DELETE FROM filings WHERE id = $1":                        {f.ID},
		"UPDATE filings SET id = 'file_other' WHERE id = $1":       {f.ID},
		"DELETE FROM transactions WHERE id = $1":                   {sold.ID},
		"UPDATE transactions SET id = 'txn_other' WHERE id = $1":   {sold.ID},
		"UPDATE transactions SET organization_id = id WHERE id=$1": {sold.ID},
	} {
		_, err := b.sql.Exec(t.Context(), name, args...)
		require.ErrorContains(t, err, "23503", name)
	}
	_, err := b.sql.Exec(t.Context(), copied, loose.ID, nil)
	require.NoError(t, err, "a transaction that is there may be a member")
}
