package worker

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"levy/models"
	"levy/workflows"
)

// waitLimit is how long a test waits at the most. It is long because other tests are compiled and run on the same
// machine.
const waitLimit = 5 * time.Minute

// fakeStarter records starts. Its functions may be nil.
type fakeStarter struct {
	mu         sync.Mutex
	starts     []recordedStart
	start      func(ctx context.Context, batchID string, refs []models.Ref) error
	wait       func(ctx context.Context, batchID string) error
	lost       map[string]bool
	statuses   map[string]BatchStatus // nil: Temporal knows no run
	taken      bool                   // workers have taken the batches that are started
	terminated []string
	probe      func() error
	probes     int
}

type recordedStart struct {
	batchID string
	refs    []models.Ref
	urgency workflows.Urgency
	at      time.Time
	span    trace.SpanContext
}

func (s *fakeStarter) Start(
	ctx context.Context, batchID string, refs []models.Ref, urgency workflows.Urgency,
) error {
	s.mu.Lock()
	s.starts = append(s.starts, recordedStart{batchID, refs, urgency, time.Now(), trace.SpanContextFromContext(ctx)})
	if s.statuses != nil {
		s.statuses[batchID] = BatchStatus{Open: true, Taken: s.taken, Began: time.Now(), Moved: time.Now()}
	}
	s.mu.Unlock()
	if s.start != nil {
		return s.start(ctx, batchID, refs)
	}
	return nil
}

func (s *fakeStarter) Wait(ctx context.Context, batchID string) (lost bool, err error) {
	if s.wait != nil {
		err = s.wait(ctx, batchID)
	}
	return s.lost[batchID], err
}

func (s *fakeStarter) Describe(_ context.Context, batchID string) (BatchStatus, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.statuses[batchID], nil
}

func (s *fakeStarter) Terminate(_ context.Context, batchID, _ string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.terminated = append(s.terminated, batchID)
	delete(s.statuses, batchID)
	return nil
}

func (s *fakeStarter) Probe(context.Context) error {
	s.mu.Lock()
	s.probes++
	s.mu.Unlock()
	if s.probe != nil {
		return s.probe()
	}
	return nil
}

// ended lists the batches that were terminated, in order.
func (s *fakeStarter) ended() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.terminated)
}

func (s *fakeStarter) all() []recordedStart {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]recordedStart(nil), s.starts...)
}

func (s *fakeStarter) probed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.probes
}

// refs lists every transaction that was started, in order.
func (s *fakeStarter) refs() []models.Ref {
	var refs []models.Ref
	for _, start := range s.all() {
		refs = append(refs, start.refs...)
	}
	return refs
}

// fakeOutbox keeps rows in memory with the rules of the real one.
type fakeOutbox struct {
	mu         sync.Mutex
	rows       []models.OutboxRow
	due        map[models.Ref]time.Time
	leases     []int // the limits of all leases
	marked     map[string][]models.Ref
	released   []string
	leaseError error
}

func newFakeOutbox(rows ...models.OutboxRow) *fakeOutbox {
	return &fakeOutbox{rows: slices.Clone(rows), due: make(map[models.Ref]time.Time),
		marked: make(map[string][]models.Ref)}
}

func (o *fakeOutbox) MarkStarted(_ context.Context, batchID string, refs []models.Ref) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.marked[batchID] = append(o.marked[batchID], refs...)
	carried := make(map[models.Ref]bool, len(refs))
	for _, ref := range refs {
		carried[ref] = true
	}
	for i, row := range o.rows {
		if carried[row.Ref] {
			o.rows[i].BatchID = batchID
			o.due[row.Ref] = time.Now().Add(time.Minute)
		}
	}
	return nil
}

func (o *fakeOutbox) Lease(_ context.Context, limit int) ([]models.OutboxRow, error) {
	return o.lease(limit, func(row models.OutboxRow) bool { return !row.Background })
}

func (o *fakeOutbox) LeaseBackground(_ context.Context, batchID string, limit int) ([]models.OutboxRow, error) {
	rows, err := o.lease(limit, func(row models.OutboxRow) bool { return row.Background })
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range rows {
		rows[i].BatchID = cmp.Or(rows[i].BatchID, batchID)
		o.due[rows[i].Ref] = time.Now().Add(time.Minute)
		for j := range o.rows {
			if o.rows[j].Ref == rows[i].Ref {
				o.rows[j].BatchID = rows[i].BatchID
			}
		}
	}
	return rows, err
}

func (o *fakeOutbox) LeaseRecent(_ context.Context, limit int) ([]models.OutboxRow, error) {
	return o.lease(limit, func(row models.OutboxRow) bool {
		return !row.Background && row.Attempts == 0 && time.Since(row.CreatedAt) < models.RecentFor
	})
}

func (o *fakeOutbox) lease(limit int, which func(models.OutboxRow) bool) ([]models.OutboxRow, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.leases = append(o.leases, limit)
	if o.leaseError != nil {
		return nil, o.leaseError
	}
	var leased []models.OutboxRow
	for i, row := range o.rows {
		if len(leased) == limit || !which(row) || o.due[row.Ref].After(time.Now()) {
			continue
		}
		o.rows[i].Attempts++
		o.due[row.Ref] = time.Now().Add(min(3*time.Second<<min(row.Attempts, 6), time.Minute))
		leased = append(leased, o.rows[i])
	}
	return leased, nil
}

func (o *fakeOutbox) Release(_ context.Context, rows []models.OutboxRow) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, left := range rows {
		for i, row := range o.rows {
			if row.Ref == left.Ref && row.BatchID == left.BatchID {
				o.released = append(o.released, row.BatchID)
				o.rows[i].BatchID = ""
				o.due[row.Ref] = time.Now()
			}
		}
	}
	return nil
}

// state copies the fields that tests read, because other goroutines may write.
func (o *fakeOutbox) state() (marked map[string][]models.Ref, leases []int, released []string, attempts int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, row := range o.rows {
		attempts += row.Attempts
	}
	return maps.Clone(o.marked), slices.Clone(o.leases), slices.Clone(o.released), attempts
}

// setup is a dispatcher and a relay that share a circuit breaker with the default budget.
type setup struct {
	breaker    *CircuitBreaker
	metrics    *Metrics
	dispatcher *Dispatcher
	relay      *Relay
}

func newSetup(starter Starter, outbox Outbox) setup {
	metrics := NewMetrics(prometheus.NewRegistry())
	s := setup{breaker: NewCircuitBreaker(10, 10, metrics), metrics: metrics}
	s.dispatcher = NewDispatcher(s.batches(starter, outbox), noop.NewTracerProvider().Tracer(""))
	s.relay = NewRelay(s.batches(starter, outbox))
	return s
}

func (s setup) batches(starter Starter, outbox Outbox) Batches {
	return Batches{
		Starter: starter, Outbox: outbox, Breaker: s.breaker, Metrics: s.metrics, Log: slog.New(slog.DiscardHandler),
	}
}

func refOf(organization string, n int) models.Ref {
	return models.Ref{OrganizationID: organization, ID: fmt.Sprintf("txn_%04d", n), Epoch: 1}
}
