package webhooks_test

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func endpoint(t *testing.T, s *store.Store, scope models.Scope) models.WebhookRef {
	t.Helper()
	w := models.WebhookEndpoint{
		ID: models.NewID(models.PrefixWebhook), URL: "https://example.com/",
		EnabledEvents: []string{"content.*"}, Status: models.WebhookEnabled,
		SignatureScheme: "v1", Secret: append([]byte{1}, make([]byte, 60)...),
	}
	require.NoError(t, s.Webhooks.CreateWebhookEndpoint(t.Context(), scope, storetest.Actor, &w))
	return models.WebhookRef{OrganizationID: scope.OrganizationID, ID: w.ID}
}

const endpointsOfNew = `INSERT INTO events (organization_id, type, object_id, record)
	VALUES ($1, 'content.activated', $2, '{}')`

// take leases the due deliveries and records them as delivered.
func take(t *testing.T, s *store.Store, ref models.WebhookRef) (objects []string) {
	t.Helper()
	batch, err := s.Webhooks.LeaseBatch(t.Context(), ref, 100)
	require.NoError(t, err)
	var results []models.WebhookResult
	for _, d := range batch.Deliveries {
		objects = append(objects, d.Event.ObjectID)
		results = append(results, models.WebhookResult{
			DeliveryID: d.ID, Attempt: models.WebhookAttempt{HTTPStatus: 200},
			Outcome: models.WebhookOutcome{Status: models.WebhookDelivered},
		})
	}
	require.NoError(t, s.Webhooks.SaveBatch(t.Context(), ref, batch.Throttle, results, nil))
	_, err = s.Webhooks.SetIdle(t.Context(), ref)
	require.NoError(t, err)
	return objects
}

// leased polls all endpoints.
func leased(t *testing.T, s *store.Store, ref models.WebhookRef) bool {
	t.Helper()
	return slices.Contains(poll(t, s, models.WebhookPoll{Full: true}).leased, ref)
}

type found struct {
	leased, running []models.WebhookRef
	upTo            int64
}

func poll(t *testing.T, s *store.Store, of models.WebhookPoll) found {
	t.Helper()
	f, err := s.Webhooks.LeaseWebhooks(t.Context(), of, 10)
	require.NoError(t, err)
	all := found{running: f.Running, upTo: f.UpTo}
	for _, w := range f.Leased {
		all.leased = append(all.leased, models.WebhookRef{OrganizationID: w.OrganizationID, ID: w.ID})
	}
	return all
}

// A poll finds the endpoints with events since the previous poll, and those whose run was open then.
func TestAPollFindsEndpointsWithNewEvents(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, client))
	partner, own := endpoint(t, s, root), endpoint(t, s, models.Scope{OrganizationID: client.ID})
	endpoint(t, s, root) // does not include clients
	_, err := s.Webhooks.UpdateWebhookEndpoint(t.Context(), root, storetest.Actor, partner.ID,
		func(w *models.WebhookEndpoint) { w.IncludeClients = true })
	require.NoError(t, err)
	first := poll(t, s, models.WebhookPoll{Full: true})
	require.Empty(t, first.leased)

	storetest.Execute(t, address, endpointsOfNew, client.ID, "one")
	storetest.Execute(t, address,
		"INSERT INTO events (organization_id, type, object_id, record) VALUES ($1, 'filing.filed', 'f', '{}')",
		root.OrganizationID)
	second := poll(t, s, models.WebhookPoll{After: first.upTo})
	require.ElementsMatch(t, []models.WebhookRef{partner, own}, second.leased)
	require.Empty(t, second.running)
	require.Empty(t, poll(t, s, models.WebhookPoll{After: second.upTo}).leased, "nothing happened since")
	require.Equal(t, []string{"one"}, take(t, s, own))
	require.Empty(t, poll(t, s, models.WebhookPoll{After: first.upTo, Running: []models.WebhookRef{own}}).leased,
		"its events are before the cursor, or a run works on it")

	// An event comes while a run works on the endpoint, and the run ends without having seen it.
	storetest.Execute(t, address,
		"UPDATE webhook_endpoints SET rests_until = now() + interval '60 seconds' WHERE id = $1", own.ID)
	storetest.Execute(t, address, endpointsOfNew, client.ID, "two")
	third := poll(t, s, models.WebhookPoll{After: second.upTo})
	require.Contains(t, third.running, own)
	require.Empty(t, third.leased)
	require.Equal(t, []models.WebhookRef{own},
		poll(t, s, models.WebhookPoll{After: third.upTo, Running: []models.WebhookRef{own}}).running)
	_, err = s.Webhooks.SetIdle(t.Context(), own)
	require.NoError(t, err)
	require.Equal(t, []models.WebhookRef{own},
		poll(t, s, models.WebhookPoll{After: third.upTo, Running: []models.WebhookRef{own}}).leased)
	require.Equal(t, []string{"two"}, take(t, s, own))
	require.Empty(t, poll(t, s, models.WebhookPoll{After: third.upTo, Running: []models.WebhookRef{own}}).leased)

	storetest.Execute(t, address, "UPDATE webhook_endpoints SET next_check_at = now() WHERE id = $1", own.ID)
	require.Equal(t, []models.WebhookRef{own}, poll(t, s, models.WebhookPoll{After: third.upTo}).leased, "a run was lost")
}

