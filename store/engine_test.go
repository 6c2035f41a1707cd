package store_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/workflows"
)

// One process checks for all, and records when it last succeeded.
func TestOneProcessChecksTemporalForAll(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	lease := func() bool {
		due, err := b.Store.Engine.LeaseCheck(t.Context(), models.CheckHeartbeat, time.Minute)
		require.NoError(t, err)
		return due
	}
	age := func() time.Duration {
		age, err := b.Store.Engine.CheckAge(t.Context(), models.CheckHeartbeat)
		require.NoError(t, err)
		return age
	}
	require.True(t, lease())
	require.False(t, lease(), "another process checks")
	storetest.Execute(t, b.URL, "UPDATE engine_checks SET due_at = now(), done_at = now() - interval '1 hour'")
	require.True(t, lease())
	require.GreaterOrEqual(t, age(), time.Hour)
	require.NoError(t, b.Store.Engine.NoteCheck(t.Context(), models.CheckHeartbeat))
	require.Less(t, age(), time.Hour)
	storetest.Execute(t, b.URL, "UPDATE engine_checks SET done_at = now() + interval '1 hour'")
	require.Zero(t, age(), "a check by a clock that was ahead does not count as recent without an end")

	for _, queue := range workflows.Queues() {
		due, err := b.Store.Engine.LeaseCheck(t.Context(), models.CheckHeartbeatOf(queue), time.Minute)
		require.NoError(t, err)
		require.Equal(t, queue != workflows.TransactionsQueue, due, "each queue has a row")
	}
	storetest.Execute(t, b.URL, `UPDATE engine_checks
		SET done_at = now() - interval '1 hour'
		WHERE name = 'heartbeat/filings'`)
	beats, err := b.Store.Engine.Heartbeats(t.Context())
	require.NoError(t, err)
	require.Len(t, beats, len(workflows.Queues()))
	require.Equal(t, workflows.FilingsQueue, beats[0].Queue)
	require.True(t, beats[0].Late())
	require.False(t, beats[1].Late())

	run, err := b.Store.Engine.HeartbeatRun(t.Context())
	require.NoError(t, err)
	require.Empty(t, run)
	require.NoError(t, b.Store.Engine.NoteHeartbeatRun(t.Context(), "a"))
	run, err = b.Store.Engine.HeartbeatRun(t.Context())
	require.NoError(t, err)
	require.Equal(t, "a", run)
}

func TestRecordsThatWaitForPeopleAreCounted(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	before, err := b.Store.Engine.WaitingForPeople(t.Context())
	require.NoError(t, err)
	require.Zero(t, before.Onboardings[5].Number)
	storetest.Execute(t, b.URL, `INSERT INTO onboardings (organization_id, status, completed, next_check_at, created_at,
		  updated_at)
		SELECT id, 'IN_PROGRESS', 4, now(), now(), now() - interval '1 day' FROM organizations LIMIT 1
		ON CONFLICT (organization_id) DO UPDATE
		SET status = 'IN_PROGRESS', completed = 4, next_check_at = now(), updated_at = now() - interval '1 day'`)
	after, err := b.Store.Engine.WaitingForPeople(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, after.Onboardings[5].Number)
	require.InDelta(t, (24 * time.Hour).Seconds(), after.Onboardings[5].Oldest.Seconds(), 600)
}

// Each kind of work has a figure for the work that no process takes.
func TestWhatNoProcessTakesIsMeasured(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.Execute(t, b.URL, "UPDATE onboardings SET next_check_at = now() + interval '1 hour'")
	storetest.Execute(t, b.URL, `INSERT INTO nexus_changes (organization_id, country_code, state_code, n, pending, due_at)
		VALUES ($1, 'US', 'WY', 1, true, now() - interval '3 hours')`, b.Scope.OrganizationID)
	storetest.Execute(t, b.URL, `INSERT INTO late_transactions (organization_id, registration_id, transaction_id, at)
		VALUES ('org_1', 'regn_1', 'txn_1', now() - interval '2 hours'), ('org_1', 'regn_1', 'txn_2', now())`)
	storetest.Execute(t, b.URL, `INSERT INTO audit (organization_id, id, at, action, entity_type, entity_id)
		VALUES ($1, 'audt_1', now() - interval '5 hours', 'update', 'organization', 'org_1')`, b.Scope.OrganizationID)
	due, err := b.Store.Engine.Due(t.Context())
	require.NoError(t, err)
	hours := map[string]int{}
	for kind, longest := range due {
		hours[kind] = int(longest.Hours())
	}
	require.Equal(t, map[string]int{
		models.WaitingOnboardings: 0, models.WaitingRegistrations: 0, models.WaitingFilings: 0, models.WaitingImports: 0,
		models.WaitingWebhooks: 0, models.WaitingNexusChanges: 3, models.WaitingAmendments: 2, models.WaitingSeals: 5,
	}, hours)
}

