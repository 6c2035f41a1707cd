package faults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"levy/test/testbed"
	"levy/workflows"
)

// earlierVariable names a program of the version that is upgraded from.
const earlierVariable = "LEVY_TEST_EARLIER"

// A release: `levy migrate` runs, and then one process after the other is asked to end
// and started anew, while clients post and read through a load balancer. Not one request
// fails, everything is processed once, and the onboardings and the return that were under
// way are completed. With a program of an earlier version it is the upgrade from that.
func TestRollingRestartUnderLoad(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Program: os.Getenv(earlierVariable)})
	open, ledger, posted := releaseUnderLoad(t, bed, 2, bed.Upgrade) // both APIs
	open.requireEnded(t, workflows.OnboardingID(open.stays.id), workflows.OnboardingID(open.leaves.id),
		workflows.FilingID(open.approver.filing))
	requireOnce(t, bed, ledger, posted+1, nil)
}

// A release whose workflow code differs from the code of the runs in progress, without a version for them: batches end
// with the release that began them or continue in a new run, and so does the return, whose record decides.
// The onboardings, whose code is the same, continue. Not one request fails.
func TestReleaseOfChangedWorkflowsUnderLoad(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	program := incompatibleRelease(t, "transactions.go", "filing.go")
	// The return is approved once no worker is left that knows the code it began with.
	open, ledger, posted := releaseUnderLoad(t, bed, 4, func() { bed.SetProgram(program) })
	bed.Eventually("everything is requested",
		func(context.Context) (bool, error) { return open.proceed(4), fmt.Errorf("%v", open.codes) })
	bed.Eventually("the return is completed in a new run", func(context.Context) (bool, error) {
		bed.Exec("UPDATE filings SET next_check_at = now() WHERE locked_at IS NULL") // its lease is over
		// A second check may have begun one more.
		runs := runsOf(t, bed, workflows.FilingID(open.approver.filing))
		return slices.Index(runs, "Failed") == 0 && slices.Contains(runs, "Completed") && !slices.Contains(runs, "Running"),
			fmt.Errorf("%v", runs)
	})
	open.requireEnded(t, workflows.OnboardingID(open.stays.id), workflows.OnboardingID(open.leaves.id))
	makeDue(bed)
	requireOnce(t, bed, ledger, posted+1, &endings{nondeterministic: true})
}

// runsOf are the statuses of the runs of a workflow, oldest first.
func runsOf(t *testing.T, bed *testbed.Bed, workflowID string) (statuses []string) {
	t.Helper()
	list, err := bed.Temporal().ListWorkflow(t.Context(),
		&workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("WorkflowId = '%s'", workflowID)})
	require.NoError(t, err)
	for _, run := range slices.Backward(list.GetExecutions()) {
		statuses = append(statuses, run.GetStatus().String())
	}
	return statuses
}

// readsOfSale is how often a client reads a sale that it has posted: to process it costs much more, and a process that
// ends too early breaks any request. After each, a client rests ten times as long as the request took, so that a slow
// machine gets less of them.
const readsOfSale, shortestRest = 10, 75 * time.Millisecond

