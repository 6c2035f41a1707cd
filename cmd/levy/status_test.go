package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// levyOn runs a command on a database; there is no Temporal.
func levyOn(t *testing.T, database string, args ...string) (string, error) {
	t.Helper()
	var out, log bytes.Buffer
	err := run(t.Context(), args, []string{
		"LEVY_DATABASE_URL=" + database, "LEVY_TEMPORAL_ADDRESS=127.0.0.1:1",
	}, &out, &log)
	return out.String(), err
}

// The status shows an operator the pending work and its reasons, and a command makes it due.
func TestStatusShowsPendingWorkAndMakesItDue(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	refs := b.Accepted(t, 3)
	filing := b.January(t, models.FilingUnfiled)
	im := b.Queued(t, "external_id\nA\n")
	do := func(sql string, args ...any) {
		t.Helper()
		storetest.Execute(t, b.URL, sql, args...)
	}
	endpoint := models.NewID(models.PrefixWebhook)
	do(`INSERT INTO webhook_endpoints (organization_id, id, url, status, include_clients, signature_scheme, secret,
		  created_at, updated_at, next_check_at, rests_until)
		VALUES ($1, $2, 'https://example.com', 'ENABLED', false, 'v1', $3, now(), now(), now() + interval '1 minute',
		  now() + interval '1 minute')`, b.Scope.OrganizationID, endpoint, append([]byte{1}, make([]byte, 60)...))
	do("UPDATE onboardings SET next_check_at = now() + interval '10 minutes'")
	do("UPDATE registrations SET next_check_at = now() + interval '1 hour', changed = false")
	do("UPDATE filings SET next_check_at = now() - interval '1 hour'")
	do("UPDATE transaction_imports SET status = 'RUNNING', next_check_at = now() + interval '1 minute'")
	do(`UPDATE outbox SET attempts = 12, last_error = 'database_23514', batch_id = 'batc_1',
		  next_attempt_at = now() + interval '5 minutes'
		WHERE aggregate_id = $1`, refs[0].ID)
	do(`UPDATE outbox
		SET next_attempt_at = now() - interval '10 minutes', created_at = now() - interval '10 minutes'
		WHERE aggregate_id = $1`, refs[1].ID)
	do("UPDATE outbox SET waits_for = $2, created_at = now() - interval '3 hours' WHERE aggregate_id = $1", refs[2].ID,
		refs[0].ID)
	do(`INSERT INTO nexus_changes (organization_id, country_code, state_code, n, pending, due_at)
		VALUES ($1, 'US', 'WY', 1, true, now() - interval '30 minutes')`, b.Scope.OrganizationID)
	do("UPDATE nexus_changes SET pending = false WHERE state_code <> 'WY'")
	do("UPDATE engine_checks SET done_at = now() - interval '1 hour'")
	do(`INSERT INTO filing_recomputations (organization_id, filing_id, transactions, completed)
		SELECT organization_id, id, 1500, 12 FROM filings`)
	do(`INSERT INTO transaction_totals (organization_id, transaction_id, epoch, country_code, state_code, member_code, tax_date,
		  marketplace, currency, sales, taxable, tax, collected, liability)
		SELECT organization_id, id, epoch, 'US', 'TX', 'US', '2026-01-10', false, 'USD', 1, 1, 0, 0, 0 FROM transactions
		WHERE id = $1`, refs[0].ID)

	said, err := levyOn(t, b.URL, "status")
	require.ErrorIs(t, err, errAlarms)
	require.Equal(t, 1, exitCode(err))
	for _, words := range []string{
		"does not answer; a worker got its last task 60 min ago",
		"2 wait to be processed, the oldest for 10 min; 1 due and not taken",
		"1 of them were tried ten times or more", "1 of them failed with database_23514, one of them tried 12 times",
		"1 wait for their original, the oldest for 3 h",
		"1 open (1 not filed yet); 1 due and not taken, one of them for 60 min",
		"- Temporal does not answer", "- 1 transaction is due and not taken",
		"- 1 of the transactions failed ten times or more", "- 1 filing is due and not taken",
		"task queues get no tasks: ", "0 deliveries wait",
		"1 places wait to be evaluated; 1 due and not taken, one of them for 30 min; 0 obligations wait to be applied; " +
			"recounts have put 0 numbers right",
		"LevyWorkDoesNotEnd: ", "LevyNoWorkHandedOut: ", "LevyWorkFailsAgain: ", "LevyRecordsNotTaken: ",
		"LevyTemporalDoesNotAnswer: ", "LevyNoBackup: ", " (docs/operations/README.md#no-backup)\n",
		"- Alarms hold: the entry of each, named above, says what to do.",
		"0 of 1 that were open at the upgrade are recomputed; 12 of their 1500 transactions have changed",
		"1 totals of an earlier release wait for theirs, and 0 claimed returns",
		"- Of nexus 1 place is due and not evaluated",
	} {
		require.Contains(t, said, words)
	}
	text, err := levyOn(t, b.URL, "status", "--json")
	require.ErrorIs(t, err, errAlarms)
	var found installation
	require.NoError(t, json.Unmarshal([]byte(text), &found))
	require.True(t, found.Migrated)
	require.False(t, found.Temporal.Answers || found.Temporal.Dispatches)
	require.EqualValues(t, 1, found.Waiting.Outbox.Refunds.Rows)
	require.Equal(t, []models.WaitingFailure{{Code: "database_23514", Rows: 1, Attempts: 12}}, found.Waiting.Outbox.Errors)
	advice := slices.DeleteFunc(found.Advice, func(said string) bool {
		return strings.HasPrefix(said, "The rates of ") // it depends on the day of the test
	})
	require.Len(t, advice, 5)

	for _, nonsense := range [][]string{
		{"requeue", "filings"}, {"requeue", "filings", filing.ID, "--all"}, {"requeue", "filings", refs[0].ID},
		{"requeue", "customers", "--all"}, {"requeue", "transactions", "txn_1"},
	} {
		_, err := levyOn(t, b.URL, nonsense...)
		require.Error(t, err, nonsense)
	}
	said, err = levyOn(t, b.URL, "requeue", "transactions", refs[0].ID, refs[2].ID)
	require.ErrorContains(t, err, "not among the transactions that wait: "+refs[2].ID)
	require.Equal(t, "1 transaction is due now\n", said)
	require.Equal(t, 1, b.Count(t,
		`SELECT count(*) FROM outbox WHERE aggregate_id = $1 AND next_attempt_at <= now() AND attempts = 0
		    AND batch_id IS NULL`, refs[0].ID))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM outbox WHERE waits_for = $1", refs[0].ID),
		"a refund goes on waiting")
	do("UPDATE outbox SET attempts = 3, next_attempt_at = now() + interval '5 minutes' WHERE aggregate_id = $1",
		refs[0].ID)
	said, err = levyOn(t, b.URL, "requeue", "transactions", "--all")
	require.NoError(t, err)
	require.Equal(t, "1 transaction is due now\n", said, "the others have no pause")
	do("UPDATE webhook_endpoints SET paused_until = now() + interval '1 hour'")
	do(`INSERT INTO webhook_deliveries (organization_id, endpoint_id, id, event_organization_id, sequence, event_at, type,
		  next_attempt_at)
		SELECT $1, $2, 'del_' || n, $1, n, now(), 'filing.filed', now() + n * interval '1 minute'
		  FROM unnest(ARRAY[1, 60]) n`, b.Scope.OrganizationID, endpoint)
	for kind, c := range map[string]struct{ id, due string }{
		models.WaitingFilings: {filing.ID,
			"SELECT count(*) FROM filings WHERE next_check_at BETWEEN now() - interval '1 minute' AND now()"},
		models.WaitingRegistrations: {b.Registration.ID,
			"SELECT count(*) FROM registrations WHERE next_check_at <= now() AND changed"},
		models.WaitingImports: {im.ID, "SELECT count(*) FROM transaction_imports WHERE next_check_at <= now()"},
		models.WaitingOnboardings: {b.Scope.OrganizationID,
			"SELECT count(*) FROM onboardings WHERE next_check_at <= now()"},
		models.WaitingWebhooks: {endpoint,
			`SELECT count(*) FROM webhook_endpoints w JOIN webhook_deliveries d ON d.endpoint_id = w.id
			  WHERE w.next_check_at <= now() AND coalesce(w.rests_until, w.paused_until) IS NULL
			    AND d.next_attempt_at <= now()`},
	} {
		require.Zero(t, b.Count(t, c.due), kind)
		said, err := levyOn(t, b.URL, "requeue", kind, c.id)
		require.NoError(t, err, kind)
		require.Equal(t, "1 "+strings.TrimSuffix(kind, "s")+" is due now\n", said)
		require.Equal(t, 1, b.Count(t, c.due), kind)
		said, err = levyOn(t, b.URL, "requeue", kind, "--all")
		require.NoError(t, err, kind)
		require.Equal(t, "1 "+strings.TrimSuffix(kind, "s")+" is due now\n", said)
	}
	do("UPDATE filings SET next_check_at = NULL")
	said, err = levyOn(t, b.URL, "requeue", "filings", "--all")
	require.NoError(t, err)
	require.Equal(t, "0 filings are due now\n", said, "nothing is left to do")

	pauses := "UPDATE %s SET next_%s_at = now() + interval '5 minutes'"
	do(fmt.Sprintf(pauses, "outbox", "attempt")+", attempts = 3 WHERE aggregate_id = $1", refs[0].ID)
	do(fmt.Sprintf(pauses, "transaction_imports", "check"))
	require.NoError(t, requeueAll(t.Context(), Config{DatabaseURL: Secret(b.URL), DatabaseConnections: 2}))
	require.Equal(t, 2, b.Count(t, `SELECT (SELECT count(*) FROM outbox WHERE aggregate_id = $1 AND next_attempt_at <= now())
		+ (SELECT count(*) FROM transaction_imports WHERE next_check_at <= now())`, refs[0].ID))

	require.Contains(t, text, `"schema_is_newer": false`)
	do("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)")
	said, err = levyOn(t, b.URL, "status")
	require.ErrorIs(t, err, errAlarms)
	require.Contains(t, said, "answers, its schema is of a newer release than this program")
}