// A run that was lost does not end the pause that a receiver has asked for. It does not count as an attempt of a
// delivery.
func TestARunThatWasLostEndsNoPauseOfAReceiver(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.Execute(t, b.URL, `INSERT INTO webhook_endpoints (organization_id, id, url, status, include_clients,
		  signature_scheme, secret, created_at, updated_at, next_check_at, rests_until, paused_until)
		SELECT $1, 'whep_' || n, 'https://example.com', 'ENABLED', false, 'v1', $2, now(), now(), later, later, later
		  FROM generate_series(1, 2) n, (SELECT now() + interval '1 hour' AS later) t`,
		b.Scope.OrganizationID, append([]byte{1}, make([]byte, 60)...))
	storetest.Execute(t, b.URL, `INSERT INTO webhook_deliveries (organization_id, endpoint_id, id, event_organization_id,
		  sequence, event_at, type, next_attempt_at)
		SELECT organization_id, id, 'wdel_1', organization_id, 1, now(), 'filing.filed', paused_until FROM webhook_endpoints`)
	paused := func() int {
		return b.Count(t, `SELECT count(*) FROM webhook_endpoints w JOIN webhook_deliveries d ON d.endpoint_id = w.id
			WHERE w.next_check_at <= now() AND w.paused_until > now() AND d.next_attempt_at > now()`)
	}
	due, err := b.Store.Engine.Requeue(t.Context(), models.WaitingWebhooks, []string{"whep_1"})
	require.NoError(t, err)
	require.Equal(t, []string{"whep_1"}, due)
	require.Equal(t, 1, paused())
	_, err = b.Store.Engine.RequeueAll(t.Context(), models.WaitingWebhooks)
	require.NoError(t, err)
	require.Equal(t, 2, paused())
}

// A statement that changes all deliveries of many endpoints would hold up their runs until it ends.
func TestDeliveriesAreRequeuedInSlices(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	do := func(sql string, args ...any) { storetest.Execute(t, b.URL, sql, args...) }
	do(`INSERT INTO webhook_endpoints (organization_id, id, url, status, include_clients, signature_scheme, secret,
		  created_at, updated_at, next_check_at)
		SELECT $1, 'whep_' || n, 'https://example.com', 'ENABLED', false, 'v1', $2, now(), now(), now()
		  FROM generate_series(1, 2) n`, b.Scope.OrganizationID, append([]byte{1}, make([]byte, 60)...))
	do(`INSERT INTO webhook_deliveries (organization_id, endpoint_id, id, event_organization_id, sequence, event_at, type,
		  next_attempt_at)
		SELECT organization_id, id, 'wdel_' || n, organization_id, n, now(), 'filing.filed', now() + interval '1 hour'
		  FROM webhook_endpoints, generate_series(1, 700) n`)
	do(`CREATE FUNCTION at_most_a_thousand() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		  IF (SELECT count(*) FROM changed) > 1000 THEN RAISE 'too many at once'; END IF; RETURN NULL; END $$`)
	do(`CREATE TRIGGER bounded AFTER UPDATE ON webhook_deliveries REFERENCING NEW TABLE AS changed
		FOR EACH STATEMENT EXECUTE FUNCTION at_most_a_thousand()`)
	require.NoError(t, b.Store.Engine.EndWebhookPauses(t.Context(), nil))
	require.Equal(t, 1400, b.Count(t, "SELECT count(*) FROM webhook_deliveries WHERE next_attempt_at <= now()"))
}

