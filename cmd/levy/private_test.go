package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/secret"
	"levy/store/pg"
	"levy/store/storetest"
)

// health is a client of a Temporal server that answers or fails.
type health struct {
	sdkclient.Client
	err error
}

func (h health) CheckHealth(context.Context, *sdkclient.CheckHealthRequest) (*sdkclient.CheckHealthResponse, error) {
	return &sdkclient.CheckHealthResponse{}, h.err
}

// A worker is ready when it gets tasks: before that a roll-out must not end the old release, which does the work.
// While Temporal does not answer no worker gets tasks, and it is ready like an API.
func TestAWorkerIsReadyWhenItGetsTasks(t *testing.T) { //nolint:paralleltest // it opens the parts of a process
	p := newAPIProcess(t).parts
	for name, c := range map[string]struct {
		registered *atomic.Bool
		now        bool
		temporal   error
		want       int
	}{
		"a worker that gets tasks":                {new(atomic.Bool), true, nil, http.StatusOK},
		"a worker that gets none yet":             {new(atomic.Bool), false, nil, http.StatusServiceUnavailable},
		"a worker while Temporal does not answer": {new(atomic.Bool), false, errors.New("unreachable"), http.StatusOK},
		"a process that has no worker":            {nil, false, nil, http.StatusOK},
		"an API while Temporal does not answer":   {nil, false, errors.New("unreachable"), http.StatusOK},
		"a worker that has lost Temporal":         {new(atomic.Bool), true, errors.New("unreachable"), http.StatusOK},
	} {
		if c.now {
			c.registered.Store(true)
		}
		p.registered, p.client = c.registered, health{p.client, c.temporal}
		w := httptest.NewRecorder()
		p.ready(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		require.Equal(t, c.want, w.Code, name)
		require.Equal(t, c.want != http.StatusOK, strings.Contains(w.Body.String(), `"worker":"starting"`), name)
	}
}

// A Temporal server that answers but dispatches no tasks is a warning: accepted work waits.
func TestATemporalThatDispatchesNothingIsAWarning(t *testing.T) { //nolint:paralleltest // it opens the parts of a process
	p := newProcessAs(t, pg.RoleWorker).parts
	p.client = health{p.client, nil}
	registry := prometheus.NewRegistry()
	registry.MustRegister(newBacklogCollector(p.store))
	age := func() int {
		gathered, err := registry.Gather()
		require.NoError(t, err)
		for _, family := range gathered {
			if family.GetName() == "levy_heartbeat_age_seconds" {
				oldest := 0 // of all task queues
				for _, m := range family.GetMetric() {
					oldest = max(oldest, int(m.GetGauge().GetValue()))
				}
				return oldest
			}
		}
		return -1
	}
	for old, want := range map[string]string{"2 minutes": "ok", "4 minutes": "degraded"} {
		_, err := p.store.Exec(t.Context(), // the other rows are as old as the database that all tests copy
			"UPDATE engine_checks SET done_at = now() - CASE name WHEN 'heartbeat' THEN $1::interval ELSE interval '0' END", old)
		require.NoError(t, err)
		w := httptest.NewRecorder()
		p.ready(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		require.Equal(t, http.StatusOK, w.Code, old)
		require.JSONEq(t, `{"checks":{"postgres":"ok","row_security":"ok","temporal":"`+want+`"}}`, w.Body.String())
		require.Equal(t, old, fmt.Sprintf("%d minutes", age()/60))
	}
	p.registered = new(atomic.Bool) // a worker that gets no tasks yet is not ready all the same
	w := httptest.NewRecorder()
	_, err := p.store.Exec(t.Context(), "UPDATE engine_checks SET done_at = now() - interval '1 hour'")
	require.NoError(t, err)
	p.ready(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
}

// The metrics of a process cover its connections and the tax content.
func TestPoolAndContentAreMeasured(t *testing.T) { //nolint:paralleltest // it opens the parts of a process
	p := newAPIProcess(t).parts
	for _, statement := range []string{
		`INSERT INTO content_versions (version, pack, note, sources, recorded_at)
		 VALUES ('1.2', '', '', '[]', now() - interval '101 days')`,
		`INSERT INTO content_activations (version, reason) VALUES ('1.2', 'a test')`,
	} {
		_, err := p.store.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	gathered, err := p.registry.Gather()
	require.NoError(t, err)
	values := map[string]float64{}
	for _, family := range gathered {
		for _, m := range family.GetMetric() {
			name := family.GetName()
			for _, label := range m.GetLabel() {
				name += " " + label.GetValue()
			}
			values[name] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	require.InDelta(t, (101 * 24 * time.Hour).Seconds(), values["levy_content_age_seconds 1.2"],
		3700) // a change of the clock
	require.InDelta(t, 4, values["levy_database_connections_max"], 0)
	require.GreaterOrEqual(t, values["levy_database_connections in_use"]+values["levy_database_connections idle"], 1.0)
	require.Contains(t, values, "levy_database_wait_seconds_total")
	require.Contains(t, values, "levy_filings_waiting overdue")
	require.Contains(t, values, "levy_due_oldest_seconds amendments")
}

// A process whose private address another one has does not start: that one would answer for it.
func TestAPrivateAddressInUseEndsTheStart(t *testing.T) { //nolint:paralleltest // it opens the parts of a process
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	env := []string{
		"LEVY_DATABASE_URL=" + storetest.URL(t), "LEVY_MASTER_KEYS=" + secret.NewMasterKey("k1"),
		"LEVY_TEMPORAL_ADDRESS=127.0.0.1:1", "LEVY_HTTP_ADDR=127.0.0.1:0", "LEVY_PRIVATE_ADDR=" + taken.Addr().String(),
	}
	for _, command := range []string{"api", "worker"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // it would serve for ever
		err := run(ctx, []string{command}, env, io.Discard, io.Discard)
		cancel()
		require.ErrorContains(t, err, "LEVY_PRIVATE_ADDR: listen tcp "+taken.Addr().String(), command)
	}
}
