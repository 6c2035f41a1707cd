package faults_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// guardOfRecords is a guard of the schema, the statement that it must refuse, and the invariant that is violated without
// it.
type guardOfRecords struct {
	table, name string
	kind        string   // what to drop: INDEX, CONSTRAINT or TRIGGER
	before      []string // statements that are allowed and prepare the case
	statement   string
	violated    string
}

const (
	index, constraint, trigger = "INDEX", "CONSTRAINT", "TRIGGER"

	// held takes the lock of the registration, as everything does that changes the status of filings.
	held = `pg_advisory_xact_lock(10, hashtext(registration_id)) IS NOT NULL`

	anotherFiling = `INSERT INTO filings (` + insertable + `) SELECT `
)

var guardsOfRecords = []guardOfRecords{
	{
		"transactions", "transactions_external_id", index, nil,
		`UPDATE transactions SET external_id = (SELECT min(external_id) FROM transactions)`, "I-1 an external id",
	},
	{
		"transactions", "transactions_processing_moves", trigger, nil,
		`UPDATE transactions
		    SET processing_status = 'PROCESSED', filing_id = NULL
		  WHERE processing_status = 'LOCKED'`, "I-6 return lines",
	},
	{
		"transactions", "transactions_of_filings_stay", trigger,
		[]string{
			`DELETE FROM transaction_items`, `DELETE FROM transaction_addresses`, `DELETE FROM transaction_stages`,
			`DELETE FROM transaction_explanations`,
			`DELETE FROM nexus_contributions`, `DELETE FROM transaction_totals`,
		},
		`DELETE FROM transactions WHERE filing_id IS NOT NULL`, "I-6 return lines",
	},
	{
		"transactions", "transactions_of_filings_keep_id", trigger,
		[]string{
			`DELETE FROM transaction_items`, `DELETE FROM transaction_addresses`, `DELETE FROM transaction_stages`,
			`DELETE FROM transaction_explanations`,
			`DELETE FROM nexus_contributions`, `DELETE FROM transaction_totals`,
		},
		`UPDATE transactions SET id = id || 'x' WHERE filing_id IS NOT NULL`, "I-6 return lines",
	},
	{
		"filing_transactions", "filing_transactions_once", index, nil,
		`INSERT INTO filing_transactions SELECT (jsonb_populate_record(m, jsonb_build_object('filing_id', f.id))).*
		   FROM filing_transactions m, filings f WHERE f.filing_category = 'AMENDMENT'`, "I-7",
	},
	{
		"filing_transactions", "filing_transactions_added", trigger, nil,
		`INSERT INTO filing_transactions SELECT (jsonb_populate_record(m, '{"transaction_id": "txn_nobody"}')).*
		   FROM filing_transactions m`, "I-6 return lines",
	},
	{
		"filing_transactions", "filing_transactions_changed", trigger, nil,
		`UPDATE filing_transactions SET transaction_id = 'txn_nobody'`, "I-6 return lines",
	},
	{
		"filings", "filings_with_members_stay", trigger,
		[]string{
			`UPDATE filings SET amends_filing_id = NULL`, `DELETE FROM filing_causes`, `DELETE FROM filing_releases`,
			`DELETE FROM filing_reports`,
			`DELETE FROM filing_jurisdictions`, `DELETE FROM filing_rates`, `DELETE FROM filing_figures`,
			`DELETE FROM filing_freezes`, `DELETE FROM filing_documents`,
		},
		`DELETE FROM filings WHERE status = 'FILED'`, "I-6 return lines",
	},
	{
		"filings", "filings_regular", constraint, []string{`UPDATE filings SET planned = false`},
		anotherFiling + copied("again") + ` FROM filings WHERE status = 'FILED'`, "I-8 each day",
	},
	{
		"filings", "filings_planned_once", index,
		[]string{`UPDATE filings SET status = 'CANCELLED' WHERE status = 'UNFILED' AND planned AND ` + held},
		anotherFiling + copied("again") + ` FROM filings WHERE status = 'CANCELLED' AND planned LIMIT 1`, "I-8 each period",
	},
	{
		"filings", "filings_open_amendment", index, nil,
		anotherFiling + copied("again") + ` FROM filings WHERE filing_category = 'AMENDMENT'`, "I-8 a return",
	},
	{
		"filings", "filings_claimed", constraint, nil,
		`UPDATE filings SET claimed_at = NULL WHERE status = 'FILED'`, "I-6 return lines",
	},
	{
		"filings", "filings_status_moves", trigger, nil,
		`UPDATE filings SET status = 'CANCELLED', claimed_at = NULL, filed_at = NULL WHERE status = 'FILED' AND ` +
			held, "I-6 return lines",
	},
	{
		"filings", "filings_report_fixed", trigger, nil,
		`UPDATE filings SET report_hash = NULL WHERE status = 'FILED'`, "I-9 what is filed",
	},
	{
		"sandbox_submissions", "sandbox_submissions_pkey", constraint, nil,
		`INSERT INTO sandbox_submissions SELECT * FROM sandbox_submissions WHERE kind = 'RETURN'`, "I-9 what is filed",
	},
	{
		"registrations", "registrations_open", index, nil,
		`INSERT INTO registrations SELECT (jsonb_populate_record(r, '{"id": "regs_again"}')).*
		   FROM registrations r`, "I-9 each jurisdiction",
	},
	{
		"organizations", "organizations_name", index, nil,
		`INSERT INTO organizations SELECT (jsonb_populate_record(o, '{"id": "org_again"}')).* FROM organizations o
		  WHERE parent_organization_id IS NOT NULL AND status = 'ACTIVE'`, "I-13 a name",
	},
	{
		"onboardings", "onboardings_status_moves", trigger, nil,
		`UPDATE onboardings SET status = 'IN_PROGRESS' WHERE status = 'COMPLETED'`, "I-13 who is on",
	},
	{
		"api_keys", "api_keys_hash", index, nil,
		`UPDATE api_keys SET hash = (SELECT hash FROM api_keys ORDER BY id LIMIT 1)`, "I-14 a hash",
	},
	{
		"nexus_counters", "nexus_counters_amount_check", constraint, nil,
		`UPDATE nexus_counters SET amount = 'NaN'`, "I-12",
	},
}

