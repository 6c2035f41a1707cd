package worker

import (
	"context"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"levy/models"
	"levy/workflows"
)

const (
	// openBatches bounds the batches of a process that are under way; what arrives
	// meanwhile leaves together with the next one. So batches grow with the load: one
	// costs Temporal the same whatever its size.
	openBatches = 4
	// gatherFor is how long, for each batch under way, the next one waits after the last was opened, unless it is full:
	// a batch of few costs Temporal, which writes thirty times for it, and the database, which plans its statements
	// again, as much as one of many. Where none is under way nothing waits.
	gatherFor = 250 * time.Millisecond
	// openAtMost is how long a batch that does not end keeps others from being
	// opened: without workers, or with a stage that retries, the queue goes on.
	openAtMost = 5 * time.Second
	// releaseSlotAfter is how long no batch may end before one gives its place to the next: those
	// of a worker that was killed do not end for ten seconds, and what comes after them need
	// not wait for that.
	releaseSlotAfter = time.Second
	// offersLapse is when an offer is left to the relay, which takes rows 3 s after
	// they were written: starting it here as well would only do the work twice.
	offersLapse = 2500 * time.Millisecond
	// maxQueued bounds the memory of the queue.
	maxQueued = 20_000
	// maxLinks is what a span keeps of links.
	maxLinks = 128
)

// Results of offers, as metrics count them.
const (
	offerQueued   = "queued"
	offerFull     = "full"
	offerBreaker  = "breaker"
	offerDraining = "draining"
	offerLapsed   = "lapsed"
)

// Dispatcher starts workflows for transactions as they are accepted. In quiet
// times each gets its own within milliseconds; under load what arrives while
// batches are under way shares the next one, organizations served round-robin.
type Dispatcher struct {
	batches Batches
	tracer  trace.Tracer

	mu       sync.Mutex
	queue    *queue
	draining bool

	wake        chan struct{} // something was offered, a batch is full or has ended, or draining began
	releaseSlot chan struct{} // taken by a batch that is waited for no longer
	stopping    chan struct{} // closed when draining begins
	drained     chan struct{} // Run has returned
}

// NewDispatcher makes a dispatcher; Run makes it work.
func NewDispatcher(b Batches, tracer trace.Tracer) *Dispatcher {
	b.by = "dispatcher"
	return &Dispatcher{
		batches:     b,
		tracer:      tracer,
		queue:       newQueue(),
		wake:        make(chan struct{}, 1),
		releaseSlot: make(chan struct{}),
		stopping:    make(chan struct{}),
		drained:     make(chan struct{}),
	}
}

// Offer hands over a transaction whose record and outbox row are committed. It
// never blocks: what cannot be taken is left to the relay. ctx gives the trace.
func (d *Dispatcher) Offer(ctx context.Context, ref models.Ref) {
	d.batches.Metrics.offers.WithLabelValues(d.offer(ctx, ref)).Inc()
}