// releaseUnderLoad replaces two APIs and two workers by those of the next release, one
// after the other, and returns what was open and what was posted meanwhile. The return is
// approved after approveAfter of them were replaced.
func releaseUnderLoad(
	t *testing.T, bed *testbed.Bed, approveAfter int, next func(),
) (open *openRuns, ledger *ledger, posted int) {
	t.Helper()
	bed.Set("LEVY_DRAIN_DELAY", "1s") // longer than the balancer needs to notice
	bed.Set("LEVY_WORKER_BUILD_ID", "1")
	apis, workers := []*testbed.Service{bed.API, bed.NewAPI()}, []*testbed.Service{bed.Worker, bed.NewWorker()}
	processes := append(slices.Clone(apis), workers...)
	for _, s := range processes {
		s.Start()
	}
	front := balance(t, apis)
	ledger = newLedger(bed)
	open = openBefore(bed, apis, ledger)
	open.approveAfter = approveAfter
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var number, reads, failed atomic.Int64
	send := func(method, path, externalID string, n, expected int) outcome {
		began := time.Now()
		status, err := front.send(bed, method, path, externalID, n)
		if <-time.After(max(shortestRest, 10*time.Since(began))); err != nil || status != expected {
			failed.Add(1)
			t.Logf("%s of %s: %d %v", method, externalID, status, err)
			return unknown
		}
		return accepted
	}
	for range 2 {
		all.Go(func() {
			for ctx.Err() == nil {
				n := int(number.Add(1))
				externalID := fmt.Sprintf("ROLLING-%d", n)
				ledger.add(externalID, n, send(http.MethodPost, "/v1/transactions", externalID, n, http.StatusAccepted))
				for range readsOfSale {
					reads.Add(1)
					send(http.MethodGet, "/v1/transactions/external/"+externalID, "", 0, http.StatusOK)
				}
			}
		})
	}
	next()
	bed.Set("LEVY_WORKER_BUILD_ID", "2")
	before := bed.Count("SELECT max(version_id) FROM goose_db_version")
	bed.Run("migrate")
	t.Logf("migrated from %d to %d", before, bed.Count("SELECT max(version_id) FROM goose_db_version"))
	for i, s := range processes {
		s.Stop()
		s.Start()
		if slices.Contains(apis, s) { // a release continues when the balancer sends requests to it again
			bed.Eventually("the balancer knows it",
				func(context.Context) (bool, error) { return slices.Contains(front.inTurn(), s.URL()), nil })
		}
		open.proceed(i + 1)
	}
	stop()
	all.Wait()
	t.Logf("%d sales posted and read %d times while %d processes were replaced: %d failures", number.Load(), reads.Load(),
		len(processes), failed.Load())
	require.Zero(t, failed.Load())
	return open, ledger, int(number.Load())
}

// balancer sends requests to the processes in turn, as a load balancer does: to those
// that are ready, and to another one when a connection is refused, because nothing was sent then.
type balancer struct {
	http  *http.Client
	mu    sync.Mutex
	ready []string
	next  int
}

// checkInterval is how often the balancer checks which processes are ready.
const checkInterval = 100 * time.Millisecond

func balance(t *testing.T, services []*testbed.Service) *balancer {
	t.Helper()
	b := &balancer{http: testbed.NewHTTPClient(16)}
	t.Cleanup(b.http.CloseIdleConnections)
	ctx, stop := context.WithCancel(context.Background())
	var checking sync.WaitGroup
	t.Cleanup(func() { stop(); checking.Wait() })
	b.check(ctx, services)
	checking.Go(func() {
		for ctx.Err() == nil {
			<-time.After(checkInterval)
			b.check(ctx, services)
		}
	})
	return b
}

func (b *balancer) check(ctx context.Context, services []*testbed.Service) {
	var ready []string
	for _, s := range services {
		if s.Ready(ctx) == nil {
			ready = append(ready, s.URL())
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready = ready
}

// inTurn are the addresses of those that are ready, beginning with another one each time.
func (b *balancer) inTurn() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.ready) == 0 {
		return nil
	}
	b.next++
	first := b.next % len(b.ready)
	return append(slices.Clone(b.ready[first:]), b.ready[:first]...)
}

// send posts sale n, or reads when n is 0.
func (b *balancer) send(bed *testbed.Bed, method, path, externalID string, n int) (status int, err error) {
	err = errors.New("nobody is ready")
	for _, address := range b.inTurn() {
		var body []byte
		if n > 0 {
			if body, err = json.Marshal(testbed.Sale(externalID, n)); err != nil {
				return 0, err
			}
		}
		var request *http.Request
		request, err = http.NewRequestWithContext(context.Background(), method, address+path, bytes.NewReader(body))
		if err != nil {
			return 0, err
		}
		request.Header.Set("X-API-KEY", bed.APIKey)
		request.Header.Set("x-organization-id", bed.OrganizationID)
		request.Header.Set("Content-Type", "application/json")
		var response *http.Response
		response, err = b.http.Do(request)
		var refused *net.OpError
		if errors.As(err, &refused) && refused.Op == "dial" {
			continue
		}
		if err != nil {
			return 0, err
		}
		defer response.Body.Close()
		said, err := io.ReadAll(response.Body)
		if response.StatusCode >= 400 {
			err = fmt.Errorf("%s %s: %s", method, address+path, said)
		}
		return response.StatusCode, err
	}
	return 0, err
}
