package faults_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// populated returns an installation with every record that the invariants are about: a filed return, an amendment with a
// late sale, a client that was onboarded and one that cancelled, a key that works and one that is revoked, a presence
// and one that has ended.
func populated(t *testing.T) (*testbed.Bed, *ledger) {
	t.Helper()
	bed := testbed.New(t, testbed.Options{})
	bed.Exec("UPDATE organizations SET is_test = true WHERE id = $1", bed.OrganizationID)
	ledger := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	l := &load{bed: bed, apis: []*testbed.Service{bed.API}, ledger: ledger, codes: map[string]int{}}
	step := func(a actor, done func() bool) {
		bed.Eventually("an actor has done its part", func(context.Context) (bool, error) {
			return a.step() || done(), errors.New(strings.Join(l.findings(), "\n"))
		})
	}
	f := &filer{load: l, random: l.random(1)}
	step(f, func() bool { return f.amends && f.phase == phaseApprove })
	for i, leaves := range []int{0, 4} {
		c := &onboardingClient{load: l, random: l.random(2), name: fmt.Sprintf("Client %d", i), next: 1, leaves: leaves}
		l.clients = append(l.clients, c)
		step(c, func() bool { return false })
	}
	k := &keyManager{load: l, random: l.random(3), last: false}
	step(k, func() bool { return k.current != nil && !k.current.revoked.IsZero() })
	k.current = nil
	step(k, func() bool { return k.current != nil && k.current.used })
	p := &presenceClient{load: l, random: l.random(4)}
	step(p, func() bool { return p.n == 1 && p.present })
	require.Empty(t, strings.Join(l.wrong, "\n"))
	requireProcessed(t, bed, bed.Count("SELECT count(*) FROM transactions"))
	l.requireSettled()
	bed.Worker.Stop()
	bed.API.Stop()
	return bed, ledger
}

func TestRecords(t *testing.T) {
	t.Parallel()
	bed, ledger := populated(t)
	requireInvariants(t, bed, moment{quiet: true, ledger: ledger})
	t.Run("the checker notices every violation", func(t *testing.T) { reportViolations(t, bed, ledger) })
	t.Run("every guard of the database is needed", func(t *testing.T) { needGuards(t, bed, ledger) })
	requireInvariants(t, bed, moment{quiet: true, ledger: ledger}) // every violation was rolled back
}

