package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The machine with everything on it loses its power while sellers post: what was written
// and not synced is gone. Whatever was answered with 202 exists afterwards, and is
// processed once.
func TestPowerLossLosesNothingThatWasAnswered(t *testing.T) {
	t.Parallel()
	bed, ledger := powered(t)
	for range number(t, powerVariable, defaultPower) {
		sellUntilPowerFails(t, bed, ledger)
		require.NoError(t, bed.RestorePower(t.Context()))
		bed.API.Start()
		bed.Worker.Start()
	}
	makeDue(bed)
	requireOnce(t, bed, ledger, bed.Count("SELECT count(*) FROM transactions"), nil)
}

// The control: with a PostgreSQL that does not sync, accepted sales must be lost. Otherwise the test above proves
// nothing.
func TestPowerLossIsOne(t *testing.T) {
	t.Parallel()
	bed, ledger := powered(t)
	bed.Exec("ALTER SYSTEM SET fsync = off")
	bed.Exec("SELECT pg_reload_conf()")
	sellUntilPowerFails(t, bed, ledger)
	if err := bed.RestorePower(t.Context()); err != nil {
		t.Logf("PostgreSQL does not even start: %v", err)
		return
	}
	there := bed.Count("SELECT count(*) FROM transactions")
	t.Logf("%s, %d are there", ledger, there)
	require.Less(t, there, ledger.count(accepted))
}

// How often the power fails.
const powerVariable, defaultPower = "LEVY_FAULTS_POWER", 1

// powered is a service on a machine that can lose its power.
func powered(t *testing.T) (*testbed.Bed, *ledger) {
	t.Helper()
	bed := testbed.New(t, testbed.Options{Own: true, Machine: true})
	bed.API.Start()
	bed.Worker.Start()
	return bed, newLedger(bed)
}

// sellUntilPowerFails has eight sellers post, and cuts the power in the middle of it.
func sellUntilPowerFails(t *testing.T, bed *testbed.Bed, ledger *ledger) {
	t.Helper()
	first, enough := ledger.count(accepted), 150
	var sellers sync.WaitGroup
	var n atomic.Int64
	over := make(chan struct{})
	for seller := range 8 {
		sellers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				i := first + int(n.Add(1))
				externalID := fmt.Sprintf("ORDER-%d-%d", seller, i)
				answer, err := bed.Send(context.Background(), bed.API, http.MethodPost, "/v1/transactions",
					testbed.Sale(externalID, i))
				o := unknown
				if err == nil && answer.Status == http.StatusAccepted {
					o = accepted
				}
				ledger.add(externalID, i, o)
				if err != nil {
					return
				}
			}
		})
	}
	bed.Eventually("much is sold",
		func(context.Context) (bool, error) { return ledger.count(accepted) >= first+enough, nil })
	bed.CutPower()
	close(over)
	sellers.Wait()
}