// An event that is committed later than one with a higher number is delivered too, and each of them once.
func TestEventsCommittedInTheOtherOrderAreDelivered(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	ref := endpoint(t, s, scope)
	session := func() pgx.Tx {
		conn, err := pgx.Connect(t.Context(), address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(t.Context()) })
		tx, err := conn.Begin(t.Context())
		require.NoError(t, err)
		return tx
	}
	slow, fast := session(), session()
	_, err := slow.Exec(t.Context(), endpointsOfNew, scope.OrganizationID, "slow")
	require.NoError(t, err)
	_, err = fast.Exec(t.Context(), endpointsOfNew, scope.OrganizationID, "fast")
	require.NoError(t, err)
	require.NoError(t, fast.Commit(t.Context()))
	require.Empty(t, take(t, s, ref))
	require.NoError(t, slow.Commit(t.Context()))
	require.True(t, leased(t, s, ref), "there are deliveries")
	require.False(t, leased(t, s, ref), "a run delivers them")
	require.ElementsMatch(t, []string{"slow", "fast"}, take(t, s, ref))
	require.Empty(t, take(t, s, ref))
	require.False(t, leased(t, s, ref))
	storetest.Execute(t, address, endpointsOfNew, scope.OrganizationID, "later")
	require.True(t, leased(t, s, ref))
	require.Equal(t, []string{"later"}, take(t, s, ref))
}

// A delivery that a worker leased and did not record is sent once more when the lease is over.
func TestDeliveriesOfADeadWorkerAreSentAgain(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	ref := endpoint(t, s, scope)
	storetest.Execute(t, address, endpointsOfNew, scope.OrganizationID, "one")
	batch, err := s.Webhooks.LeaseBatch(t.Context(), ref, 100)
	require.NoError(t, err)
	require.Len(t, batch.Deliveries, 1)
	again, err := s.Webhooks.LeaseBatch(t.Context(), ref, 100)
	require.NoError(t, err)
	require.Empty(t, again.Deliveries, "no other worker gets it meanwhile")
	require.NoError(t, s.Webhooks.SaveBatch(t.Context(), ref, batch.Throttle, nil, []string{batch.Deliveries[0].ID}))
	batch, err = s.Webhooks.LeaseBatch(t.Context(), ref, 100)
	require.NoError(t, err)
	require.Len(t, batch.Deliveries, 1, "it was released without an attempt")
	storetest.Execute(t, address, "UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '2 minutes'")
	require.Equal(t, []string{"one"}, take(t, s, ref))
}

// An endpoint that is deleted goes with its deliveries; one of an organization that has ended is disabled.
func TestEndpointsEndWhenTheyAreDeletedOrTheirOrganizationEnds(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	deleted, ended := endpoint(t, s, scope), endpoint(t, s, scope)
	storetest.Execute(t, address, endpointsOfNew, scope.OrganizationID, "one")
	require.Equal(t, []string{"one"}, take(t, s, deleted))
	require.NoError(t, s.Webhooks.DeleteWebhookEndpoint(t.Context(), scope, storetest.Actor, deleted.ID))
	require.True(t, leased(t, s, deleted))
	batch, err := s.Webhooks.LeaseBatch(t.Context(), deleted, 100)
	require.NoError(t, err)
	require.True(t, batch.Over)
	state, err := s.Webhooks.SetIdle(t.Context(), deleted)
	require.NoError(t, err)
	require.Empty(t, state.Status)

	storetest.Execute(t, address, "UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", scope.OrganizationID)
	batch, err = s.Webhooks.LeaseBatch(t.Context(), ended, 100)
	require.NoError(t, err)
	require.True(t, batch.Over)
	w, err := s.Webhooks.WebhookEndpoint(t.Context(), scope, ended.ID)
	require.NoError(t, err)
	require.Equal(t, models.WebhookDisabled, w.Status)
	told, _, err := s.Events.After(t.Context(), models.EventQuery{
		Organizations: []string{scope.OrganizationID}, Types: []string{"webhook_endpoint.disabled"}, Limit: 10,
	})
	require.NoError(t, err)
	require.Len(t, told, 1)
	require.Equal(t, ended.ID, told[0].ObjectID)
}

