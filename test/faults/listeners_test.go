package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// listeners receive events while faults happen: a reader pages through the feed while others write, and webhooks are
// sent to receivers, some of which fail in every way. In the end each of them has every event.
type listeners struct {
	bed       *testbed.Bed
	apis      []*testbed.Service
	receivers []*receiver
	healed    atomic.Bool // receivers no longer fail
	limit     int         // events on a page during the faults
	types     string      // of events that receivers get
	at        func(step string)

	mu    sync.Mutex
	seen  []int64 // numbers of events, in the order in which the reader got them
	wrong []string
}

// listen starts the listeners with the events from now on; in make chaos only.
func (l *listeners) listen(t *testing.T, r *faultRun) {
	t.Helper()
	if os.Getenv(wideVariable) == "" {
		return
	}
	l.bed, l.apis, l.at, l.limit, l.types = r.bed, r.nemesis.apis, r.at, 23,
		"*" // small pages, so that many end between two events
	if r.nemesis.dense {
		l.limit, l.types = largestPage, "credit_note.*" // there are too many events of sales to send each
	}
	l.receivers = []*receiver{l.newReceiver(t, "healthy", nil), l.newReceiver(t, "failing", failures)}
	over := make(chan struct{})
	dead := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server notices a closed connection only after it has read everything
		select {
		case <-r.Context().Done():
		case <-over:
		}
	}))
	t.Cleanup(dead.Close)
	t.Cleanup(func() { close(over) })
	require.Equal(t, http.StatusOK, l.bed.Post("/v1/webhook_endpoints", l.endpoint(dead.URL)).Status)
	ctx, stop := context.WithCancel(t.Context())
	var reading sync.WaitGroup
	reading.Go(func() { l.read(ctx) })
	t.Cleanup(func() { stop(); reading.Wait() })
}

func (l *listeners) endpoint(url string) map[string]any {
	return map[string]any{"url": url, "enabled_events": []string{l.types}}
}

// read follows the cursors of the feed.
func (l *listeners) read(ctx context.Context) {
	const betweenPages = 20 * time.Millisecond
	after, last := "", int64(0)
	for n := 0; ctx.Err() == nil; n++ {
		limit := l.limit
		if l.healed.Load() {
			limit = largestPage // what is left is only read to its end
		}
		var page struct {
			Items []struct {
				Sequence int64 `json:"sequence"`
			}
			NextCursor *string `json:"next_cursor"`
		}
		caller := testbed.Caller{APIKey: l.bed.APIKey, OrganizationID: l.bed.OrganizationID}
		answer, err := l.bed.SendAs(ctx, caller, l.apis[n%len(l.apis)], http.MethodGet,
			fmt.Sprintf("/v1/events?limit=%d&after=%s", limit, after), nil, "")
		if err == nil && answer.Status == http.StatusOK && json.Unmarshal(answer.Body, &page) == nil {
			l.mu.Lock()
			for _, e := range page.Items {
				if e.Sequence <= last {
					l.wrong = append(l.wrong, fmt.Sprintf("%d came after %d", e.Sequence, last))
				}
				last = e.Sequence
				l.seen = append(l.seen, e.Sequence)
			}
			l.mu.Unlock()
			if page.NextCursor != nil {
				after = *page.NextCursor
			}
		}
		if len(page.Items) == limit && limit == largestPage {
			continue // there is more
		}
		select {
		case <-ctx.Done():
		case <-time.After(betweenPages):
		}
	}
}

// largestPage is how many events the API answers at most.
const largestPage = 100

// receiver records the numbers of the events whose signature is right.
type receiver struct {
	name, endpoint string
	from           int64 // the endpoint gets the events after this number
	healed         *atomic.Bool
	fail           func(n int64, w http.ResponseWriter, r *http.Request) (answered bool)

	verify *standardwebhooks.Webhook
	asked  atomic.Int64
	mu     sync.Mutex
	got    map[int64]int
	forged int
}

// failures fails one request of five: with an error, a timeout, no answer, or half an answer.
func failures(n int64, w http.ResponseWriter, r *http.Request) (answered bool) {
	const timeouts = 400 // one of so many, because each lasts as long as Levy waits
	switch {
	case n%timeouts == 0:
		<-r.Context().Done()
	case n%15 == 1:
		w.WriteHeader(http.StatusInternalServerError)
	case n%15 == 6, n%15 == 11:
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return false
		}
		if n%15 == 6 {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
		}
		_ = conn.Close()
	default:
		return false
	}
	return true
}

