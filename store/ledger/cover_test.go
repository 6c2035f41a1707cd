package ledger_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// fromBefore makes all records of a book those of an earlier release: sealed, and without leaves.
func (b *book) fromBefore(t *testing.T) {
	t.Helper()
	b.asOwner(t, "UPDATE installation SET ledger_from_before = true", "UPDATE audit SET leaf = NULL",
		"DELETE FROM ledger_unsealed", "DELETE FROM audit_seals", "DELETE FROM audit_unsealed",
		`INSERT INTO audit_unsealed (organization_ids, ids)
		 SELECT array_agg(organization_id::text), array_agg(id::text) FROM audit`)
	b.seal(t)
}

func (b *book) cover(t *testing.T) {
	t.Helper()
	require.NoError(t, b.Store.Ledger.Cover(t.Context(), func(models.LedgerCoverage) error { return nil }))
	b.seal(t)
}

// broken is the broken row of the chain, or else the broken record.
func (b *book) broken(t *testing.T) string {
	t.Helper()
	chain, err := b.Store.Audit.VerifyAudit(t.Context(), b.sealer, b.Scope.OrganizationID, nil)
	require.NoError(t, err)
	if chain.Broken != "" {
		return chain.Broken
	}
	return b.verify(t).Broken
}

// Records of an earlier release are not covered, until all of them have their leaf. A run that was interrupted goes on.
func TestRecordsOfAnEarlierReleaseGetTheirLeaf(t *testing.T) {
	t.Parallel()
	b, filing := filedBook(t)
	second := b.sale(t, "ORDER-2")
	_, err := b.Update(second.ID, func(d *models.TransactionDraft) { d.Description = new("A later version") })
	require.NoError(t, err)
	b.fromBefore(t)
	before := b.verify(t)
	require.EqualValues(t, 5, before.NotCovered, "three versions, one decision and one return")
	require.Empty(t, before.Broken)
	coverage, err := b.Store.Ledger.Coverage(t.Context())
	require.NoError(t, err)
	require.True(t, coverage.Open)
	require.Zero(t, coverage.Covered)

	interrupted := errors.New("interrupted")
	err = b.Store.Ledger.Cover(t.Context(), func(c models.LedgerCoverage) error {
		require.True(t, c.Open)
		return interrupted
	})
	require.ErrorIs(t, err, interrupted)
	b.cover(t)
	require.Equal(t, models.LedgerResult{Versions: 3, Decisions: 1, Returns: 1, Undecided: 1}, b.verify(t))
	coverage, err = b.Store.Ledger.Coverage(t.Context())
	require.NoError(t, err)
	require.Equal(t, models.LedgerCoverage{}, coverage)
	leaves := b.Count(t, "SELECT sum(octet_length(leaves))::int FROM audit_seals")
	b.cover(t)
	require.Equal(t, leaves, b.Count(t, "SELECT sum(octet_length(leaves))::int FROM audit_seals"), "a repetition adds nothing")

	b.Processed(t, []models.Ref{{OrganizationID: second.OrganizationID, ID: second.ID, Epoch: 2}})
	require.Equal(t, models.LedgerResult{Versions: 3, Decisions: 2, Returns: 1}, b.verify(t), "a later decision is in force")
	for _, c := range []struct{ broken, harm, good string }{
		{"return " + filing.ID + " was changed", "UPDATE filings SET amount_sales = amount_sales + 1",
			"UPDATE filings SET amount_sales = amount_sales - 1"},
		{"transaction " + second.ID + ", version 1, was changed",
			"UPDATE transaction_revisions SET body = jsonb_set(body, '{transaction,currency}', '\"EUR\"')",
			"UPDATE transaction_revisions SET body = jsonb_set(body, '{transaction,currency}', '\"USD\"')"},
		{"transaction " + second.ID + ", version 1, was changed", "UPDATE transaction_revisions SET revision = 9",
			"UPDATE transaction_revisions SET revision = 1"},
	} {
		b.asOwner(t, c.harm)
		require.Equal(t, c.broken, b.broken(t), c.harm)
		b.asOwner(t, c.good)
	}
	require.Empty(t, b.broken(t))
}

// The run notes the last transaction that it has seen, and goes on there.
func TestCoverageGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	first, second := b.sale(t, "ORDER-1"), b.sale(t, "ORDER-2")
	b.fromBefore(t)
	b.asOwner(t, "INSERT INTO ledger_coverage (organization_id, after_transaction) VALUES ('"+b.Scope.OrganizationID+"', '"+
		first.ID+"')")
	b.cover(t)
	require.Equal(t, 1, b.Count(t, "SELECT transactions::int FROM ledger_coverage WHERE organization_id = $1",
		b.Scope.OrganizationID))
	require.Equal(t, "the liability of transaction "+first.ID+" was decided past the guards", b.broken(t))
	require.NotContains(t, b.broken(t), second.ID)
}