// needGuards drops one guard of the schema after the other: with it the database refuses the statement and names the
// guard; without it an invariant is violated.
func needGuards(t *testing.T, bed *testbed.Bed, ledger *ledger) {
	t.Helper()
	for _, g := range guardsOfRecords {
		_, err := carriedOut(t, bed, ledger, g, false)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, "%s does not refuse", g.name)
		if g.kind != trigger { // the errors of triggers name the record
			require.Equal(t, g.name, refused.ConstraintName)
		}
		found, err := carriedOut(t, bed, ledger, g, true)
		require.NoError(t, err, "without %s", g.name)
		id := named(t, g.violated)
		require.Contains(t, found, id, "without %s: found %v", g.name, found)
		t.Logf("%-35s noticed by %q", g.name, id)
	}
}

// carriedOut executes the statement of a guard, with or without the guard, checks the invariants and rolls everything
// back.
func carriedOut(
	t *testing.T, bed *testbed.Bed, ledger *ledger, g guardOfRecords, without bool,
) (map[string][]string, error) {
	t.Helper()
	ctx := context.Background()
	tx, err := bed.DB.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(ctx) }()
	var preparation []string
	switch {
	case without && g.kind == index:
		preparation = append(preparation, "DROP INDEX "+g.name)
	case without && g.kind == trigger:
		preparation = append(preparation, "ALTER TABLE "+g.table+" DISABLE TRIGGER "+g.name)
	case without:
		preparation = append(preparation, "ALTER TABLE "+g.table+" DROP CONSTRAINT "+g.name)
	}
	for _, sql := range append(preparation, g.before...) {
		_, err := tx.Exec(ctx, sql)
		require.NoError(t, err, "%s: %s", g.name, sql)
	}
	if _, err := tx.Exec(ctx, g.statement); err != nil {
		return nil, err
	}
	return violations(ctx, tx, moment{quiet: true, ledger: ledger})
}
