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
	// openBatches bounds the batches in progress of a process. Transactions that arrive meanwhile share the next batch,
	// so batches grow with the load. A large batch costs Temporal no more than a small one.
	openBatches = 4
	// gatherFor is the pause after the start of a batch for each batch in progress, unless the next one is full. A
	// batch of few transactions costs as much as one of many: Temporal writes thirty times for it, and the database
	// plans its statements again. While no batch is in progress, nothing waits.
	gatherFor = 250 * time.Millisecond
	// openAtMost bounds the time for which a batch holds its slot. Batches do not end without workers, or while a stage
	// retries.
	openAtMost = 5 * time.Second
	// releaseSlotAfter is the time without the end of a batch after which one releases its slot. Batches of a killed
	// worker do not end for ten seconds, and later transactions need not wait for that.
	releaseSlotAfter = time.Second
	// offersLapse is the age at which an offer is dropped. The relay takes its row 3 s after it was written, and
	// starting it twice would do the work twice.
	offersLapse = 2500 * time.Millisecond
	// maxQueued bounds the queue, to bound its memory.
	maxQueued = 20_000
	// maxLinks is the number of links that a span keeps.
	maxLinks = 128
)

// Results of offers, as labels of the metric.
const (
	offerQueued   = "queued"
	offerFull     = "full"
	offerBreaker  = "breaker"
	offerDraining = "draining"
	offerLapsed   = "lapsed"
)

// Dispatcher starts workflows for transactions as they are accepted. Without load each transaction gets its own
// workflow within milliseconds. Under load, transactions that arrive while batches are in progress share the next
// batch, with the organizations in rotation.
type Dispatcher struct {
	batches Batches
	tracer  trace.Tracer

	mu       sync.Mutex
	queue    *queue
	draining bool

	wake        chan struct{} // there is an offer, a batch is full or has ended, or draining began
	releaseSlot chan struct{} // received by a batch that releases its slot
	stopping    chan struct{} // closed when draining begins
	drained     chan struct{} // closed when Run returns
}

// NewDispatcher returns a dispatcher; Run makes it work.
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

// Offer hands over a transaction whose record and outbox row are committed. It never blocks: it leaves a transaction
// for which there is no room to the relay. ctx gives the trace.
func (d *Dispatcher) Offer(ctx context.Context, ref models.Ref) {
	d.batches.Metrics.offers.WithLabelValues(d.offer(ctx, ref)).Inc()
}

// offer queues a transaction, if it can, and returns the result for the metric.
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

// Drain refuses further offers and starts the queued ones. It returns when that is done, or with the error of ctx; the
// relay starts the rest.
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

// Run starts batches until Drain is done or ctx ends, and then waits for the start calls in progress.
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

// waitForOffers waits until there are offers. It returns false if the dispatcher has drained them or ctx has ended.
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

// waitForSlot acquires a slot. It returns false if ctx ends before.
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
			default: // start calls hold all slots
			}
		}
	}
}

// gather returns true when the next batch is full or its time has come, or when the dispatcher drains. slots holds the
// slot of that batch, and those of the batches in progress. gather returns false if ctx ends before.
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

// take removes the next batch from the queue and returns it. While the breaker is open it drops all offers.
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

// waitForEnd returns when a batch has ended, its time is over or it releases its slot, or when the dispatcher stops.
func (d *Dispatcher) waitForEnd(ctx context.Context, batchID string, refs []models.Ref) {
	ctx, cancel := context.WithTimeout(ctx, openAtMost)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// After an error it is not known whether the batch has ended, so it holds its slot for its whole time.
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

// start starts one batch in the trace of its first offer, linked to the traces of the others.
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

// reportQueued reports the size of the queue to the circuit breaker and the metrics.
func (d *Dispatcher) reportQueued() {
	d.batches.Breaker.live.Store(int64(d.queue.size))
	d.batches.Metrics.queued.Set(float64(d.queue.size))
}

// signal wakes Run.
func (d *Dispatcher) signal() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}