// reportViolations violates each invariant of the records and checks that exactly this one is among those reported.
func reportViolations(t *testing.T, bed *testbed.Bed, ledger *ledger) {
	t.Helper()
	const (
		filed     = `status = 'FILED'`
		completed = `(SELECT organization_id FROM onboardings WHERE status = 'COMPLETED')`
		gone      = `(SELECT organization_id FROM onboardings WHERE status = 'CANCELLED')`
		again     = `(jsonb_populate_record(x, '{"id": "again"}')).*`
	)
	noticed := map[string]bool{}
	for _, c := range []struct {
		name, violated string
		statements     []string
	}{
		{"a filing is a cent too high", "I-6 a filing",
			[]string{`UPDATE filings SET amount_sales = amount_sales + 0.01 WHERE ` + filed}},
		{"a filing counts one too few", "I-6 a filing", []string{`UPDATE filings SET transaction_count = 0 WHERE ` + filed}},
		{"a return line is gone", "I-6 a filing", []string{`DELETE FROM filing_transactions`}},
		{"a jurisdiction gets a cent too much", "I-6 the jurisdictions",
			[]string{`UPDATE filing_jurisdictions SET tax = tax + 0.01 WHERE position = 1`}},
		{"the figures of a return say a cent too much", "I-6 the figures of a return",
			[]string{`UPDATE filing_figures SET gross = gross + 0.01`}},
		{"a return line is of another period", "I-6 return lines", []string{`UPDATE transactions SET tax_date = '2020-01-01'`}},
		{"a return line is of another registration", "I-6 return lines",
			[]string{`UPDATE filing_transactions SET registration_id = 'other'`}},
		{"a transaction changed after it was claimed", "I-6 return lines", []string{`UPDATE transactions SET epoch = epoch + 1`}},
		{"a return line has no transaction", "I-6 return lines", []string{`UPDATE filing_transactions SET transaction_id = 'txn'`}},
		{"a sale is locked for a filing that does not have it", "I-6 whatever",
			[]string{`UPDATE transactions SET processing_status = 'LOCKED' WHERE filing_id IS NULL`}},
		{"a return takes off what nobody prepaid", "I-6 what a return has taken off",
			[]string{`UPDATE filings SET amount_prepaid = 0.01 WHERE ` + filed}},
		{"a credit is used that no return took off", "I-6 a credit",
			[]string{`ALTER TABLE filings DROP CONSTRAINT filings_credit_used`, `UPDATE filings SET credit_used = 0.01 WHERE ` + filed}},
		{"a return carries a credit and uses one", "I-6 a return that is settled",
			[]string{`UPDATE filings SET settled = true, amount_credit_carried = 1, amount_credit_applied = 1 WHERE ` + filed}},
		{"a sale is returned twice", "I-7", []string{`DROP INDEX filing_transactions_once`,
			`INSERT INTO filing_transactions SELECT (jsonb_populate_record(m, jsonb_build_object('filing_id', f.id))).*
			   FROM filing_transactions m, filings f
			  WHERE f.filing_category = 'AMENDMENT'`}},
		{"two returns share a day", "I-8 each day",
			[]string{`ALTER TABLE filings DROP CONSTRAINT filings_regular`, `UPDATE filings SET planned = false`,
				`INSERT INTO filings (` + insertable + `) SELECT ` + copied("again") + ` FROM filings WHERE ` + filed}},
		{"a period is planned twice", "I-8 each period",
			[]string{`ALTER TABLE filings DROP CONSTRAINT filings_regular`, `DROP INDEX filings_planned_once`,
				`INSERT INTO filings (` + insertable + `) SELECT ` + copied("again") + ` FROM filings WHERE ` + filed}},
		{"a return has two open amendments", "I-8 a return",
			[]string{`DROP INDEX filings_open_amendment`, `INSERT INTO filings (` + insertable + `) SELECT ` +
				copied("again") + ` FROM filings WHERE filing_category = 'AMENDMENT'`}},
		{"a sale of a filed period is in no return", "I-9 nothing",
			[]string{`DELETE FROM filing_transactions`,
				`UPDATE filings SET status = 'CANCELLED' WHERE filing_category = 'AMENDMENT'`}},
		{"nobody amends what came late", "I-9 whatever",
			[]string{`INSERT INTO late_transactions (organization_id, registration_id, transaction_id)
				SELECT organization_id, 'r', id
				FROM transactions`}},
		{"a return has no seal", "I-9 what is filed", []string{`UPDATE filings SET report_hash = NULL`}},
		{"a return was handed over twice", "I-9 what is filed",
			[]string{`INSERT INTO sandbox_submissions
				SELECT (jsonb_populate_record(s, jsonb_build_object('attempt', s.attempt + 100))).*
				FROM sandbox_submissions s
				WHERE kind = 'RETURN'`}},
		{"a jurisdiction has two registrations", "I-9 each jurisdiction",
			[]string{`DROP INDEX registrations_open`, `INSERT INTO registrations SELECT ` + again +
				` FROM registrations x`}},
		{"a registration was lost", "I-9 every accepted", []string{`UPDATE registrations SET state_code = 'XX'`}},
		{"an approval was lost", "I-9 every accepted", []string{`UPDATE filings SET approved_at = NULL`}},
		{"a step was left out", "I-13 steps",
			[]string{`UPDATE onboarding_steps SET completed_at = NULL WHERE number = 5 AND organization_id = ` +
				completed}},
		{"an onboarding skipped ahead", "I-13 steps",
			[]string{`UPDATE onboardings SET completed = 6 WHERE organization_id = ` + gone}},
		{"an onboarding in progress has no next check", "I-13 who is on",
			[]string{`UPDATE onboardings SET status = 'IN_PROGRESS', completed = 7 WHERE organization_id = ` +
				completed}},
		{"an onboarding is not compensated to the end", "I-13 who is on",
			[]string{`UPDATE onboardings SET compensation_finished_at = NULL WHERE organization_id = ` + gone}},
		{"an archived client is active", "I-13 nothing is left",
			[]string{`UPDATE organizations SET status = 'ACTIVE' WHERE id = ` + gone}},
		{"a key of an archived client works", "I-13 nothing is left",
			[]string{`UPDATE api_keys SET revoked_at = NULL WHERE organization_id = ` + gone}},
		{"secrets of an archived client can be read", "I-13 nothing is left",
			[]string{`UPDATE data_keys SET organization_id = ` + gone}},
		{"a step of an archived client is not compensated", "I-13 nothing is left",
			[]string{`UPDATE onboarding_steps SET compensated_at = NULL WHERE number = 4`}},
		{"an onboarded client has no bank details", "I-13 an onboarded", []string{`DELETE FROM bank_details`}},
		{"two active clients have one name", "I-13 a name", []string{`DROP INDEX organizations_name`,
			`INSERT INTO organizations SELECT ` + again +
				` FROM organizations x WHERE parent_organization_id IS NOT NULL AND status = 'ACTIVE'`}},
		{"an accepted client does not exist", "I-13 every client",
			[]string{`UPDATE organizations SET name = 'other' WHERE id = ` + completed}},
		{"a client that stayed is gone", "I-13 every client",
			[]string{`UPDATE organizations SET status = 'ARCHIVED' WHERE id = ` + completed}},
		{"an accepted step was not done", "I-13 every accepted",
			[]string{`UPDATE onboarding_steps SET attempts = 0 WHERE number = 7`}},
		{"a step was done once more than it was sent", "I-13 every accepted",
			[]string{`UPDATE onboarding_steps SET attempts = 9 WHERE number = 3`}},
		{"a key that was shown does not exist", "I-14 a key", []string{`DELETE FROM api_keys WHERE name = 'KEY-0-1'`}},
		{"a key works again", "I-14 a key", []string{`UPDATE api_keys SET revoked_at = NULL`}},
		{"a key ends by itself", "I-14 a key", []string{`UPDATE api_keys SET revoked_at = now() WHERE name = 'KEY-0-1'`}},
		{"a presence was made twice", "I-11 a presence",
			[]string{`INSERT INTO physical_nexus SELECT ` + again + ` FROM physical_nexus x`}},
		{"a presence was lost", "I-11 a presence", []string{`DELETE FROM physical_nexus`}},
		{"two keys are one", "I-14 a hash",
			[]string{`DROP INDEX api_keys_hash`, `UPDATE api_keys SET hash = (SELECT hash FROM api_keys LIMIT 1)`}},
		{"a registration has no audit row", "I-15 every record",
			[]string{`DELETE FROM audit WHERE entity_type = 'registration' AND action = 'create'`}},
		{"a revocation has two audit rows", "I-15 every record",
			[]string{`INSERT INTO audit SELECT ` + again +
				` FROM audit x WHERE entity_type = 'api_key' AND action = 'revoke'`}},
		{"a step has no audit row", "I-15 every accepted step", []string{`DELETE FROM audit WHERE entity_type = 'bank_details'`}},
		{"an undo has two audit rows", "I-15 every accepted step",
			[]string{`INSERT INTO audit SELECT ` + again + ` FROM audit x WHERE action = 'undo' LIMIT 1`}},
		{"a registration has no event", "I-17 every record",
			[]string{`DELETE FROM events WHERE type = 'registration.created'`}},
		{"a customer has two events", "I-17 every record",
			[]string{`INSERT INTO events (organization_id, type, object_id, record)
				SELECT organization_id, type, object_id, record
				FROM events
				WHERE type = 'customer.created'`}},
		{"a filed return has no event", "I-17 every end",
			[]string{`DELETE FROM events WHERE type = 'filing.filed'`}},
		{"a compensated step has no event", "I-17 every change", []string{`DELETE FROM events WHERE type = 'onboarding.updated'`}},
		{"an archived sale is active", "I-1 what is archived",
			[]string{`INSERT INTO ledger (organization_id, kind, external_id, outcome)
				SELECT organization_id, 'archiving of a sale', external_id, 'ok'
				FROM ledger
				WHERE kind = 'sale'`}},
		{"an active sale is archived", "I-1 what is archived", []string{`UPDATE transactions SET status = 'ARCHIVED'`}},
		{"an accepted credit note does not exist", "I-1 every accepted credit",
			[]string{`INSERT INTO ledger (organization_id, kind, external_id, outcome)
				SELECT organization_id, 'credit note', 'NOTE', 'ok'
				FROM ledger LIMIT 1`}},
	} {
		found := violationsAfter(t, bed, moment{quiet: true, ledger: ledger}, c.statements)
		id := named(t, c.violated)
		require.Contains(t, found, id, "%s: found %v", c.name, found)
		noticed[id] = true
		t.Logf("%-50s noticed by %q", c.name, id)
	}
	for _, i := range recordInvariants {
		require.True(t, noticed[i.id], "no case for %s", i.id)
	}
}

// insertable are the columns of a filing that are not generated; copied selects them for a copy with another id.
const insertable = `organization_id, id, registration_id, country_code, state_code, start_date, end_date,
	status, filing_category, currency, amends_filing_id, planned, claimed_at, filed_at, date_filed, created_at, updated_at`

func copied(id string) string {
	return `organization_id, '` + id +
		`', registration_id, country_code, state_code, start_date, end_date,
	status, filing_category, currency, amends_filing_id, planned, claimed_at, filed_at, date_filed, created_at, updated_at`
}