// A database out of reach is named, without the login to it.
func TestACommandNamesTheDatabaseThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	_, err := levyOn(t, "postgres://u:secret@127.0.0.1:1/levy", "status")
	require.EqualError(t, err, "service unavailable: database does not answer (LEVY_DATABASE_URL names 127.0.0.1:1)")
	require.Equal(t, 2, exitCode(err), "it cannot tell")
}

// Failures of records are described in words, with the place where people find the cause: nobody has to query tables.
func TestAdviceNamesThePageOfTheConsole(t *testing.T) {
	t.Parallel()
	found := installation{
		Migrated: true, Temporal: temporalState{Answers: true, Dispatches: true},
		Waiting: withTimes(models.Waiting{Records: []models.WaitingRecords{
			{Kind: models.WaitingFilings, ByStatus: map[string]int64{string(models.FilingIssue): 1}},
			{Kind: models.WaitingImports, ByStatus: map[string]int64{string(models.ImportFailed): 2}},
		}}),
	}.advise()
	require.Equal(t, []string{
		"1 return is stopped by an issue: the page of the return in the console says why. Correct that, and retry it there.",
		"2 imports are stopped by an error: the page of the import in the console says why. Resume it there; it goes on " +
			"where it stopped.",
	}, found)
}

// Statuses and reasons are said in the words of the console: codes are for programs, which read JSON.
func TestStatusesAreSaidInWords(t *testing.T) {
	t.Parallel()
	i := installation{
		Migrated: true, Webhooks: webhookState{Disabled: map[string]int64{models.WebhookFailing: 2}},
		Waiting: withTimes(models.Waiting{Records: []models.WaitingRecords{
			{Kind: models.WaitingFilings, Open: 4, ByStatus: map[string]int64{
				string(models.FilingFiling): 1, string(models.FilingUnfiled): 3,
			}},
			{Kind: models.WaitingWebhooks},
		}}),
	}
	var said []string
	for _, line := range i.lines() {
		said = append(said, line.Text)
	}
	require.Contains(t, said, "4 open (1 with the authority, 3 not filed yet)")
	require.Contains(t, said, "0 deliveries wait; 2 disabled (no success for five days)")
}

