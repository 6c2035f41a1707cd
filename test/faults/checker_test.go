package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store/integrity"
	"levy/test/testbed"
)

// A checker that never fails proves nothing: each invariant is violated once, and must be reported.
func TestCheckerNoticesEveryViolation(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	ledger := newLedger(bed)
	post := func(n int) {
		externalID := fmt.Sprintf("ORDER-%d", n)
		answer := bed.Post("/v1/transactions", testbed.Sale(externalID, n))
		require.Equal(t, http.StatusAccepted, answer.Status, "%s", answer.Body)
		ledger.add(externalID, n, accepted)
	}
	bed.API.Start()
	bed.Worker.Start()
	for n := range 3 {
		post(n)
	}
	requireProcessed(t, bed, 3)
	sale := bed.Get("/v1/transactions/external/ORDER-2").Field("id")
	require.Equal(t, http.StatusOK,
		bed.Post("/v1/transactions/"+sale+"/credit_notes", testbed.CreditNote("NOTE", "1.00")).Status)
	requireProcessed(t, bed, 4)
	bed.Worker.Kill()
	post(3) // waits in the outbox
	bed.API.Kill()
	ledger.add("NEVER-ARRIVED", 9, unknown)
	ledger.add("REFUSED", 9, refused)
	requireInvariants(t, bed, moment{ledger: ledger})

	const done, waiting = `external_id = 'ORDER-1'`, `external_id = 'ORDER-3'`
	of := func(key string) string {
		return `(organization_id, ` + key + `) = (SELECT organization_id, id FROM transactions WHERE `
	}
	cases := []struct {
		name, violated string
		statements     []string
		quiet          bool
	}{
		{"an accepted transaction is gone", "I-1 every accepted transaction",
			[]string{`UPDATE transactions SET external_id = 'NEVER-ARRIVED' WHERE ` + done}, true},
		{"an amount differs from what was sent", "I-1 every accepted transaction",
			[]string{`UPDATE transactions SET total_amount = total_amount + 0.01 WHERE ` + done}, true},
		{"a line is there twice", "I-1 every accepted transaction", []string{`INSERT INTO transaction_items
			SELECT (jsonb_populate_record(i, jsonb_build_object('line_no', 7))).*
			FROM transaction_items i
			WHERE ` + of("transaction_id") + done + `)`}, true},
		{"a transaction is there twice", "I-1 an external id", []string{`DROP INDEX transactions_external_id`,
			`UPDATE transactions SET external_id = 'ORDER-2' WHERE ` + done}, false},
		{"a transaction was never sent", "I-2",
			[]string{`UPDATE ledger SET external_id = 'REFUSED' WHERE external_id = 'NEVER-ARRIVED'`,
				`UPDATE transactions SET external_id = 'INVENTED' WHERE ` + done, `DELETE FROM ledger WHERE ` + done}, true},
		{"a refused transaction was written", "I-2",
			[]string{`UPDATE transactions SET external_id = 'REFUSED' WHERE ` + done}, true},
		{"the outbox lost a row", "I-3 unfinished",
			[]string{`DELETE FROM outbox WHERE ` + of("aggregate_id") + waiting + `)`}, false},
		{"the outbox has a row of another epoch", "I-3 unfinished",
			[]string{`UPDATE outbox SET epoch = 2 WHERE ` + of("aggregate_id") + waiting + `)`}, false},
		{"the outbox kept a row of finished work", "I-3 the outbox", []string{`INSERT INTO outbox (organization_id, kind,
			  aggregate_id, epoch)
			SELECT organization_id, 1, id, epoch FROM transactions WHERE ` + done}, false},
		{"the outbox has a row of nothing", "I-3 the outbox",
			[]string{`INSERT INTO outbox (organization_id, kind, aggregate_id, epoch) VALUES ('org', 1, 'txn', 1)`},
			false},
		{"work is left in the end", "I-3 no work", nil, true},
		{"a stage was left out", "I-4 stages",
			[]string{`DELETE FROM transaction_stages WHERE stage = 'EXEMPT_DONE' AND ` + of("transaction_id") + done +
				`)`}, false},
		{"a stage happened twice", "I-4 stages",
			[]string{`ALTER TABLE transaction_stages DROP CONSTRAINT transaction_stages_pkey`,
				`INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id,
				        run_id, detail)
			 SELECT organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id, run_id, detail
			   FROM transaction_stages WHERE stage = 'NEXUS_DONE' AND ` + of("transaction_id") + done + `)`}, false},
		{"a transaction has an earlier status than its journal", "I-4 the journal",
			[]string{`ALTER TABLE transactions DISABLE TRIGGER transactions_processing_moves`,
				`UPDATE transactions SET processing_status = 'NEXUS_DONE' WHERE ` + done}, false},
		{"a transaction changed status without a journal entry", "I-4 the journal",
			[]string{`UPDATE transactions SET processing_status = 'ADDRESS_DONE' WHERE ` + waiting}, false},
		{"an explanation is missing", "I-4 what is processed",
			[]string{`DELETE FROM transaction_explanations WHERE ` + of("transaction_id") + done + `)`}, false},
		{"what a sale adds to returns is gone", "I-4 what is taxable", []string{`DELETE FROM transaction_totals`}, false},
		{"what a sale adds to returns is of another epoch", "I-4 what is taxable",
			[]string{`UPDATE transaction_totals SET epoch = epoch + 1`}, false},
		{"a cancelled sale is processed", "I-4 status",
			[]string{`UPDATE transactions SET status = 'CANCELLED' WHERE ` + done}, false},
		{"a tax is of another amount", "I-4 what is calculated",
			[]string{`UPDATE transaction_items SET amount = 1 WHERE ` + of("transaction_id") + done + `)`}, false},
		{"a part of a tax is a cent less", "I-4 the calculated tax of a line", []string{`UPDATE transaction_items
			SET tax_items = jsonb_set(tax_items, '{0,amount}', to_jsonb(((tax_items -> 0 ->> 'amount')::numeric - 0.01)::text))
			WHERE ` + of("transaction_id") + done + `)`}, false},
		{"a credit note exceeds its sale", "I-10 credit notes never exceed",
			[]string{`UPDATE transactions SET total_amount = -999 WHERE external_id = 'NOTE'`}, false},
		{"the totals lost a credit note", "I-10 credit notes never exceed",
			[]string{`UPDATE credit_totals SET committed = 0`}, false},
		{"a sale does not show that it is refunded", "I-10 the refund status",
			[]string{`UPDATE transactions SET refund_status = NULL WHERE external_id = 'ORDER-2'`}, false},
		{"a credit note gives back too much tax", "I-10 credit notes never give", []string{`UPDATE transaction_items
			SET tax_amount_calculated = -9
			WHERE ` + of("transaction_id") + `external_id = 'NOTE')`}, false},
		{"a sale owes a cent more than its taxes say", "I-10 a sale and its refunds owe",
			[]string{`UPDATE transaction_totals SET liability = liability + 0.01`}, false},
		{"the places owe what nobody owes", "I-6 what is owed by place",
			[]string{`UPDATE transaction_totals SET places = '[{"amount":"0.01"}]'`}, false},
		{"the figures of a sale say a cent too much", "I-6 the figures of a transaction",
			[]string{`UPDATE transaction_totals SET figure_gross[1] = figure_gross[1] + 0.01`}, false},
		{"a credit note still waits for a processed sale", "I-10 a refund waits", []string{`INSERT INTO outbox (organization_id, kind,
			  aggregate_id, epoch, waits_for)
			SELECT organization_id, 1, id, epoch, related_to FROM transactions WHERE external_id = 'NOTE'`}, false},
		{"a counter counted twice", "I-11 counters", []string{`UPDATE nexus_counters SET n = n + 1`}, false},
		{"a counter is off by a cent", "I-11 counters", []string{`UPDATE nexus_counters SET amount = amount - 0.01`}, false},
		{"a refund of a day is counted that nobody made", "I-11 refunds", []string{`INSERT INTO nexus_refunds
			SELECT organization_id, country_code, state_code, currency, day, marketplace, day - 1, -1, 0, 0
			  FROM nexus_counters LIMIT 1`}, false},
		{"taxes of a day are gone", "I-11 taxes",
			[]string{`DELETE FROM nexus_tax_changes`, `DELETE FROM nexus_taxes`}, false},
		{"a counter is gone", "I-11 counters", []string{`DELETE FROM nexus_counters`}, false},
		{"a contribution is gone, and subtracted from its counter", "I-11 sales", []string{
			`WITH gone AS (DELETE FROM nexus_contributions WHERE ` + of("transaction_id") + done + `) RETURNING *)
			 UPDATE nexus_counters k SET n = k.n - g.n, amount = k.amount - g.amount FROM gone g`}, false},
		{"an amount is NaN", "I-12",
			[]string{`ALTER DOMAIN amount DROP CONSTRAINT amount_check`,
				`UPDATE transaction_items SET tax_amount_calculated = 'NaN'`}, false},
		{"a column has no scale", "I-12",
			[]string{`ALTER TABLE nexus_counters ALTER COLUMN resale_amount TYPE numeric`}, false},
		{"an audit row is missing", "I-15 every accepted change",
			[]string{`DELETE FROM audit WHERE ` + of("entity_id") + done + `)`}, false},
		{"an audit row does not say who", "I-15 every accepted change",
			[]string{`UPDATE audit SET api_key_id = NULL WHERE ` + of("entity_id") + done + `)`}, false},
		{"a change has two audit rows", "I-15 every accepted change", []string{`INSERT INTO audit
			SELECT (jsonb_populate_record(a, '{"id":"again"}')).*
			FROM audit a
			WHERE ` + of("entity_id") + done + `)`}, false},
		{"an event is missing", "I-16",
			[]string{`DELETE FROM events WHERE type = 'transaction.processed' AND ` + of("object_id") + done + `)`},
			false},
		{"an event is there twice", "I-16", []string{`INSERT INTO events (organization_id, type, object_id, record)
			SELECT organization_id, type, object_id, record
			FROM events
			WHERE type = 'transaction.created' AND ` + of("object_id") + done + `)`}, false},
	}
	noticed := map[string]bool{}
	for _, c := range cases {
		found := violationsAfter(t, bed, moment{quiet: c.quiet, ledger: ledger}, c.statements)
		id := named(t, c.violated)
		require.Contains(t, found, id, "%s: found %v", c.name, found)
		noticed[id] = true
		t.Logf("%-40s noticed by %q", c.name, id)
	}
	require.Len(t, noticed, len(invariants)+1, "every invariant has a case")
	requireInvariants(t, bed, moment{ledger: ledger}) // every violation was rolled back

	// What the comparison during a run finds: accepted sales that are missing, and sales of another amount.
	there, wrong, err := compareWithSent(t.Context(), bed, append(ledger.since(0),
		entry{Kind: kindSale, ID: "GONE", N: 9, Outcome: accepted}, entry{Kind: kindSale, ID: "ORDER-1", N: 3,
			Outcome: accepted}))
	require.NoError(t, err)
	require.Equal(t, 3, there, "ORDER-0, 2 and 3")
	require.Len(t, wrong, 2)
}

// named is the one invariant whose name has a prefix.
func named(t *testing.T, prefix string) string {
	t.Helper()
	var ids []string
	for _, i := range append(allInvariants(), invariant{id: integrity.AmountsHold}) {
		if strings.HasPrefix(i.id, prefix) {
			ids = append(ids, i.id)
		}
	}
	require.Len(t, ids, 1, prefix)
	return ids[0]
}

// violationsAfter executes statements, checks the invariants and rolls everything back.
func violationsAfter(t *testing.T, bed *testbed.Bed, at moment, statements []string) map[string][]string {
	t.Helper()
	ctx := context.Background()
	tx, err := bed.DB.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(ctx) }()
	require.NoError(t, at.ledger.load(ctx, tx))
	at.ledger = &ledger{organizationID: at.ledger.organizationID} // loaded already
	for _, sql := range append([]string{"SET LOCAL session_replication_role = replica"},
		statements...) { // some of which the database would refuse
		_, err := tx.Exec(ctx, sql)
		require.NoError(t, err, sql)
	}
	found, err := violations(ctx, tx, at)
	require.NoError(t, err)
	return found
}
