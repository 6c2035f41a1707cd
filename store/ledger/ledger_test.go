package ledger_test

import (
	"context"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// book is the ledger of an organization.
type book struct {
	*storetest.Bundle
	sealer *secret.Sealer
	owner  *pgx.Conn // the connection of the owner of the database
}

func newBook(t *testing.T) *book {
	t.Helper()
	return newBookOf(t, storetest.Setup(t, 2, 8))
}

func newBookOf(t *testing.T, b *storetest.Bundle) *book {
	t.Helper()
	ring, err := secret.ParseRing(secret.NewMasterKey("k1"))
	require.NoError(t, err)
	return &book{Bundle: b, sealer: secret.NewSealer(ring)}
}

// sale accepts a sale, and processes it.
func (b *book) sale(t *testing.T, externalID string) *models.TransactionDraft {
	t.Helper()
	d := storetest.Draft(b.Scope, externalID)
	require.NoError(t, b.Intake.Accept(t.Context(), d))
	b.Processed(t, []models.Ref{d.Ref()})
	return d
}

// seal seals all and requires an unbroken chain.
func (b *book) seal(t *testing.T) {
	t.Helper()
	require.NoError(t, b.Store.Audit.SealAll(t.Context(), b.sealer))
	v, err := b.Store.Audit.VerifyAudit(t.Context(), b.sealer, b.Scope.OrganizationID, nil)
	require.NoError(t, err)
	require.Empty(t, v.Broken)
}

// verify compares the records with their leaves, as the chain demands.
func (b *book) verify(t *testing.T) models.LedgerResult {
	t.Helper()
	chain, err := b.Store.Audit.VerifyAudit(t.Context(), b.sealer, b.Scope.OrganizationID, nil)
	require.NoError(t, err)
	v, err := b.Store.Ledger.Verify(t.Context(), b.Scope.OrganizationID, chain.CoveredFrom)
	require.NoError(t, err)
	return v
}

// asOwner executes statements as the owner of the database can, past all triggers.
func (b *book) asOwner(t *testing.T, statements ...string) {
	t.Helper()
	if b.owner == nil {
		conn, err := pgx.Connect(t.Context(), b.URL)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		b.owner = conn
	}
	for _, sql := range append([]string{"SET session_replication_role = replica"}, statements...) {
		_, err := b.owner.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
}

// A book with a sale of two versions, a processed one, one with a refund and one that waits. Each fault is one that the
// owner of the database can make. All are made good again before the next.
func TestVerificationNamesTheFirstTransactionThatDiffers(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	first, second := b.sale(t, "ORDER-1"), b.sale(t, "ORDER-2")
	_, err := b.Update(second.ID, func(d *models.TransactionDraft) { d.Description = new("A later version") })
	require.NoError(t, err)
	b.Processed(t, []models.Ref{{OrganizationID: second.OrganizationID, ID: second.ID, Epoch: 2}})
	third := storetest.Draft(b.Scope, "ORDER-3")
	require.NoError(t, b.Intake.Accept(t.Context(), third))
	archived := b.sale(t, "ORDER-4")
	_, err = b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{}, []string{archived.ID})
	require.NoError(t, err)
	whole := b.verify(t) // decisions wait for their seal
	require.Equal(t, models.LedgerResult{Versions: 5, Decisions: 2, Undecided: 1}, whole)
	b.seal(t)
	require.Equal(t, whole, b.verify(t))

	tables := []string{
		"transactions", "transaction_items", "transaction_addresses", "transaction_totals", "transaction_revisions", "audit",
		"audit_seals",
	}
	var restore []string
	for _, table := range tables {
		b.asOwner(t, "CREATE TABLE kept_"+table+" AS TABLE "+table)
		if table == "transactions" {
			restore = append(restore, "DELETE FROM transactions",
				"INSERT INTO transactions SELECT * FROM kept_transactions")
		} else {
			restore = append(restore, "DELETE FROM "+table, "INSERT INTO "+table+" SELECT * FROM kept_"+table)
		}
	}
	is := func(d *models.TransactionDraft) string { return " WHERE transaction_id = '" + d.ID + "'" }
	of := func(d *models.TransactionDraft) string { return " WHERE id = '" + d.ID + "'" }
	for _, c := range []struct{ broken, harm string }{
		{"transaction 1, version 1, was changed", "UPDATE transactions SET total_amount = 1" + of(first)},
		{"transaction 1, version 1, was changed", "UPDATE transactions SET tax_date = tax_date + 40" + of(first)},
		{"transaction 1, version 1, was changed", "UPDATE transactions SET status = 'CANCELLED'" + of(first)},
		{"transaction 1, version 1, was changed", "UPDATE transaction_items SET quantity = quantity + 1" + is(first)},
		{"transaction 1, version 1, was changed", "DELETE FROM transaction_items" + is(first)},
		{"transaction 1, version 1, was changed", "UPDATE transaction_addresses SET state = 'OR'" + is(first)},
		{"transaction 1 was archived past the guards",
			"UPDATE transactions SET status = 'ARCHIVED', processing_status = 'ARCHIVED'" + of(first)},
		{"the liability of transaction 1 was changed",
			"UPDATE transactions SET total_tax_liability_amount = 0" + of(first)},
		{"the liability of transaction 1 was changed", "UPDATE transaction_totals SET liability = 0" + is(first)},
		{"the liability of transaction 1 was changed", "UPDATE transaction_totals SET tax_date = '2020-01-01'" + is(first)},
		{"the liability of transaction 1 was changed", "DELETE FROM transaction_totals" + is(first)},
		{"the liability of transaction 1 was changed", "UPDATE transaction_items SET tax_items = '[]'" + is(first)},
		{"transaction 1 is missing", "DELETE FROM transactions" + of(first)},
		{"transaction 2, version 1, is missing", "DELETE FROM transaction_revisions" + is(second)},
		{"transaction 2, version 1, was changed",
			"UPDATE transaction_revisions SET body = jsonb_set(body, '{transaction,total_amount}', '3')" + is(second)},
		{"transaction 3, version 1, was changed", "UPDATE transactions SET currency = 'EUR'" + of(third)},
		{"transaction 1, version 1, was changed", "UPDATE transactions t SET total_amount = 7, customer_id = o.customer_id," +
			" date = o.date + interval '1 day' FROM transactions o WHERE t.id = '" + first.ID + "' AND o.id = '" + second.ID + "'"},
		{"transaction x, version 1, was added past the guards", "INSERT INTO transactions SELECT (jsonb_populate_record(t," +
			` jsonb_build_object('id', 'txn_x', 'external_id', 'X'))).* FROM transactions t` + of(first)},
	} {
		b.asOwner(t, c.harm)
		broken := b.verify(t).Broken
		for name, id := range map[string]string{"1": first.ID, "2": second.ID, "3": third.ID, "x": "txn_x"} {
			broken = strings.ReplaceAll(broken, id, name)
		}
		require.Equal(t, c.broken, broken, c.harm)
		b.asOwner(t, restore...)
	}
	require.Equal(t, whole, b.verify(t))
}

// Two rows that are swapped have the leaf of each other.
func TestSwappedTransactionsAreFound(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	first, second := b.sale(t, "ORDER-1"), b.sale(t, "ORDER-2")
	b.seal(t)
	for _, column := range []string{"id", "transaction_id"} {
		for _, table := range map[string][]string{
			"id": {"transactions"}, "transaction_id": {"transaction_items", "transaction_addresses", "transaction_totals"},
		}[column] {
			b.asOwner(t, "UPDATE "+table+" SET "+column+" = CASE "+column+" WHEN '"+first.ID+"' THEN 'txn_swap' ELSE '"+
				first.ID+"' END WHERE "+column+" = '"+first.ID+"'",
				"UPDATE "+table+" SET "+column+" = '"+first.ID+"' WHERE "+column+" = '"+second.ID+"'",
				"UPDATE "+table+" SET "+column+" = '"+second.ID+"' WHERE "+column+" = 'txn_swap'")
		}
	}
	require.Equal(t, "transaction "+first.ID+", version 1, was changed", b.verify(t).Broken)
}

// The owner writes a version as the service does, with its row of the trail, which is sealed. He has no key for the leaf.
func TestAnAddedVersionNeedsTheKey(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	first := b.sale(t, "ORDER-1")
	b.asOwner(t, "SET session_replication_role = origin", `INSERT INTO audit (organization_id, id, action, entity_type,
		entity_id, revision, leaf) SELECT organization_id, 'audt_1', 'update', 'transaction', id, 2, sha256('x')
		FROM transactions`, "SET session_replication_role = replica",
		"UPDATE transactions SET revision = 2, total_amount = 1")
	b.seal(t)
	require.Equal(t, "transaction "+first.ID+", version 1, is missing", b.verify(t).Broken)
}

// A stage that runs twice queues one leaf, and no accept waits for another: a leaf is in the row of the trail.
func TestADecisionHasOneLeaf(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	d := b.sale(t, "ORDER-1")
	for range 2 {
		_, err := storetest.Stages[3].Save(b.Store, storetest.Run, []models.Ref{d.Ref()})
		require.NoError(t, err)
	}
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM ledger_unsealed"))
	b.seal(t)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM ledger_unsealed"))
	const ofMark = 37 // once for an organization
	require.Equal(t, ofMark+37+20, b.Count(t, "SELECT sum(octet_length(leaves))::int FROM audit_seals")+
		b.Count(t, "SELECT sum(octet_length(leaf))::int FROM audit"), "at most 64 bytes a sale")
}

func TestASealCoversItsLeaves(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.sale(t, "ORDER-1")
	b.seal(t)
	b.asOwner(t, "UPDATE audit_seals SET leaves = overlay(leaves PLACING substr(sha256('x'), 1, 20) FROM 18)")
	v, err := b.Store.Audit.VerifyAudit(t.Context(), b.sealer, b.Scope.OrganizationID, nil)
	require.NoError(t, err)
	require.Contains(t, v.Broken, "seal 1 was changed")
}

// filedBook is a book with a filed return.
func filedBook(t *testing.T) (*book, models.Filing) {
	t.Helper()
	f := storetest.SetupFilings(t)
	b := newBookOf(t, f.Bundle)
	sale := f.Sale(t, "2026-01-12", "100.00")
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, []models.Ref{sale})
		require.NoError(t, err)
	}
	amount, tax := decimal.MustParse("100.00"), decimal.MustParse("4.00")
	_, err := b.Store.Transactions.SaveTax(t.Context(), storetest.Run, []models.Ref{sale}, []models.TaxOutcome{{
		Ref: sale, To: models.ProcessingProcessed, Exempt: models.NotExempt, TaxableAmount: amount, TaxAmount: tax,
		TaxRate: decimal.MustParse("0.04"), LiabilityAmount: tax, LiabilitySource: models.LiabilityCalculated,
		DestinationCurrency: "USD", ConversionRate: decimal.One, ContentVersion: "test", Explanation: []byte(`{"steps":[]}`),
		Totals: []models.AuthorityTotal{{CountryCode: "US", StateCode: "NY", MemberCode: "US", Case: 2,
			ReturnAmounts: models.ReturnAmounts{Sales: amount, Taxable: amount, Tax: tax, Liability: tax}}},
		Lines: []models.LineTax{{TaxableAmount: amount, TaxAmount: tax, TaxRate: decimal.MustParse("0.04"),
			TaxItems: []models.TaxItem{{Type: models.TaxItemCalculated, RuleID: "us-ny", Name: "New York", Reason: "general",
				JurisdictionType: "STATE", JurisdictionName: "New York", Rate: decimal.MustParse("0.04"), Amount: tax,
				TaxableAmount: &amount}}}},
	}})
	require.NoError(t, err)
	filing := f.January(t, models.FilingUnfiled)
	_, err = f.Approve(filing.ID)
	require.NoError(t, err)
	require.Equal(t, models.LedgerResult{Versions: 1, Decisions: 1}, b.verify(t))
	_, err = f.Transition(filing.ID, models.FilingFiled)
	require.NoError(t, err)
	b.seal(t)
	require.Equal(t, models.LedgerResult{Versions: 1, Decisions: 1, Returns: 1}, b.verify(t))
	return b, filing
}