// Deliveries are forgotten with their events, but not those that are still to be made.
func TestOldDeliveriesAreForgotten(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	ref := endpoint(t, s, scope)
	storetest.Execute(t, address, endpointsOfNew, scope.OrganizationID, "old")
	require.Equal(t, []string{"old"}, take(t, s, ref))
	storetest.Execute(t, address, endpointsOfNew, scope.OrganizationID, "pending")
	batch, err := s.Webhooks.LeaseBatch(t.Context(), ref, 100)
	require.NoError(t, err)
	require.Len(t, batch.Deliveries, 1)
	storetest.Execute(t, address, "UPDATE webhook_deliveries SET created_at = created_at - $1::interval", models.EventsKept)
	storetest.Execute(t, address, endpointsOfNew, scope.OrganizationID, "new")
	require.Equal(t, []string{"new"}, take(t, s, ref))

	more, err := s.Webhooks.ForgetSomeDeliveries(t.Context())
	require.NoError(t, err)
	require.True(t, more)
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var left []string
	require.NoError(t, conn.QueryRow(t.Context(),
		"SELECT array_agg(status::text ORDER BY status::text) FROM webhook_deliveries").Scan(&left))
	require.Equal(t, []string{"DELIVERED", "PENDING"}, left)
	more, err = s.Webhooks.ForgetSomeDeliveries(t.Context())
	require.NoError(t, err)
	require.False(t, more)
}

// The oldest undelivered event is one that an active endpoint subscribes to.
func TestTheAgeOfTheOldestEvent(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, client))
	ref := endpoint(t, s, root)
	oldest := func() time.Duration {
		b, err := s.Webhooks.WebhookBacklog(models.AcrossOrganizations(t.Context()))
		require.NoError(t, err)
		return b.Oldest
	}
	age := func(organizationID, kind string, minutes int) {
		storetest.Execute(t, address, `INSERT INTO events (organization_id, type, object_id, record, created_at)
			VALUES ($1, $2, 'one', '{}', now() - $3 * interval '1 minute')`, organizationID, kind, minutes)
	}
	age(root.OrganizationID, "filing.filed", 50)
	age(client.ID, "content.activated", 30)
	require.Zero(t, oldest(), "other types, and a client's")
	_, err := s.Webhooks.UpdateWebhookEndpoint(t.Context(), root, storetest.Actor, ref.ID,
		func(w *models.WebhookEndpoint) {
			w.IncludeClients, w.EnabledEvents = true, []string{"content.activated", "test.*"}
		})
	require.NoError(t, err)
	age(root.OrganizationID, models.WebhookPing, 40)
	require.InDelta(t, 30*time.Minute, oldest(), float64(2*time.Minute), "pings are for one endpoint alone")
	storetest.Execute(t, address, "UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", root.OrganizationID)
	require.Zero(t, oldest(), "an ended organization receives nothing")
}

// A root organization gets the events of its clients where it asks for them.
func TestAPartnerReceivesEventsOfClientsWhereItAsksForThem(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, client))
	own, all := endpoint(t, s, root), endpoint(t, s, root)
	_, err := s.Webhooks.UpdateWebhookEndpoint(t.Context(), root, storetest.Actor, all.ID,
		func(w *models.WebhookEndpoint) { w.IncludeClients = true })
	require.NoError(t, err)
	storetest.Execute(t, address, endpointsOfNew, client.ID, "of a client")
	require.True(t, leased(t, s, all))
	require.Empty(t, take(t, s, own))
	require.Equal(t, []string{"of a client"}, take(t, s, all))
}