func (l *listeners) newReceiver(
	t *testing.T, name string, fail func(int64, http.ResponseWriter, *http.Request) bool,
) *receiver {
	t.Helper()
	r := &receiver{name: name, healed: &l.healed, fail: fail, got: map[int64]int{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	made := l.bed.Post("/v1/webhook_endpoints", l.endpoint(server.URL))
	require.Equal(t, http.StatusOK, made.Status, "%s", made.Body)
	var err error
	r.verify, err = standardwebhooks.NewWebhook(made.Field("secret"))
	require.NoError(t, err)
	r.endpoint = made.Field("id")
	require.NoError(t, l.bed.DB.QueryRow(t.Context(), "SELECT cursor_sequence FROM webhook_endpoints WHERE id = $1",
		r.endpoint).Scan(&r.from))
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var event struct {
		Sequence int64 `json:"sequence"`
	}
	body, err := io.ReadAll(request.Body)
	if r.fail != nil && !r.healed.Load() && r.fail(r.asked.Add(1), w, request) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil: // the sender died
		return
	case r.verify.Verify(body, request.Header) != nil || json.Unmarshal(body, &event) != nil:
		r.forged++
	default:
		r.got[event.Sequence]++
	}
	w.WriteHeader(http.StatusNoContent)
}

// missing returns the numbers of the events that it has not received, and how many it has received more than once.
func (r *receiver) missing(all []int64) (missing []int64, repeated int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range all {
		switch times := r.got[n]; {
		case times == 0 && n > r.from:
			missing = append(missing, n)
		case times > 1:
			repeated++
		}
	}
	return missing, repeated
}

// requireReceived compares what the reader and the receivers have got with all events.
func (l *listeners) requireReceived(t *testing.T) {
	t.Helper()
	if l.bed == nil {
		return
	}
	l.healed.Store(true)
	there := 0 // counted again when the reader has seen as many, because counting half a million takes long
	l.bed.Eventually("the reader has seen every event", func(context.Context) (bool, error) {
		l.mu.Lock()
		seen := len(l.seen)
		l.mu.Unlock()
		if seen >= there {
			there = l.bed.Count("SELECT count(*) FROM events WHERE organization_id = $1", l.bed.OrganizationID)
		}
		return seen >= there, fmt.Errorf("%d of %d", seen, there)
	})
	l.at("what receivers of webhooks got")
	var all []int64
	require.NoError(t, l.bed.DB.QueryRow(t.Context(),
		"SELECT array_agg(sequence ORDER BY sequence) FROM events WHERE organization_id = $1",
		l.bed.OrganizationID).Scan(&all))
	l.mu.Lock()
	require.Empty(t, l.wrong)
	require.Equal(t, all, l.seen[:min(len(all), len(l.seen))])
	l.mu.Unlock()
	require.NoError(t, l.bed.DB.QueryRow(t.Context(), `SELECT coalesce(array_agg(sequence ORDER BY sequence), '{}')
		FROM events
		WHERE organization_id = $1 AND type LIKE $2`, l.bed.OrganizationID, strings.ReplaceAll(l.types, "*", "%")).Scan(&all))
	for _, r := range l.receivers {
		var expedited time.Time
		l.bed.EventuallyWithin(2*testbed.WaitLimit, "every event has reached the receiver "+r.name,
			func(ctx context.Context) (bool, error) {
				missing, _ := r.missing(all)
				if len(missing) == 0 || time.Since(expedited) < time.Second {
					return len(missing) == 0, fmt.Errorf("%d of %d are missing", len(missing), len(all))
				}
				expedited = time.Now()
				// Retries are made due at once. If a worker writes the same rows, the next attempt succeeds.
				_, err := l.bed.DB.Exec(ctx,
					`UPDATE webhook_deliveries
					    SET next_attempt_at = now()
					  WHERE endpoint_id = $1 AND status = 'PENDING' AND tries > 0`, r.endpoint)
				if err == nil {
					_, err = l.bed.DB.Exec(ctx, `UPDATE webhook_endpoints
						SET next_check_at = now(), paused_until = NULL
						WHERE id = $1 AND next_check_at > now() + interval '5 seconds'`, r.endpoint)
				}
				return false, errors.Join(fmt.Errorf("%d of %d are missing", len(missing), len(all)), err)
			})
		_, repeated := r.missing(all)
		require.Zero(t, r.forged, "signatures that are wrong")
		t.Logf("%s: %d events, %d of them more than once", r.name, len(all), repeated)
	}
	l.at("audit trails")
}
