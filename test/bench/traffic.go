package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	// trafficClients post a sale each every trafficPause, and after one that failed soon another one.
	trafficClients = 8
	trafficPause   = 250 * time.Millisecond
	trafficRetry   = 10 * time.Millisecond
	// trafficTimeout is when a client gives up a request.
	trafficTimeout = 2 * time.Second
)

// traffic is a light load, whose clients go on whatever happens.
type traffic struct {
	sales  *sales
	cancel context.CancelFunc
	ended  sync.WaitGroup

	mu       sync.Mutex
	from     time.Time
	refusal  bool     // the first refusal since then is still to come
	accepted []string // external ids of sales that were sent after from, and after that
}

func (b *bench) startTraffic(ctx context.Context) *traffic {
	ctx, cancel := context.WithCancel(ctx)
	t := &traffic{sales: b.sales, cancel: cancel}
	for range trafficClients {
		t.ended.Go(func() {
			for ctx.Err() == nil {
				_ = t.post(ctx)
				select {
				case <-ctx.Done():
				case <-time.After(trafficRetry):
				}
			}
		})
	}
	return t
}

func (t *traffic) stop() {
	t.cancel()
	t.ended.Wait()
}

// post posts sales on a connection until one fails, or ctx ends.
func (t *traffic) post(ctx context.Context) error {
	c, err := t.sales.connect(ctx)
	if err != nil {
		t.refused(time.Now())
		return err
	}
	defer c.Close()
	c.timeout = trafficTimeout
	for ctx.Err() == nil {
		began, number := time.Now(), t.sales.next.Add(1)
		if err := c.send(number, began); err != nil {
			t.refused(began)
			return err
		}
		t.note(number, began)
		select {
		case <-ctx.Done():
		case <-time.After(trafficPause):
		}
	}
	return nil
}

func (t *traffic) note(number int64, began time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if began.After(t.from) && !t.refusal {
		t.accepted = append(t.accepted, fmt.Sprintf("ORDER-%0*d", numberDigits, number))
	}
}

// refused notes that a sale was not accepted.
func (t *traffic) refused(began time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if began.After(t.from) && t.refusal {
		t.from, t.refusal = began, false
	}
}

// since forgets what was sent before at; refusal says that nothing counts before the first refusal after it.
func (t *traffic) since(at time.Time, refusal bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.from, t.refusal, t.accepted = at, refusal, nil
}

// taken are the external ids of the sales that were sent since then and accepted.
func (t *traffic) taken() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.accepted)
}