// The end of a grant keeps events of the client from its partner: new ones, and those that waited or were sent before.
func TestAPartnerReceivesNothingOfAClientWithoutAGrant(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	client := storetest.NewClient("Client")
	require.NoError(t, storetest.CreateClient(t.Context(), s, root, client))
	all, own := endpoint(t, s, root), endpoint(t, s, models.Scope{OrganizationID: client.ID})
	_, err := s.Webhooks.UpdateWebhookEndpoint(t.Context(), root, storetest.Actor, all.ID,
		func(w *models.WebhookEndpoint) { w.IncludeClients = true })
	require.NoError(t, err)
	first := poll(t, s, models.WebhookPoll{Full: true})
	storetest.Execute(t, address, endpointsOfNew, client.ID, "sent")
	require.Equal(t, []string{"sent"}, take(t, s, all))
	sent, err := s.Webhooks.ListWebhookDeliveries(t.Context(), root, all.ID, models.WebhookDeliveryFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	storetest.Execute(t, address, endpointsOfNew, client.ID, "waiting")
	batch, err := s.Webhooks.LeaseBatch(t.Context(), all, 100)
	require.NoError(t, err)
	require.Len(t, batch.Deliveries, 1)
	second := poll(t, s, models.WebhookPoll{After: first.upTo})

	_, _, err = s.Organizations.EndGrant(t.Context(), models.Scope{OrganizationID: client.ID}, storetest.Actor,
		root.OrganizationID)
	require.NoError(t, err)
	storetest.Execute(t, address, "UPDATE webhook_endpoints SET rests_until = NULL, next_check_at = NULL")
	storetest.Execute(t, address, "UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'PENDING'")
	require.Empty(t, take(t, s, all), "what waited is not sent")
	storetest.Execute(t, address, endpointsOfNew, client.ID, "new")
	require.Equal(t, []models.WebhookRef{own}, poll(t, s, models.WebhookPoll{After: second.upTo}).leased)
	require.Empty(t, take(t, s, all))
	_, err = s.Webhooks.Redeliver(t.Context(), root, storetest.Actor, all.ID, sent.Items[0].ID)
	require.ErrorIs(t, err, models.ErrGrantEnded)

	_, err = s.Organizations.ChangeGrant(t.Context(), models.Scope{OrganizationID: client.ID}, storetest.Actor,
		root.OrganizationID, models.GrantPreparer)
	require.NoError(t, err)
	_, err = s.Webhooks.Redeliver(t.Context(), root, storetest.Actor, all.ID, sent.Items[0].ID)
	require.NoError(t, err)
	require.Equal(t, []string{"sent"}, take(t, s, all))
}

// A failed delivery waits for its next attempt, and the endpoint until its pause is over.
func TestAPausedEndpointIsDueAfterItsPause(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	ref := endpoint(t, s, scope)
	storetest.Execute(t, address, endpointsOfNew, scope.OrganizationID, "one")
	batch, err := s.Webhooks.LeaseBatch(t.Context(), ref, 100)
	require.NoError(t, err)
	require.NoError(t, s.Webhooks.SaveBatch(t.Context(), ref, models.WebhookThrottle{Concurrency: 1, Pause: time.Hour},
		[]models.WebhookResult{{
			DeliveryID: batch.Deliveries[0].ID, Attempt: models.WebhookAttempt{HTTPStatus: 429},
			Outcome: models.WebhookOutcome{Status: models.WebhookPending, Pause: time.Minute},
		}}, nil))
	state, err := s.Webhooks.SetIdle(t.Context(), ref)
	require.NoError(t, err)
	require.InDelta(t, time.Hour, *state.Wait, float64(time.Minute))
	require.Equal(t, 429, state.LastAttempt.HTTPStatus)
	require.False(t, state.Replaying)
	storetest.Execute(t, address, endpointsOfNew, scope.OrganizationID, "two")
	require.False(t, leased(t, s, ref), "the endpoint is not due now")
	require.Empty(t, take(t, s, ref))
	_, err = s.Webhooks.Replay(t.Context(), scope, storetest.Actor, ref.ID,
		models.WebhookSpan{Since: time.Now().Add(-time.Hour)})
	require.NoError(t, err)
	state, err = s.Webhooks.SetIdle(t.Context(), ref)
	require.NoError(t, err)
	require.True(t, state.Replaying)
	require.Zero(t, *state.Wait)
}

// A failure caused by a defect of Levy counts neither as an attempt of the delivery nor against its receiver.
func TestADefectDoesNotCountAgainstAReceiver(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	ref := endpoint(t, s, scope)
	storetest.Execute(t, address, endpointsOfNew, scope.OrganizationID, "one")
	save := func(attempt models.WebhookAttempt) (models.WebhookDelivery, models.WebhookStatus) {
		batch, err := s.Webhooks.LeaseBatch(t.Context(), ref, 100)
		require.NoError(t, err)
		require.Len(t, batch.Deliveries, 1)
		require.NoError(t, s.Webhooks.SaveBatch(t.Context(), ref, batch.Throttle, []models.WebhookResult{{
			DeliveryID: batch.Deliveries[0].ID, Attempt: attempt,
			Outcome: models.WebhookOutcome{Status: models.WebhookPending},
		}}, nil))
		list, err := s.Webhooks.ListWebhookDeliveries(t.Context(), scope, ref.ID, models.WebhookDeliveryFilter{}, models.Page{Limit: 10})
		require.NoError(t, err)
		w, err := s.Webhooks.WebhookEndpoint(t.Context(), scope, ref.ID)
		require.NoError(t, err)
		return list.Items[0], w.Status
	}
	d, _ := save(models.WebhookAttempt{HTTPStatus: 500})
	require.Equal(t, 1, d.Tries)
	storetest.Execute(t, address, "UPDATE webhook_endpoints SET failing_since = now() - interval '6 days'")
	d, status := save(models.WebhookAttempt{Error: "not_signed"})
	require.Equal(t, models.WebhookEnabled, status)
	require.Equal(t, 1, d.Tries)
	require.Len(t, d.Attempts, 2, "the merchant sees it")
	_, status = save(models.WebhookAttempt{HTTPStatus: 500})
	require.Equal(t, models.WebhookDisabled, status)
}

// leaseTwo leases two deliveries and returns the result of each, delivered.
func leaseTwo(t *testing.T, s *store.Store, address string, ref models.WebhookRef) (models.WebhookBatch, []models.WebhookResult) {
	t.Helper()
	storetest.Execute(t, address, endpointsOfNew, ref.OrganizationID, "one")
	storetest.Execute(t, address, endpointsOfNew, ref.OrganizationID, "two")
	batch, err := s.Webhooks.LeaseBatch(t.Context(), ref, 100)
	require.NoError(t, err)
	require.Len(t, batch.Deliveries, 2)
	results := make([]models.WebhookResult, 2)
	for i, d := range batch.Deliveries {
		results[i] = models.WebhookResult{DeliveryID: d.ID, Attempt: models.WebhookAttempt{HTTPStatus: 204},
			Outcome: models.WebhookOutcome{Status: models.WebhookDelivered}}
	}
	return batch, results
}

// A receiver may read its deliveries as soon as it has answered.
func TestAListOfDeliveriesWaitsForResults(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	ref := endpoint(t, s, scope)
	batch, results := leaseTwo(t, s, address, ref)
	reads := 0
	s.Webhooks.OnPause(func() {
		reads++
		require.NoError(t, s.Webhooks.SaveDelivered(t.Context(), ref, results[:reads]))
	})
	list, err := s.Webhooks.ListWebhookDeliveries(t.Context(), scope, ref.ID, models.WebhookDeliveryFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 2, reads)
	for _, d := range list.Items {
		require.Equal(t, models.WebhookDelivered, d.Status)
		require.Len(t, d.Attempts, 1)
	}
	// The end of the batch writes them no second time.
	require.NoError(t, s.Webhooks.SaveBatch(t.Context(), ref, batch.Throttle, results, nil))
	again, err := s.Webhooks.ListWebhookDeliveries(t.Context(), scope, ref.ID, models.WebhookDeliveryFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, list.Items, again.Items)
	require.Equal(t, 2, reads, "nothing is under way")
}

// A list of the deliveries to a receiver that does not answer waits only a moment.
func TestAListOfDeliveriesWaitsAMomentOnly(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	ref := endpoint(t, s, scope)
	leaseTwo(t, s, address, ref)
	reads := 0
	s.Webhooks.OnPause(func() { reads++ })
	list, err := s.Webhooks.ListWebhookDeliveries(t.Context(), scope, ref.ID, models.WebhookDeliveryFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 9, reads)
	require.Equal(t, models.WebhookPending, list.Items[0].Status)
}

// An endpoint may be disabled while a request is under way.
func TestWhatADisabledEndpointHasReceivedIsDelivered(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	ref := endpoint(t, s, scope)
	batch, results := leaseTwo(t, s, address, ref)
	_, err := s.Webhooks.UpdateWebhookEndpoint(t.Context(), scope, storetest.Actor, ref.ID,
		func(w *models.WebhookEndpoint) { w.SetStatus(models.WebhookDisabled, models.WebhookManual) })
	require.NoError(t, err)
	results[1].Attempt, results[1].Outcome = models.WebhookAttempt{HTTPStatus: 500},
		models.WebhookOutcome{Status: models.WebhookPending}
	require.NoError(t, s.Webhooks.SaveBatch(t.Context(), ref, batch.Throttle, results, nil))
	list, err := s.Webhooks.ListWebhookDeliveries(t.Context(), scope, ref.ID, models.WebhookDeliveryFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	statuses := map[string]models.WebhookDeliveryStatus{}
	for _, d := range list.Items {
		statuses[d.ID] = d.Status
	}
	require.Equal(t, map[string]models.WebhookDeliveryStatus{
		results[0].DeliveryID: models.WebhookDelivered, results[1].DeliveryID: models.WebhookFailed,
	}, statuses)
}