// From the mark on, nothing lacks its leaf, and no leaf that is made afterwards hides what was changed.
func TestNothingLacksItsLeafAfterTheMark(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	first := b.sale(t, "ORDER-1")
	waits := storetest.Draft(b.Scope, "ORDER-2")
	require.NoError(t, b.Intake.Accept(t.Context(), waits))
	b.fromBefore(t)
	b.cover(t)
	require.Empty(t, b.broken(t))

	again := func() {
		b.asOwner(t, "UPDATE installation SET ledger_from_before = true", "DELETE FROM ledger_coverage")
		b.cover(t)
	}
	b.asOwner(t, "UPDATE transactions SET processing_status = 'PROCESSED' WHERE id = '"+waits.ID+"'")
	require.Equal(t, "the liability of transaction "+waits.ID+" was decided past the guards", b.broken(t))
	again()
	require.Equal(t, "the liability of transaction "+waits.ID+" was decided past the guards", b.broken(t))
	b.asOwner(t, "UPDATE transactions SET processing_status = 'QUEUED' WHERE id = '"+waits.ID+"'",
		"UPDATE transactions SET total_tax_liability_amount = total_tax_liability_amount + 1 WHERE id = '"+first.ID+"'")
	changed := "the liability of transaction " + first.ID + " was changed"
	require.Equal(t, changed, b.broken(t))
	again()
	require.Equal(t, changed, b.broken(t), "a second run covers no change")
	b.asOwner(t, "UPDATE transactions SET total_tax_liability_amount = total_tax_liability_amount - 1 WHERE id = '"+first.ID+"'")
	require.Empty(t, b.broken(t))

	b.asOwner(t, "SET session_replication_role = origin", `INSERT INTO audit (organization_id, id, action, entity_type,
		entity_id, revision) SELECT organization_id, 'audt_1', 'update', 'transaction', id, 2
		FROM transactions WHERE id = '`+first.ID+"'")
	require.Equal(t, "row audt_1, which is not sealed yet, has no leaf", b.broken(t))
	require.NoError(t, b.Store.Audit.SealAll(t.Context(), b.sealer))
	require.Regexp(t, "^row audt_1 of seal [0-9]+ has no leaf$", b.broken(t))
}

// The mark is that of its organization, in the first link of a new chain. The seal covers it, and nobody makes another
// without the key.
func TestTheMarkCannotBeMoved(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.sale(t, "ORDER-1")
	b.seal(t)
	mark := func() int64 {
		v, err := b.Store.Audit.VerifyAudit(t.Context(), b.sealer, b.Scope.OrganizationID, nil)
		require.NoError(t, err)
		return v.CoveredFrom
	}
	require.EqualValues(t, 1, mark())
	b.asOwner(t, "CREATE TABLE kept AS TABLE audit_seals", "UPDATE audit_seals SET leaves = substr(leaves, 38) WHERE number = 1")
	require.Contains(t, b.broken(t), "seal 1 was changed")
	b.fromBefore(t)
	require.Zero(t, mark())
	b.asOwner(t, "INSERT INTO ledger_unsealed (organization_ids, leaves) SELECT ARRAY['"+b.Scope.OrganizationID+"'],"+
		" overlay(substr(leaves, 1, 37) PLACING substr(sha256('x'), 1, 20) FROM 18) FROM kept WHERE number = 1 AND organization_id = '"+
		b.Scope.OrganizationID+"'")
	b.seal(t)
	require.Zero(t, mark(), "a mark without the key")
}

// An earlier decision with its true leaf is not in force again.
func TestAnEarlierDecisionIsNotInForceAgain(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	d := b.sale(t, "ORDER-1")
	b.asOwner(t, "CREATE TABLE kept AS TABLE ledger_unsealed", "CREATE TABLE sale AS TABLE transactions",
		"CREATE TABLE totals AS TABLE transaction_totals")
	ref, err := b.Store.Transactions.ReprocessTransaction(t.Context(), b.Scope, models.Actor{}, d.ID)
	require.NoError(t, err)
	b.Processed(t, []models.Ref{ref})
	b.seal(t)
	require.Empty(t, b.broken(t))
	b.asOwner(t, "DELETE FROM transactions", "INSERT INTO transactions SELECT * FROM sale",
		"DELETE FROM transaction_totals", "INSERT INTO transaction_totals SELECT * FROM totals",
		"INSERT INTO ledger_unsealed (organization_ids, leaves) SELECT organization_ids, leaves FROM kept")
	b.seal(t)
	require.Equal(t, "the liability of transaction "+d.ID+" was changed", b.broken(t))
}

// Erasing a customer leaves its sales, and so their leaves, as they are.
func TestSalesOfAnErasedCustomerAreUnchanged(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	d := b.sale(t, "ORDER-1")
	_, err := b.Update(d.ID, func(d *models.TransactionDraft) { d.Description = new("A later version") })
	require.NoError(t, err)
	b.seal(t)
	require.NoError(t, b.Store.People.EraseCustomer(t.Context(), models.Actor{Staff: "ann"}, d.CustomerID))
	b.seal(t)
	require.Equal(t, models.LedgerResult{Versions: 2, Undecided: 1}, b.verify(t))
}
