package webhooks_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"levy/test/testbed"
)

// One installation with receivers that work, fail, send truncated answers and are slow: the first gets everything at once.
func TestEventsReachReceiversOfEveryKind(t *testing.T) {
	t.Parallel()
	bed := open(t, testbed.Options{})
	bed.Set("LEVY_WORKER_CONCURRENCY", "1") // of all types but deliveries
	bed.Worker.Start()
	all := map[string]any{"enabled_events": []string{"content.activated"}}
	good := newReceiver(t, bed, all, accept)
	other := newReceiver(t, bed, map[string]any{"enabled_events": []string{"filing.*"}}, accept)
	broken := newReceiver(t, bed, all, status(500))
	gone := newReceiver(t, bed, all, status(410))
	busy := newReceiver(t, bed, all, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	truncating := newReceiver(t, bed, all, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
			_ = conn.Close()
		}
	})
	newReceiver(t, bed, all, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })

	happen(bed, "content.activated", 1, 100)
	happen(bed, "filing.filed", 101, 1)
	good.delivered(50, "DELIVERED") // of the first page
	bed.Eventually("all arrive", func(context.Context) (bool, error) { return len(good.objects()) == 100, errMore })
	got, forged := good.messages()
	require.Zero(t, forged)
	require.NotEmpty(t, got[0].Timestamp)
	require.False(t, got[0].Data.Thin)
	require.Equal(t, "filing.filed", other.delivered(1, "DELIVERED")[0].Type)

	t.Run("failed attempts wait for the next, each with its reason", func(t *testing.T) {
		bed.Eventually("a second attempt", func(context.Context) (bool, error) {
			n := bed.Count("SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND tries = 2", broken.endpoint)
			return n > 0, fmt.Errorf("%d", n)
		})
		d := broken.deliveries()[0]
		require.Equal(t, "PENDING", d.Status)
		require.NotNil(t, d.NextAttemptAt)
		require.Equal(t, 500, d.Attempts[0].HTTPStatus)
		bed.Eventually("a truncated answer is no success", func(context.Context) (bool, error) {
			for _, d := range truncating.deliveries() {
				if len(d.Attempts) > 0 {
					return d.Status == "PENDING" && d.Attempts[0].Error == "connection_lost", fmt.Errorf("%+v", d)
				}
			}
			return false, errMore
		})
	})
	t.Run("a receiver that asks for a pause gets it", func(t *testing.T) {
		require.Eventually(t, func() bool {
			return bed.Count(`SELECT count(*)
				FROM webhook_endpoints
				WHERE id = $1 AND paused_until > now() + interval '50 minutes' AND concurrency = 4`, busy.endpoint) == 1
		}, timeout, pause)
		got, _ := busy.messages()
		require.Less(t, len(got), 100)
	})
	t.Run("an endpoint that answers 410 is disabled, with an event", func(t *testing.T) {
		require.Eventually(t, func() bool { return bed.Get(gone.path("")).Field("disabled_reason") == "GONE" },
			timeout, pause)
		require.Equal(t, 1, bed.Count(`SELECT count(*)
			FROM events
			WHERE type = 'webhook_endpoint.disabled' AND object_id = $1`, gone.endpoint))
		require.Zero(t, bed.Count(`SELECT count(*)
			FROM webhook_deliveries
			WHERE endpoint_id = $1 AND status = 'PENDING'`, gone.endpoint))
		require.Equal(t, 409, bed.Post(gone.path("/test"), nil).Status)
	})
	t.Run("staff find the waiting deliveries", func(t *testing.T) {
		require.Eventually(t, func() bool {
			list, err := bed.Temporal().ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{
				Query: "OrganizationId = '" + bed.OrganizationID + "' AND WebhookEndpoint = '" + broken.endpoint +
					"' AND WaitsFor = 'endpoint' AND FailedCount > 0 AND ExecutionStatus = 'Running'",
			})
			return err == nil && len(list.GetExecutions()) == 1
		}, timeout, pause)
	})
	t.Run("metrics count delivered and waiting deliveries and disabled endpoints", func(t *testing.T) {
		bed.Eventually("the metrics of the worker", func(ctx context.Context) (bool, error) {
			said := metrics(ctx, t, bed.Worker.URL())
			delivered, retried := said[`levy_webhook_attempts_total{result="delivered"}`],
				said[`levy_webhook_attempts_total{result="retried"}`]
			return delivered >= 101 && retried >= 100 && said["levy_webhook_pending_deliveries"] >= 100 &&
				said["levy_webhook_oldest_event_seconds"] > 0 &&
				said[`levy_webhook_disabled_endpoints{reason="GONE"}`] == 1, fmt.Errorf("%v", said)
		})
	})
	t.Run("a test, a redelivery and a replay", func(t *testing.T) {
		sent := bed.Post(good.path("/test"), nil)
		require.Equal(t, 200, sent.Status, "%s", sent.Body)
		bed.Eventually("the ping arrives", func(context.Context) (bool, error) {
			got, _ := good.messages()
			last := got[len(got)-1]
			return last.Type == "test.ping" && last.ID == sent.Field("event_id"), fmt.Errorf("%+v", last)
		})
		others, _ := other.messages()
		require.Len(t, others, 1, "it is for one endpoint alone")
		filed := other.deliveries()[0]
		again := bed.Post(other.path("/deliveries/"+filed.ID+"/redeliver"), nil)
		require.Equal(t, 200, again.Status, "%s", again.Body)
		bed.Eventually("it is sent again",
			func(context.Context) (bool, error) { return len(other.deliveries()[0].Attempts) == 2, errMore })
		replay := bed.Post(good.path("/replay"), map[string]any{"since": "2020-01-01T00:00:00Z"})
		require.Equal(t, 202, replay.Status, "%s", replay.Body)
		require.Equal(t, 100, replay.Number("events"))
		bed.Eventually("all arrive once more", func(context.Context) (bool, error) {
			objects := good.objects()
			return objects["1"] == 2 && objects["100"] == 2, fmt.Errorf("%v", objects)
		})
	})
	t.Run("both secrets sign during a rotation", func(t *testing.T) {
		rotated := bed.Post(good.path("/rotate_secret"), nil)
		bed.Post(good.path("/test"), nil)
		bed.Eventually("the old secret verifies", func(context.Context) (bool, error) {
			got, forged := good.messages()
			return forged == 0 && got[len(got)-1].Type == "test.ping" && len(got) > 201, errMore
		})
		good.trust(t, rotated.Field("secret"))
		bed.Post(good.path("/test"), nil)
		bed.Eventually("the new one too", func(context.Context) (bool, error) {
			got, forged := good.messages()
			return forged == 0 && len(got) > 202, errMore
		})
	})
	t.Run("an event that is too large names the place to read it", func(t *testing.T) {
		bed.Exec(`INSERT INTO events (organization_id, type, object_id, record)
			VALUES ($1, 'content.activated', 'prod_1', jsonb_build_object('n', 'large', 'a', $2::text))`,
			bed.OrganizationID, strings.Repeat("a", 30000))
		bed.Eventually("it arrives", func(context.Context) (bool, error) {
			got, _ := good.messages()
			last := got[len(got)-1]
			return last.Data.Thin && last.Data.Object["object_url"] == "/v1/products/prod_1" &&
				len(last.Data.Object) == 2, fmt.Errorf("%+v", last)
		})
	})
	t.Run("five days without a success disable", func(t *testing.T) {
		bed.Exec("UPDATE webhook_endpoints SET failing_since = now() - interval '121 hours' WHERE id = $1", broken.endpoint)
		bed.Post(broken.path("/test"), nil)
		require.Eventually(t, func() bool { return bed.Get(broken.path("")).Field("disabled_reason") == "FAILING" },
			timeout, pause)
	})
	t.Run("a receiver that does not answer delays no other", func(t *testing.T) { requireNotHeldUp(t, bed, good) })
}

// requireNotHeldUp sends an event to an endpoint that does not answer, and then one to another endpoint, which gets it
// while the first one is still waited for. Levy waits for 15 seconds: if a busy machine needs longer for the other one,
// the test tries again.
func requireNotHeldUp(t *testing.T, bed *testbed.Bed, good *receiver) {
	t.Helper()
	for n := range 3 {
		asked, ended, release := make(chan struct{}, 100), make(chan struct{}), make(chan struct{})
		var over sync.Once
		newReceiver(t, bed, map[string]any{"enabled_events": []string{"nexus.disregarded"}},
			func(_ http.ResponseWriter, r *http.Request) {
				asked <- struct{}{}
				select {
				case <-r.Context().Done():
				case <-release:
				}
				over.Do(func() { close(ended) })
			})
		t.Cleanup(func() { close(release) })
		happen(bed, "nexus.disregarded", n, 1)
		<-asked
		happen(bed, "content.activated", 1000+n, 1)
		bed.Eventually("the other one gets it", func(context.Context) (bool, error) {
			return good.objects()[strconv.Itoa(1000+n)] > 0, errMore
		})
		select {
		case <-ended:
		default:
			return
		}
	}
	t.Fatal("it got it only after the request to the silent one had timed out")
}
