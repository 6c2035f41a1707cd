package attack_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// witness is the victim at work: it posts a sale and reads it, again and again, and
// notes how long that takes and what goes wrong.
type witness struct {
	of     *tenant
	stop   context.CancelFunc
	ended  chan struct{}
	posted int

	mu     sync.Mutex
	took   []time.Duration
	faults []string
}

// pauseOfWitness lies between two of its rounds.
const pauseOfWitness = 100 * time.Millisecond

func startWitness(of *tenant) *witness {
	ctx, stop := context.WithCancel(context.Background())
	w := &witness{of: of, stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(w.ended)
		for ; ctx.Err() == nil; w.posted++ {
			w.round(fmt.Sprintf("WITNESS-%d", w.posted))
			<-time.After(pauseOfWitness)
		}
	}()
	return w
}

func (w *witness) round(externalID string) {
	w.call(http.MethodPost, "/v1/transactions", saleBody(externalID, w.posted), http.StatusAccepted)
	w.call(http.MethodGet, "/v1/transactions/external/"+externalID, "", http.StatusOK)
}

func (w *witness) call(method, target, body string, status int) {
	began := time.Now()
	answer, err := w.of.send(context.Background(), method, target, body)
	took := time.Since(began)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.took = append(w.took, took)
	if err != nil || answer.Status != status {
		w.faults = append(w.faults, fmt.Sprintf("%s %s: %d %s %v", method, target, answer.Status, answer.Code(), err))
	}
}

// report is the slowest of the fastest 99 % since the last report, and all faults.
func (w *witness) report() (p99 time.Duration, faults []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if calls := len(w.took); calls > 0 {
		slices.Sort(w.took)
		p99 = w.took[calls*99/100]
	}
	faults = w.faults
	w.took, w.faults = nil, nil
	return p99, faults
}

// finish ends its work. All of it was accepted; it is processed in the end.
func (w *witness) finish(t *testing.T, bed *testbed.Bed) {
	t.Helper()
	w.stop()
	<-w.ended
	bed.Eventually("the witness's sales are processed", func(context.Context) (bool, error) {
		const unprocessed = `SELECT t.processing_status, count(*), min(o.attempts) AS attempts, min(o.next_attempt_at) AS next, max(o.last_error) AS error
			  FROM transactions t LEFT JOIN outbox o ON o.organization_id = t.organization_id AND o.aggregate_id = t.id
			 WHERE t.organization_id = $1 AND t.external_id LIKE 'WITNESS-%' AND t.processing_status <> 'PROCESSED' GROUP BY 1`
		left := bed.Rows(unprocessed, w.of.organization)
		return len(left) == 0, fmt.Errorf("of %d: %v", w.posted, left)
	})
	require.Equal(t, w.posted, bed.Count("SELECT count(*) FROM transactions WHERE organization_id = $1 AND external_id LIKE 'WITNESS-%'", w.of.organization))
}
