package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"levy/client"
)

const (
	// deliveredEvents is of how many events the rate of deliveries is measured, and backlogEvents how many of another
	// organization wait.
	deliveredEvents, backlogEvents = 20_000, 1_000_000
	// otherTakes is how long the receiver of the backlog takes to answer.
	otherTakes = 10 * time.Millisecond
)

// happened writes events as the service does, numbered from $2 on.
const happened = `INSERT INTO events (organization_id, type, object_id, record)
	SELECT $1, 'content.activated', 'content_' || i, jsonb_build_object('n', i)
	FROM generate_series($2::bigint, $3::bigint) i`

// arrivals notes when events arrived for the first time.
type arrivals struct {
	mu    sync.Mutex
	at    map[int]time.Time
	takes time.Duration
}

func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	var event struct {
		Data struct {
			Object struct {
				N int `json:"n"`
			} `json:"object"`
		} `json:"data"`
	}
	if json.NewDecoder(r.Body).Decode(&event) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	if _, seen := a.at[event.Data.Object.N]; !seen && event.Data.Object.N > 0 {
		a.at[event.Data.Object.N] = now
	}
	a.mu.Unlock()
	if a.takes > 0 {
		<-time.After(a.takes)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (a *arrivals) of(n int) (at time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok = a.at[n]
	return at, ok
}

func (a *arrivals) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.at)
}

// measureWebhooks measures the time from the commit of an event until its receiver has it. It does so when nothing else
// happens, with many events at once, and while another organization has a backlog of a million.
func (b *bench) measureWebhooks(ctx context.Context) error {
	b.say("Webhooks: one event at a time, %d times; %d at once; beside a backlog of %d", b.Idle, deliveredEvents,
		backlogEvents)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	service := client.New(b.baseURL, b.apiKey, b.organizationID)
	own := &arrivals{at: map[int]time.Time{}}
	end, err := receive(ctx, service, own)
	if err != nil {
		return err
	}
	defer end()
	if err := b.measureDelivery(ctx, own, 1, "idle", 500); err != nil {
		return err
	}
	before, _, _ := memory(b.worker.PID())
	first, began := 1_000_000, time.Now()
	if _, err := b.db.Exec(ctx, happened, b.organizationID, first, first+deliveredEvents-1); err != nil {
		return err
	}
	err = until(ctx, "all are delivered", 20*time.Millisecond, 10*time.Minute, func(context.Context) (bool, error) {
		return own.count() >= b.Idle+deliveredEvents, nil
	})
	if err != nil {
		return err
	}
	rate := deliveredEvents / time.Since(began).Seconds()
	after, peak, _ := memory(b.worker.PID())
	b.say("  %.0f deliveries/s to one endpoint, none lost; worker %.0f MB before, %.0f after, at most %.0f", rate,
		before, after, peak)
	b.report.note("Webhooks: %.0f deliveries/s to one endpoint, none lost; worker %.0f MB before, %.0f after, "+
		"at most %.0f.", rate, before, after, peak)
	return b.measureBesideBacklog(ctx, service, own)
}

func (b *bench) measureBesideBacklog(ctx context.Context, service *client.Client, own *arrivals) error {
	made, err := service.CreateOrganization(ctx, client.OrganizationCreate{Name: "Backlog"})
	if err != nil {
		return err
	}
	key, err := client.New(b.baseURL, b.apiKey, made.ID).CreateAPIKey(ctx, client.APIKeyCreate{})
	if err != nil {
		return err
	}
	other := &arrivals{at: map[int]time.Time{}, takes: otherTakes}
	end, err := receive(ctx, client.New(b.baseURL, key.APIKey, made.ID), other)
	if err != nil {
		return err
	}
	defer end()
	if _, err := b.db.Exec(ctx, happened, made.ID, 1, backlogEvents); err != nil {
		return err
	}
	if _, err := b.db.Exec(ctx, "ANALYZE events"); err != nil {
		return err
	}
	err = until(ctx, "the backlog is processed", 20*time.Millisecond, time.Minute, func(context.Context) (bool, error) {
		return other.count() > 0, nil
	})
	if err != nil {
		return err
	}
	before := other.count()
	if err := b.measureDelivery(ctx, own, 2_000_000, "beside a backlog of a million", 2000); err != nil {
		return err
	}
	held, peak, _ := memory(b.worker.PID())
	b.say("  of the backlog %d were delivered meanwhile; worker %.0f MB, at most %.0f", other.count()-before, held, peak)
	b.report.note("Beside the backlog, of which %d were delivered meanwhile: worker %.0f MB, at most %.0f.",
		other.count()-before, held, peak)
	return nil
}

// measureDelivery has one event happen after the other.
func (b *bench) measureDelivery(ctx context.Context, own *arrivals, first int, when string, aim float64) error {
	var all latencies
	for n := first; n < first+b.Idle; n++ {
		// At any moment between two polls of the worker.
		<-time.After(300*time.Millisecond + rand.N(300*time.Millisecond))
		if _, err := b.db.Exec(ctx, happened, b.organizationID, n, n); err != nil {
			return err
		}
		committed := time.Now()
		err := until(ctx, "delivered", time.Millisecond, time.Minute, func(context.Context) (bool, error) {
			_, ok := own.of(n)
			return ok, nil
		})
		if err != nil {
			return err
		}
		at, _ := own.of(n)
		all = append(all, at.Sub(committed))
	}
	b.say("  %s: p50 %.0f ms, p99 %.0f ms", when, all.percentile(50), all.percentile(99))
	b.report.atMost("event to receiver, "+when+", p50", "ms", all.percentile(50), aim)
	b.report.atMost("event to receiver, "+when+", p99", "ms", all.percentile(99), aim)
	return nil
}

// receive registers a receiver.
func receive(ctx context.Context, service *client.Client, receiver http.Handler) (end func(), err error) {
	server := httptest.NewServer(receiver)
	_, err = service.CreateWebhookEndpoint(ctx, client.WebhookEndpointCreate{URL: server.URL})
	if err != nil {
		server.Close()
		return nil, fmt.Errorf("register a receiver: %w", err)
	}
	return server.Close, nil
}
