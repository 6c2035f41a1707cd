package attack_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// victimClient is the client of the victim: it posts a sale and reads it, again and again, and records latencies and
// faults. It is a process of its own, like a client on another machine: it does not queue behind the attackers of the
// test process.
type victimClient struct {
	of    *tenant
	stop  io.Closer // its standard input: it ends when this is closed
	ended chan error

	mu     sync.Mutex
	posted int
	took   []time.Duration
	faults []string
}

// pauseOfRounds is the pause between two rounds, of which parallelRounds are in progress at once.
const pauseOfRounds, parallelRounds = 25 * time.Millisecond, 2

// enoughCalls is the number of calls from which a long run computes a p99, before an attack and during it.
const enoughCalls = 300

// enough waits until enough calls were made, at most for atMost on a busy machine.
func enough(calls func() int, atMost time.Duration) {
	for began := time.Now(); calls() < enoughCalls && time.Since(began) < atMost; <-time.After(10 * time.Millisecond) {
	}
}

// victimVariable makes the test program the process of the victim's client: its value describes the victim.
const victimVariable = "LEVY_ATTACK_WITNESS"

// victim describes the victim to the process.
type victim struct {
	URL, Organization, Key string
	Address                net.IP
}

// callReport is the report of one call.
type callReport struct {
	Took   time.Duration
	Posted int
	Fault  string
}

func startVictimClient(t *testing.T, of *tenant) *victimClient {
	t.Helper()
	description, err := json.Marshal(victim{of.url, of.organization, of.key, of.address})
	require.NoError(t, err)
	process := exec.CommandContext(t.Context(), os.Args[0])
	process.Env = append(os.Environ(), victimVariable+"="+string(description))
	process.Stderr = os.Stderr
	stop, err := process.StdinPipe()
	require.NoError(t, err)
	reports, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	w := &victimClient{of: of, stop: stop, ended: make(chan error, 1)}
	go func() {
		lines := json.NewDecoder(bufio.NewReader(reports))
		for {
			var one callReport
			if err := lines.Decode(&one); err != nil {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				w.ended <- errors.Join(err, process.Wait())
				return
			}
			w.note(one)
		}
	}()
	return w
}

func (w *victimClient) note(one callReport) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.posted = max(w.posted, one.Posted)
	w.took = append(w.took, one.Took)
	if one.Fault != "" {
		w.faults = append(w.faults, one.Fault)
	}
}

// calls is how many were made since the last report.
func (w *victimClient) calls() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.took)
}

// report returns latencies and faults since the last report.
func (w *victimClient) report() (seen served, faults []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen = served{calls: len(w.took), p99: p99(w.took), took: w.took}
	faults = w.faults
	w.took, w.faults = nil, nil
	return seen, faults
}

// finish stops the client. All of its sales were accepted, and must be processed in the end.
func (w *victimClient) finish(t *testing.T, bed *testbed.Bed) {
	t.Helper()
	require.NoError(t, w.stop.Close())
	require.NoError(t, <-w.ended)
	bed.Eventually("the victim's sales are processed", func(context.Context) (bool, error) {
		const unprocessed = `SELECT t.processing_status, count(*), min(o.attempts) AS attempts,
			       min(o.next_attempt_at) AS next, max(o.last_error) AS error
			  FROM transactions t LEFT JOIN outbox o ON o.organization_id = t.organization_id AND o.aggregate_id = t.id
			 WHERE t.organization_id = $1 AND t.external_id LIKE 'VICTIM-%' AND t.processing_status <> 'PROCESSED' GROUP BY 1`
		left := bed.Rows(unprocessed, w.of.organization)
		return len(left) == 0, fmt.Errorf("of %d: %v", w.posted, left)
	})
	require.Equal(t, w.posted, bed.Count(`SELECT count(*)
		FROM transactions
		WHERE organization_id = $1 AND external_id LIKE 'VICTIM-%'`, w.of.organization))
}

// runVictimClient is the process of the client: it works until its standard input is closed.
func runVictimClient(description string) error {
	var v victim
	if err := json.Unmarshal([]byte(description), &v); err != nil {
		return err
	}
	of := &tenant{url: v.URL, organization: v.Organization, key: v.Key, http: newClient(v.Address)}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	reports := json.NewEncoder(os.Stdout)
	var posted atomic.Int64
	var mu sync.Mutex
	call := func(method, target, body string, status int) error {
		began := time.Now()
		answer, err := of.send(context.Background(), method, target, body)
		one := callReport{Took: time.Since(began), Posted: int(posted.Load())}
		if err != nil || answer.Status != status {
			one.Fault = fmt.Sprintf("%s %s: %d %s %v", method, target, answer.Status, answer.Code(), err)
		}
		mu.Lock()
		defer mu.Unlock()
		return reports.Encode(one)
	}
	work := func() error {
		for ; ctx.Err() == nil; <-time.After(pauseOfRounds) {
			n := int(posted.Add(1)) - 1
			externalID := fmt.Sprintf("VICTIM-%d", n)
			err := errors.Join(call(http.MethodPost, sales, saleBody(externalID, n+1), http.StatusAccepted),
				call(http.MethodGet, "/v1/transactions/external/"+externalID, "", http.StatusOK))
			if err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, parallelRounds)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = work() })
	}
	all.Wait()
	return errors.Join(errs...)
}