func TestStatusWithoutPendingWork(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	i := installation{
		Migrated: true, Content: "2026.11.1", Temporal: temporalState{Answers: true, Dispatches: true, Queues: 7,
			HeartbeatAge: 12e9},
		Recorded: contentState{Age: 180_000, Newest: "2026.12.1"},
		Waiting:  withTimes(models.Waiting{Records: []models.WaitingRecords{{Kind: models.WaitingFilings}}}),
		Mails:    &models.MailState{Waiting: 3, Failed: 1, Failure: "the mail server refused the message (SMTP 550)"},
	}
	i.Advice = i.advise()
	require.NoError(t, i.print(&out))
	require.Equal(t, `PostgreSQL    answers, its schema is up to date
Temporal      answers; a worker got its last task 12 s ago
workers       7 task queues, all of which get tasks
Tax content   2026.11.1, known here for 2 days; 2026.12.1 is recorded and not in force: levy content diff
last backup   none was ever taken
wrapped keys  were never saved apart from backups
transactions  0 wait to be processed
refunds       0 wait for their original
filings       0 open
e-mails       3 wait to be sent; 1 were not sent in the last week (the last: the mail server refused the message (SMTP 550))
nexus         0 places wait to be evaluated; 0 obligations wait to be applied; recounts have put 0 numbers right
nights        changes of each organization were checked in the last 0 s; 0 records violate a rule
              full passes have compared 0 of about 0 pages, the oldest for 0 s
alarms        none

Nothing needs you.
`, out.String())
	i.Alarms = []models.Alarm{
		{Name: "LevyNoBackup", Summary: "No backup", Runbook: "docs/a.md#b"}, {Name: "LevyLate", Summary: "Late", Runbook: "docs/a.md#c"},
	}
	out.Reset()
	require.NoError(t, i.print(&out))
	_, end, _ := strings.Cut(out.String(), "\nalarms")
	require.Equal(t, `        LevyNoBackup: No backup (docs/a.md#b)
              LevyLate: Late (docs/a.md#c)

What needs you:
- Alarms hold: the entry of each, named above, says what to do.
`, end)
}