// Waiting records are returned page by page, without those that are due and those that need no run.
func TestWaitingRecordsAreListedPageByPage(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	first := b.January(t, models.FilingUnfiled)
	second := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-02-01", "2026-02-28"))
	open := func() int64 {
		n, err := b.Store.Engine.CountOpen(t.Context(), models.WaitingFilings)
		require.NoError(t, err)
		return n
	}
	idle := func(after models.Ref) []models.Ref {
		refs, err := b.Store.Engine.IdleAfter(t.Context(), models.WaitingFilings, after, 1)
		require.NoError(t, err)
		return refs
	}
	storetest.Execute(t, b.URL, "UPDATE filings SET next_check_at = now() + interval '1 day'")
	require.EqualValues(t, 2, open())
	page := idle(models.Ref{})
	require.Len(t, page, 1)
	rest := idle(page[0])
	require.ElementsMatch(t, []string{first.ID, second.ID}, []string{page[0].ID, rest[0].ID})
	require.Empty(t, idle(rest[0]))
	storetest.Execute(t, b.URL, `UPDATE filings
		SET next_check_at = CASE WHEN id = $1 THEN now() - interval '1 second' END`, first.ID)
	require.EqualValues(t, 1, open())
	require.Empty(t, idle(models.Ref{}))

	storetest.Execute(t, b.URL, `UPDATE filings
		SET next_check_at = CASE WHEN id = $1 THEN now() + interval '1 day' ELSE now() + interval '1 minute' END`, first.ID)
	soonest, err := b.Store.Engine.SoonestDue(t.Context(), models.WaitingFilings, 1)
	require.NoError(t, err)
	require.Equal(t, []string{second.ID}, soonest)
	storetest.Execute(t, b.URL, "UPDATE filings SET next_check_at = NULL WHERE id = $1", second.ID)
	soonest, err = b.Store.Engine.SoonestDue(t.Context(), models.WaitingFilings, 2)
	require.NoError(t, err)
	require.Equal(t, []string{first.ID}, soonest)
}

// An authority is down when the calls for three records have failed in a row. Then one call a minute is made for all,
// each time for another record than before.
func TestAnAuthorityThatIsDownIsTriedOnceAMinute(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	e := b.Store.Engine
	admitted := func(record string) models.AuthorityAdmission {
		t.Helper()
		a, err := e.Admit(t.Context(), "nevada", record)
		require.NoError(t, err)
		return a
	}
	fail := func(record string) {
		t.Helper()
		require.True(t, admitted(record).May)
		require.NoError(t, e.Failed(t.Context(), "nevada", record, "unavailable"))
	}
	minutes := func(n int) {
		storetest.Execute(t, b.URL, `UPDATE authority_outages
			SET try_at = try_at - $1 * interval '1 minute', since = since - $1 * interval '1 minute'`, n)
	}
	require.Equal(t, models.AuthorityAdmission{May: true}, admitted("a"))
	fail("a")
	fail("a")
	fail("b")
	require.Equal(t, models.AuthorityAdmission{May: true, Failing: true}, admitted("c"))
	fail("c")
	outages, err := e.Outages(t.Context())
	require.NoError(t, err)
	require.Len(t, outages, 1)
	require.Equal(t, []any{"nevada", int64(4), "unavailable"},
		[]any{outages[0].Authority, outages[0].Failures, outages[0].Error})
	require.False(t, admitted("a").May)
	require.InDelta(t, time.Minute, admitted("a").Again, float64(10*time.Second))
	require.InDelta(t, 2*time.Minute, admitted("c").Again, float64(10*time.Second), "it was the last one")
	other, err := e.Admit(t.Context(), "oregon", "a")
	require.NoError(t, err)
	require.True(t, other.May)

	minutes(1)
	require.False(t, admitted("c").May, "another one goes first")
	var trials atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if a, err := e.Admit(t.Context(), "nevada", fmt.Sprint(i)); err == nil && a.May {
				trials.Add(1)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 1, trials.Load())
	minutes(2)
	require.True(t, admitted("c").May, "no other record waits")
	require.NoError(t, e.Reached(t.Context(), "nevada"))
	require.Equal(t, models.AuthorityAdmission{May: true}, admitted("c"))

	seen := func() int {
		outages, err := e.Outages(t.Context())
		require.NoError(t, err)
		return len(outages)
	}
	fail("c")
	require.Zero(t, seen(), "one call that failed is no outage")
	minutes(11)
	require.Equal(t, 1, seen(), "but an authority that nobody has reached since is, however few records wait for it")
	minutes(20)
	require.Zero(t, seen(), "nobody waits for it any more: what failed was withdrawn, or waits for people")
	fail("c")
	require.Equal(t, 1, seen())
}