func TestVerificationNamesTheFirstReturnThatDiffers(t *testing.T) {
	t.Parallel()
	b, filing := filedBook(t)
	tables := []string{"filings", "filing_transactions", "filing_jurisdictions"}
	for _, table := range tables {
		b.asOwner(t, "CREATE TABLE kept_"+table+" AS TABLE "+table)
	}
	for _, c := range []struct{ broken, harm string }{
		{"was changed", "UPDATE filings SET amount_sales = 1"},
		{"was changed", "UPDATE filings SET report_hash = encode(sha256('x'), 'hex')"},
		{"was changed", "UPDATE filing_transactions SET sales = 1, liability = 1"},
		{"was changed", "DELETE FROM filing_transactions"},
		{"is missing or not filed any more", "UPDATE filings SET status = 'SKIPPED', filed_at = NULL, claimed_at = NULL"},
	} {
		b.asOwner(t, c.harm)
		require.Equal(t, "return "+filing.ID+" "+c.broken, b.verify(t).Broken, c.harm)
		b.asOwner(t, "UPDATE filings SET (status, filed_at, claimed_at, amount_sales, report_hash) = (k.status, k.filed_at,"+
			" k.claimed_at, k.amount_sales, k.report_hash) FROM kept_filings k",
			"DELETE FROM filing_transactions", "INSERT INTO filing_transactions SELECT * FROM kept_filing_transactions")
	}
	b.asOwner(t, "UPDATE filings SET id = 'file_00000000000000000000000000' WHERE id = '"+filing.ID+"'")
	require.Contains(t, b.verify(t).Broken, "was filed past the guards")
}
