package faults_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// Merchants post while Temporal and all workers are down: nobody is refused.
func TestPostingNeedsNeitherTemporalNorWorkers(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true})
	ledger := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	accept(t, bed, ledger, 0)
	requireProcessed(t, bed, 1)
	bed.Worker.Kill()
	bed.KillTemporal()

	const n = 50
	var slowest time.Duration
	for i := 1; i < n; i++ {
		began := time.Now()
		accept(t, bed, ledger, i)
		slowest = max(slowest, time.Since(began))
	}
	bed.API.Kill() // it comes back while Temporal is down
	bed.API.Start()
	accept(t, bed, ledger, n)
	bed.Worker.Launch()
	requireInvariants(t, bed, moment{ledger: ledger})
	bed.Eventually("the relay has tried in vain", func(context.Context) (bool, error) {
		return bed.API.Logged("batch not started") >= 2, nil
	})
	t.Logf("%d of %d accepted without Temporal, the slowest in %v", n, n, slowest)
	require.Equal(t, n, bed.Count("SELECT count(*) FROM outbox"))
	bed.StartTemporal(t.Context())
	requireOnce(t, bed, ledger, n+1, nil)
	require.LessOrEqual(t, bed.Count("SELECT coalesce(max(attempts), 0) FROM outbox"), 0)
}

// All data of Temporal is destroyed while work is in every state.
func TestDestroyedTemporalLosesNothing(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true, Failpoints: true})
	ledger := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	for i := range 20 { // done
		accept(t, bed, ledger, i)
	}
	requireProcessed(t, bed, 20)
	bed.Worker.Kill()
	for i := 20; i < 60; i++ { // will be in progress
		accept(t, bed, ledger, i)
	}
	waitForMark(bed, 40)
	bed.Worker.Start("after_stage_commit=skip*3,sleep(1h)")
	bed.Eventually("some transactions are in the middle", func(context.Context) (bool, error) {
		return bed.Worker.Logged("failpoint after_stage_commit: sleep") > 0, nil
	})
	bed.Worker.Kill()
	middle := bed.Rows("SELECT processing_status, count(*) FROM transactions GROUP BY 1 ORDER BY 1")
	bed.Worker.Start()
	for i := 60; i < 80; i++ { // just started
		accept(t, bed, ledger, i)
	}
	bed.KillTemporal()
	bed.DestroyTemporal()
	for i := 80; i < 100; i++ { // not started
		accept(t, bed, ledger, i)
	}
	t.Logf("destroyed with %v; %d rows in the outbox", middle, bed.Count("SELECT count(*) FROM outbox"))
	bed.StartTemporal(t.Context())
	makeDue(bed) // the relay would check rows of a started batch after a minute
	requireOnce(t, bed, ledger, 100, nil)
}