func (d *Dispatcher) offer(ctx context.Context, ref models.Ref) (result string) {
	if d.batches.Breaker.current() == breakerOpen {
		return offerBreaker
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining {
		return offerDraining
	}
	if d.queue.size >= maxQueued {
		return offerFull
	}
	d.queue.push(offer{ref: ref, at: time.Now(), span: trace.SpanContextFromContext(ctx)})
	d.reportQueued()
	if d.queue.size == 1 || d.queue.size == workflows.MaxBatch {
		d.signal()
	}
	return offerQueued
}

// Drain refuses further offers and starts what is queued. It returns when that is
// done, or with the error of ctx; what is left then is the relay's.
func (d *Dispatcher) Drain(ctx context.Context) error {
	d.mu.Lock()
	if !d.draining {
		d.draining = true
		close(d.stopping)
	}
	d.mu.Unlock()
	d.signal()
	select {
	case <-d.drained:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run dispatches until Drain is done or ctx ends, and then waits for the start
// calls under way.
func (d *Dispatcher) Run(ctx context.Context) {
	defer close(d.drained)
	var calls sync.WaitGroup
	defer calls.Wait()
	slots := make(chan struct{}, openBatches)
	var opened time.Time
	for d.waitForOffers(ctx) {
		if !d.waitForSlot(ctx, slots) || !d.gather(ctx, slots, opened) {
			return
		}
		batch := d.take()
		opened = time.Now()
		calls.Go(func() {
			defer func() { <-slots; d.signal() }()
			if len(batch) == 0 {
				return
			}
			if id, refs, started := d.start(context.WithoutCancel(ctx), batch); started {
				d.waitForEnd(ctx, id, refs)
			}
		})
	}
}

// waitForOffers returns true when something is queued, false when all is done.
func (d *Dispatcher) waitForOffers(ctx context.Context) bool {
	for {
		d.mu.Lock()
		size, draining := d.queue.size, d.draining
		d.mu.Unlock()
		if size > 0 {
			return true
		}
		if draining {
			return false
		}
		select {
		case <-d.wake:
		case <-ctx.Done():
			return false
		}
	}
}

// waitForSlot takes a slot. It returns false when ctx ends before.
func (d *Dispatcher) waitForSlot(ctx context.Context, slots chan<- struct{}) bool {
	for {
		select {
		case slots <- struct{}{}:
			return true
		case <-ctx.Done():
			return false
		case <-time.After(releaseSlotAfter):
			select {
			case d.releaseSlot <- struct{}{}:
			default: // all slots are taken by start calls
			}
		}
	}
}

// gather returns when the next batch is full or its time has come, or when the dispatcher drains: slots has its place,
// and those of the batches under way. It returns false when ctx ends before.
func (d *Dispatcher) gather(ctx context.Context, slots <-chan struct{}, opened time.Time) bool {
	for {
		d.mu.Lock()
		ready := d.draining || d.queue.size >= workflows.MaxBatch
		d.mu.Unlock()
		others := len(slots) - 1
		wait := time.Until(opened.Add(time.Duration(others) * gatherFor))
		if ready || wait <= 0 {
			return true
		}
		select {
		case <-time.After(wait):
		case <-d.wake:
		case <-ctx.Done():
			return false
		}
	}
}

func (d *Dispatcher) take() []offer {
	offers := d.batches.Metrics.offers
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.reportQueued()
	if d.batches.Breaker.current() == breakerOpen {
		offers.WithLabelValues(offerBreaker).Add(float64(d.queue.clear()))
		return nil
	}
	batch, lapsed := d.queue.take(time.Now().Add(-offersLapse))
	offers.WithLabelValues(offerLapsed).Add(float64(lapsed))
	return batch
}

// waitForEnd returns when a batch has ended, has had its time or gives way, or when
// the dispatcher stops.
func (d *Dispatcher) waitForEnd(ctx context.Context, batchID string, refs []models.Ref) {
	ctx, cancel := context.WithTimeout(ctx, openAtMost)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// However the batch ended, it is not open any more; if that is not known, its
		// time decides.
		if d.batches.wait(ctx, batchID, refs) != nil {
			<-ctx.Done()
		}
	}()
	select {
	case <-ended:
	case <-d.releaseSlot:
	case <-d.stopping:
	}
}

// start starts one batch in the trace of its first offer, linked to the others.
func (d *Dispatcher) start(ctx context.Context, batch []offer) (batchID string, refs []models.Ref, started bool) {
	refs = make([]models.Ref, 0, len(batch))
	var links []trace.Link
	for i, o := range batch {
		refs = append(refs, o.ref)
		if i > 0 && o.span.IsValid() && len(links) < maxLinks {
			links = append(links, trace.Link{SpanContext: o.span})
		}
	}
	ctx, span := d.tracer.Start(
		trace.ContextWithSpanContext(ctx, batch[0].span), "dispatch transactions", trace.WithLinks(links...),
	)
	defer span.End()
	batchID = models.NewID(models.PrefixBatch)
	return batchID, refs, d.batches.start(ctx, batchID, refs, workflows.Recent, false)
}

// reportQueued reports to the circuit breaker and the metrics how much waits.
func (d *Dispatcher) reportQueued() {
	d.batches.Breaker.live.Store(int64(d.queue.size))
	d.batches.Metrics.queued.Set(float64(d.queue.size))
}

func (d *Dispatcher) signal() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}
