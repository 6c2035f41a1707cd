// Package webhooks_test has the real service send events to receivers, which verify them with the reference library,
// and which fail in every way.
package webhooks_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func TestMain(m *testing.M) { testbed.Main(m) }

func open(t *testing.T, o testbed.Options) *testbed.Bed {
	t.Helper()
	bed := testbed.New(t, o)
	bed.Set("LEVY_WEBHOOK_HOSTS", "127.0.0.1")
	bed.API.Start()
	return bed
}

// message is an event as a receiver gets it.
type message struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Sequence  int64  `json:"sequence"`
	Data      struct {
		Object map[string]any `json:"object"`
		Thin   bool           `json:"thin"`
	} `json:"data"`
}

// receiver receives events, records those with a valid signature, and answers as the test sets.
type receiver struct {
	bed      *testbed.Bed
	endpoint string // its id
	public   string
	url      string

	mu     sync.Mutex
	verify *standardwebhooks.Webhook
	answer func(w http.ResponseWriter, r *http.Request)
	got    []message
	forged int
}

func newReceiver(t *testing.T, bed *testbed.Bed, more map[string]any, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{bed: bed, answer: answer}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	body := map[string]any{"url": server.URL + "/levy"}
	for k, v := range more {
		body[k] = v
	}
	made := bed.Post("/v1/webhook_endpoints", body)
	require.Equal(t, 200, made.Status, "%s", made.Body)
	r.endpoint, r.public = made.Field("id"), made.Field("public_key")
	r.trust(t, made.Field("secret"))
	return r
}

func (r *receiver) trust(t *testing.T, secret string) {
	t.Helper()
	verify, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.verify = verify
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	var m message
	r.mu.Lock()
	answer := r.answer
	if r.verify.Verify(body, request.Header) != nil || json.Unmarshal(body, &m) != nil ||
		m.ID != request.Header.Get("webhook-id") {
		r.forged++
	} else {
		r.got = append(r.got, m)
	}
	r.mu.Unlock()
	answer(w, request)
}

func (r *receiver) messages() (got []message, forged int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append(got, r.got...), r.forged
}

func (r *receiver) path(rest string) string { return "/v1/webhook_endpoints/" + r.endpoint + rest }

// objects are the objects of the received events, with their numbers.
func (r *receiver) objects() map[string]int {
	got, _ := r.messages()
	objects := map[string]int{}
	for _, m := range got {
		id, _ := m.Data.Object["n"].(string)
		objects[id]++
	}
	return objects
}

type delivery struct {
	ID            string  `json:"id"`
	EventID       string  `json:"event_id"`
	Type          string  `json:"type"`
	ReplayID      string  `json:"replay_id"`
	Status        string  `json:"status"`
	NextAttemptAt *string `json:"next_attempt_at"`
	Attempts      []struct {
		HTTPStatus int    `json:"http_status"`
		Error      string `json:"error"`
	} `json:"attempts"`
}

func (r *receiver) deliveries() (list []delivery) {
	var page struct{ Items []delivery }
	answer := r.bed.Get(r.path("/deliveries"))
	_ = json.Unmarshal(answer.Body, &page)
	return page.Items
}

// delivered waits until a number of deliveries have a status.
func (r *receiver) delivered(n int, status string) []delivery {
	var found []delivery
	r.bed.Eventually(fmt.Sprintf("%d deliveries are %s", n, status), func(context.Context) (bool, error) {
		found = nil
		all := r.deliveries()
		for _, d := range all {
			if d.Status == status {
				found = append(found, d)
			}
		}
		return len(found) == n, fmt.Errorf("%+v", all)
	})
	return found
}

// happen writes events of a type as the service does, numbered from first on.
func happen(bed *testbed.Bed, kind string, first, n int) {
	bed.Exec(`INSERT INTO events (organization_id, type, object_id, record)
		SELECT $1, $2, 'content_' || i, jsonb_build_object('n', i::text) FROM generate_series($3::integer, $4::integer) i`,
		bed.OrganizationID, kind, first, first+n-1)
}

func accept(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// metrics are those of webhooks that a process shows.
func metrics(ctx context.Context, t *testing.T, address string) map[string]float64 {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/metrics", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	said := map[string]float64{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if name, value, found := strings.Cut(lines.Text(), " "); found && strings.HasPrefix(name, "levy_webhook_") {
			said[name], err = strconv.ParseFloat(value, 64)
			require.NoError(t, err)
		}
	}
	return said
}

var errMore = errors.New("not all arrived")

// timeout is the limit of a wait on a busy machine, and pause the time between two checks.
const timeout, pause = time.Minute, 20 * time.Millisecond
