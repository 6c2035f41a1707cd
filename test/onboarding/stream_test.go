package onboarding_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// events is an event stream of an onboarding, as the partner reads it.
type events struct {
	c     *client
	text  strings.Builder // all events so far
	lines *bufio.Reader
	last  int64
}

// follow opens a stream. after is the id of the last event known, 0 for none.
func (c *client) follow(api *testbed.Service, after int64) *events {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*testbed.WaitLimit)
	c.t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, api.URL()+"/v1/onboarding/"+c.id+"/events", nil)
	require.NoError(c.t, err)
	request.Header.Set("X-API-KEY", c.bed.APIKey)
	request.Header.Set("x-organization-id", c.bed.OrganizationID)
	request.Header.Set("Last-Event-ID", strconv.FormatInt(after, 10))
	response, err := (&http.Client{Transport: &http.Transport{}}).Do(request)
	require.NoError(c.t, err)
	c.t.Cleanup(func() { _ = response.Body.Close() })
	require.Equal(c.t, http.StatusOK, response.StatusCode)
	require.Equal(c.t, "text/event-stream", response.Header.Get("Content-Type"))
	return &events{c: c, lines: bufio.NewReader(response.Body), last: after}
}

// next is the next event, which is newer than the one before; nil at the clean end.
func (e *events) next() map[string]any {
	e.c.t.Helper()
	for {
		line, err := e.lines.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" {
			return nil
		}
		require.NoError(e.c.t, err, "the stream broke off")
		e.text.WriteString(line)
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			version, err := strconv.ParseInt(strings.TrimSpace(id), 10, 64)
			require.NoError(e.c.t, err)
			require.Greater(e.c.t, version, e.last, "no repeat")
			e.last = version
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var onboarding map[string]any
			require.NoError(e.c.t, json.Unmarshal([]byte(data), &onboarding))
			return onboarding
		}
	}
}

// until reads on until the condition holds, and returns the event for which it does.
func (e *events) until(what string, condition func(onboarding map[string]any) bool) map[string]any {
	e.c.t.Helper()
	for {
		onboarding := e.next()
		require.NotNil(e.c.t, onboarding, "the stream ended before "+what)
		if condition(onboarding) {
			return onboarding
		}
	}
}

func stepIs(step float64) func(map[string]any) bool {
	return func(onboarding map[string]any) bool { return onboarding["current_step"] == step }
}

// A stream of one process has the events of another one. The drain of its process ends it, it continues on another
// one where it stopped, and it ends when the compensation is finished.
func TestEventsOfAnOnboarding(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	other := bed.NewAPI()
	other.Start()
	c := newClient(t, bed, "Acme Trading")
	c.upTo(2)
	stream := c.follow(other, 0)
	require.InDelta(t, 2, stream.next()["current_step"], 0, "the current state")
	for n := 3; n <= 5; n++ {
		c.upFrom(n, n)
		stream.until("the step is seen", stepIs(float64(n)))
	}
	drained := make(chan struct{})
	go func() { other.Stop(); close(drained) }()
	require.Nil(t, stream.next(), "nothing happened since")
	<-drained

	known := c.follow(bed.API, stream.last)
	c.upFrom(6, 6)
	require.InDelta(t, 6, known.next()["current_step"], 0, "events that were received are not repeated")
	behind := c.follow(bed.API, stream.last)
	require.InDelta(t, 6, behind.next()["current_step"], 0, "missed events are sent at once")
	require.Equal(t, known.last, behind.last)

	require.Equal(t, http.StatusOK, c.cancel().status)
	done := known.until("all is undone", func(o map[string]any) bool {
		return o["compensation"].(map[string]any)["status"] == "DONE"
	})
	require.Equal(t, "CANCELLED", done["status"])
	require.Equal(t, "COMPENSATED", done["steps"].([]any)[0].(map[string]any)["status"])
	require.Nil(t, known.next(), "there are no more events")
	for _, value := range planted {
		require.NotContains(t, stream.text.String()+known.text.String(), value)
	}
}
