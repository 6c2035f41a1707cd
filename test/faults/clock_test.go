package faults_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The clock of PostgreSQL jumps ahead and, later, back: timers that were set by the wrong
// clock do not wait until that time.
func TestTheClockOfPostgreSQLJumps(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{time.Hour, 24 * time.Hour} {
		t.Run(fmt.Sprintf("by %.0f hours", ahead.Hours()), func(t *testing.T) {
			t.Parallel()
			if ahead == time.Hour && os.Getenv(wideVariable) == "" {
				t.Skip("make chaos runs it: it is much like the other one")
			}
			bed := testbed.New(t, testbed.Options{Own: true, Failpoints: true, Clock: true})
			ledger := newLedger(bed)
			n := 0
			sell := func(count int) {
				for last := n + count; n < last; n++ {
					accept(t, bed, ledger, n)
				}
			}
			bed.API.Start()
			bed.Worker.Start()
			sell(20)
			requireProcessed(t, bed, 20)

			// Ahead, with batches in progress and rows of which no workflow was started.
			bed.Worker.Kill()
			sell(20)
			waitForMark(bed, 20)
			bed.SetClock(ahead)
			sell(20)
			bed.Worker.Start()
			requireProcessed(t, bed, n)
			sell(20)
			requireProcessed(t, bed, n)

			// Work that is only in the outbox gets timers by this clock: started and lost with
			// Temporal, and accepted by a process that died.
			bed.Worker.Kill()
			sell(20)
			waitForMark(bed, 20)
			bed.API.Kill()
			bed.KillTemporal()
			bed.DestroyTemporal()
			bed.API.Start("before_start=sleep(1h)")
			sell(20)
			bed.API.Kill()
			bed.StartTemporal(t.Context())
			bed.SetClock(0)
			require.Equal(t, 40, bed.Count("SELECT count(*) FROM outbox WHERE next_attempt_at > now() + $1", ahead/2))
			bed.API.Start()
			bed.Worker.Start()
			sell(20)
			bed.Eventually("everything is processed", func(context.Context) (bool, error) {
				left := bed.Count("SELECT count(*) FROM outbox")
				return left == 0, fmt.Errorf("%d in the outbox", left)
			})

			// Behind: what is written now is older than what was written before.
			sell(20)
			bed.SetClock(-ahead)
			sell(20)
			requireProcessed(t, bed, n)
			bed.SetClock(0)
			sell(20)
			requireOnce(t, bed, ledger, n, nil)
		})
	}
}
