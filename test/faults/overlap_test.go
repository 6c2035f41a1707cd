package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// Two API processes and two workers, each with a dispatcher or a relay: the same
// transactions are carried by several batches of different composition at once.
func TestOverlappingBatchesOfTwoDispatchersAndTwoRelays(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	second := bed.NewAPI()
	bed.API.Start("after_start_before_mark=timeout*2")
	second.Start("after_start_before_mark=timeout*2")
	const n, rounds = 200, 4
	var posts sync.WaitGroup
	for i := range n {
		posts.Go(func() {
			api := []*testbed.Service{bed.API, second}[i%2]
			externalID := fmt.Sprintf("ORDER-%d", i)
			answer, err := bed.Send(context.Background(), api, http.MethodPost, "/v1/transactions", testbed.Sale(externalID, i))
			if err == nil && answer.Status == http.StatusAccepted {
				ledger.add(externalID, i, accepted)
			}
		})
	}
	posts.Wait()
	require.Equal(t, n, ledger.count(accepted))
	waitForMark(bed, n)
	for round := range rounds {
		// A different part of the rows each time, and in another order.
		bed.Exec(`UPDATE outbox SET batch_id = NULL,
			  next_attempt_at = now() - interval '1 second' * abs(hashtext(aggregate_id || $1::text) % 100)
			WHERE hashtext($1::text || aggregate_id) % 3 <> 0`, fmt.Sprint(round))
		waitForMark(bed, n)
	}
	batches := len(runs(t, bed))
	bed.Worker.Start()
	third := bed.NewWorker()
	third.Start()
	requireOnce(t, bed, ledger, n, nil)
	t.Logf("%d transactions in at least %d batches; %d deadlocks", n, batches,
		bed.Count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
	require.Greater(t, batches, rounds)
	require.Zero(t, bed.Count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
	require.Zero(t, bed.Worker.Logged("stage failed")+third.Logged("stage failed"), "overlap is no reason to fail")
}
