package worker

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/workflows"
)

func row(organization string, n int, batchID string) models.OutboxRow {
	return models.OutboxRow{Ref: refOf(organization, n), BatchID: batchID}
}

// bubbleBegins is the start of the clock in a bubble of testing/synctest. Rows for the first poll of a relay exist from
// then on.
var bubbleBegins = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// relaying runs a relay in a bubble with its own clock.
func relaying(t *testing.T, starter *fakeStarter, outbox *fakeOutbox, do func(t *testing.T, s setup)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(starter, outbox)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go s.relay.Run(ctx)
		synctest.Wait() // the relay has polled once
		do(t, s)
		cancel()
		synctest.Wait()
	})
}

// endsAfter returns the Wait of batches that take so long.
func endsAfter(ctx context.Context, takes time.Duration) error {
	select {
	case <-time.After(takes):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// backlogOf returns the rows of so many full batches.
func backlogOf(batches int) []models.OutboxRow {
	rows := make([]models.OutboxRow, 0, batches*relayRows)
	for i := range batches * relayRows {
		rows = append(rows, row("a", i, ""))
	}
	return rows
}

func TestRelay(t *testing.T) {
	t.Parallel()

	t.Run("rows without a batch form new ones, and rest for a minute", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{}
		outbox := newFakeOutbox(row("a", 1, ""), row("b", 1, ""))
		relaying(t, starter, outbox, func(t *testing.T, _ setup) {
			synctest.Wait()
			starts := starter.all()
			require.Len(t, starts, 1)
			require.Equal(t, []models.Ref{refOf("a", 1), refOf("b", 1)}, starts[0].refs)
			require.True(t, models.IsID(models.PrefixBatch, starts[0].batchID))
			marked, _, _, _ := outbox.state()
			require.Len(t, marked, 1)

			pass(59 * time.Second)
			require.Len(t, starter.all(), 1, "started rows rest")
			pass(5 * time.Second)
			require.Len(t, starter.all(), 2, "Temporal does not know the run any more")
			require.NotEqual(t, starts[0].batchID, starter.all()[1].batchID, "no row joins a run that may not have it")
		})
	})

	t.Run("rows of a batch that is over leave with a new one, all of them at once", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{}
		outbox := newFakeOutbox(row("a", 1, "batc_x"), row("b", 1, ""), row("b", 2, "batc_x"), row("c", 1, "batc_y"))
		relaying(t, starter, outbox, func(t *testing.T, s setup) {
			synctest.Wait()
			_, _, released, _ := outbox.state()
			require.Equal(t, []string{"batc_x", "batc_x", "batc_y"}, released)
			require.Len(t, starter.all(), 2)
			require.Equal(t, []models.Ref{refOf("a", 1), refOf("b", 2), refOf("c", 1)}, starter.all()[1].refs)
			require.Equal(t, breakerClosed, s.breaker.current())
		})
	})

	t.Run("rows of a batch with progress stay with it", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{statuses: map[string]BatchStatus{
			"batc_x": {Open: true, Moved: bubbleBegins},
		}}
		outbox := newFakeOutbox(row("a", 1, "batc_x"))
		relaying(t, starter, outbox, func(t *testing.T, _ setup) {
			for range 10 {
				starter.mu.Lock()
				starter.statuses["batc_x"] = BatchStatus{Open: true, Moved: time.Now()}
				starter.mu.Unlock()
				pass(time.Minute)
			}
			require.Empty(t, starter.all())
			require.Empty(t, starter.ended())
		})
	})

	t.Run("rows of a batch that came to its next task stay with it", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{statuses: map[string]BatchStatus{
			"batc_x": {Open: true, Began: bubbleBegins, Moved: bubbleBegins, Due: bubbleBegins},
		}}
		outbox := newFakeOutbox(row("a", 1, "batc_x"))
		relaying(t, starter, outbox, func(t *testing.T, _ setup) {
			began := time.Now()
			for range 10 { // each task waits for most of a minute while workers are busy
				starter.mu.Lock()
				starter.statuses["batc_x"] = BatchStatus{Open: true, Began: began, Moved: began, Due: time.Now()}
				starter.mu.Unlock()
				pass(time.Minute)
			}
			require.Empty(t, starter.ended())
			pass(stalledAfter + 2*time.Minute) // a task that waits for longer is lost
			require.Equal(t, []string{"batc_x"}, starter.ended())
		})
	})

	t.Run("batches that do nothing for minutes are replaced: one a minute until batches end again", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{statuses: map[string]BatchStatus{}}
		var ends atomic.Bool
		starter.wait = func(ctx context.Context, _ string) error {
			if ends.Load() {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}
		var rows []models.OutboxRow
		for i := range 10 {
			rows = append(rows, row("a", i, fmt.Sprintf("batc_%d", i)))
			starter.statuses[rows[i].BatchID] = BatchStatus{Open: true, Moved: bubbleBegins}
		}
		outbox := newFakeOutbox(rows...)
		relaying(t, starter, outbox, func(t *testing.T, _ setup) {
			pass(stalledAfter - time.Second)
			require.Empty(t, starter.ended())
			pass(3*time.Minute + time.Second)
			require.LessOrEqual(t, len(starter.ended()), 4, "workers may be down")
			require.NotEmpty(t, starter.ended())
			ends.Store(true)
			pass(3 * time.Minute)
			for _, row := range rows {
				require.Contains(t, starter.ended(), row.BatchID)
			}
		})
	})

	t.Run("what a batch leaves that is ended from outside is due at once", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{lost: map[string]bool{}}
		outbox := newFakeOutbox(row("a", 1, ""))
		starter.wait = func(_ context.Context, batchID string) error {
			if len(starter.all()) == 1 {
				starter.lost[batchID] = true
			}
			return nil
		}
		relaying(t, starter, outbox, func(t *testing.T, _ setup) {
			pass(3 * time.Second)
			require.Len(t, starter.all(), 2)
		})
	})

	t.Run("while Temporal is down nothing is leased and it is probed once a second", func(t *testing.T) {
		t.Parallel()
		var down atomic.Bool
		down.Store(true)
		answer := func() error {
			if down.Load() {
				return errDown
			}
			return nil
		}
		starter := &fakeStarter{probe: answer}
		starter.start = func(context.Context, string, []models.Ref) error { return answer() }
		outbox := newFakeOutbox(manyBatches(20)...)
		relaying(t, starter, outbox, func(t *testing.T, s setup) {
			pass(2 * time.Second)
			require.Equal(t, breakerOpen, s.breaker.current())
			require.Len(t, starter.all(), breakerThreshold)
			_, before, _, _ := outbox.state()
			pass(5 * time.Minute)
			_, leases, _, _ := outbox.state()
			require.Equal(t, before, leases, "an outage costs the rows no attempts")
			require.InDelta(t, 300, starter.probed(), 35)

			down.Store(false)
			pass(5 * time.Second)
			marked, leases, _, _ := outbox.state()
			require.Equal(t, 1, leases[len(before)], "the first row is a trial")
			require.Equal(t, breakerClosed, s.breaker.current())
			require.GreaterOrEqual(t, len(marked), 10, "the backlog is due")
		})
	})

	t.Run("a failed trial closes the way again at the cost of one row", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{
			start: func(context.Context, string, []models.Ref) error { return errDown },
		} // but probes succeed
		rows := make([]models.OutboxRow, 0, 2000)
		for i := range 2000 {
			rows = append(rows, row("a", i, ""))
		}
		outbox := newFakeOutbox(rows...)
		relaying(t, starter, outbox, func(t *testing.T, s setup) {
			pass(time.Minute)
			_, _, _, attempts := outbox.state()
			untilOpen := (breakerThreshold*workflows.MaxBatch/relayRows +
				1) * relayRows // the checks that opened the breaker
			require.Less(t, attempts, untilOpen+200, "after them, one row for each trial")
		})
	})

	t.Run("an outbox that cannot be read is tried again", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{}
		outbox := newFakeOutbox(row("a", 1, ""))
		outbox.leaseError = errors.New("database is down")
		relaying(t, starter, outbox, func(t *testing.T, _ setup) {
			pass(3 * time.Second)
			require.Empty(t, starter.all())
			outbox.mu.Lock()
			outbox.leaseError = nil
			outbox.mu.Unlock()
			pass(2 * time.Second)
			require.Len(t, starter.all(), 1)
		})
	})

	for name, takes := range map[string]time.Duration{
		"a backlog waits in the outbox while batches of it are in progress": 10 * time.Second,
		"batches with progress that do not end hold it up for a minute":     time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			starter := &fakeStarter{
				statuses: map[string]BatchStatus{}, taken: true,
				wait: func(ctx context.Context, _ string) error { return endsAfter(ctx, takes) },
			}
			relaying(t, starter, newFakeOutbox(backlogOf(10)...), func(t *testing.T, _ setup) {
				held := min(takes, slotTime)
				pass(held - time.Second)
				require.Len(t, starter.all(), relayLeases)
				pass(held)
				require.Len(t, starter.all(), 2*relayLeases)
			})
		})
	}

	t.Run("batches without progress hold it up for seconds", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{statuses: map[string]BatchStatus{}}
		starter.wait = func(ctx context.Context, batchID string) error {
			for i, started := range starter.all() {
				if i < relayLeases && started.batchID == batchID {
					return endsAfter(ctx, time.Hour)
				}
			}
			return endsAfter(ctx, time.Second)
		}
		relaying(t, starter, newFakeOutbox(backlogOf(10)...), func(t *testing.T, _ setup) {
			pass(20 * time.Second)
			require.Len(t, starter.all(), 10, "others go on")
			require.Empty(t, starter.ended())
		})
	})

	t.Run("what is just sent passes a backlog that holds all places, and takes none of them", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{
			statuses: map[string]BatchStatus{}, taken: true,
			wait: func(ctx context.Context, _ string) error { return endsAfter(ctx, time.Hour) },
		}
		outbox := newFakeOutbox(backlogOf(10)...)
		relaying(t, starter, outbox, func(t *testing.T, _ setup) {
			synctest.Wait()
			require.Len(t, starter.all(), relayLeases)
			for n := range 2 {
				sent := row("b", n, "")
				sent.CreatedAt = time.Now()
				outbox.mu.Lock()
				outbox.rows = append(outbox.rows, sent)
				outbox.mu.Unlock()
				pass(relayTick + time.Millisecond)
			}
			starts := starter.all()[relayLeases:]
			require.Len(t, starts, relayReserved, "who sends more than is processed waits, too")
			require.Equal(t, []models.Ref{refOf("b", 0)}, starts[0].refs)
			require.Equal(t, workflows.Recent, starts[0].urgency)
			pass(slotTime)
			late := 0
			for _, start := range starter.all() {
				if start.urgency == workflows.Late {
					late++
				}
			}
			require.Equal(t, 2*relayLeases, late, "the backlog goes on beside it")
		})
	})

	t.Run("while nothing makes progress a batch a minute is started beside those that are held", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{
			statuses: map[string]BatchStatus{},
			wait:     func(ctx context.Context, _ string) error { return endsAfter(ctx, time.Hour) },
		}
		relaying(t, starter, newFakeOutbox(backlogOf(60)...), func(t *testing.T, _ setup) {
			const minutes = 4 // after five minutes stalled batches are replaced
			pass(minutes * time.Minute)
			require.LessOrEqual(t, len(starter.all()), relayLeases+minutes*(relayLeases+1)+4)
		})
	})

	t.Run("Temporal is probed and found again while batches are in progress whose end is not known", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{wait: func(ctx context.Context, _ string) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		rows := make([]models.OutboxRow, 0, 10*relayRows)
		for i := range 10 * relayRows {
			rows = append(rows, row("a", i, ""))
		}
		relaying(t, starter, newFakeOutbox(rows...), func(t *testing.T, s setup) {
			synctest.Wait()
			require.Len(t, starter.all(), relayLeases, "every slot is taken")
			for range breakerThreshold {
				s.breaker.recordCall(errDown) // by the dispatcher
			}
			pass(5 * time.Second)
			require.NotEqual(t, breakerOpen, s.breaker.current())
			require.Positive(t, starter.probed())
		})
	})

	t.Run("batches whose end Temporal does not know hold no slot", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{wait: func(context.Context, string) error { return errDown }}
		rows := make([]models.OutboxRow, 0, 10*relayRows)
		for i := range 10 * relayRows {
			rows = append(rows, row("a", i, ""))
		}
		relaying(t, starter, newFakeOutbox(rows...), func(t *testing.T, _ setup) {
			pass(5 * time.Second)
			require.Len(t, starter.refs(), 10*relayRows)
		})
	})

	t.Run("a large backlog goes in full batches without waiting for the next tick", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{}
		rows := make([]models.OutboxRow, 0, 2*relayRows)
		for i := range 2 * relayRows {
			rows = append(rows, row("a", i, ""))
		}
		relaying(t, starter, newFakeOutbox(rows...), func(t *testing.T, _ setup) {
			synctest.Wait()
			require.Len(t, starter.all(), 2*relayRows/workflows.MaxBatch)
			require.Len(t, starter.refs(), 2*relayRows)
		})
	})

	t.Run("live traffic keeps at least half of the budget", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{}
		outbox := newFakeOutbox(manyBatches(500)...)
		synctest.Test(t, func(t *testing.T) {
			s := newSetup(starter, outbox)
			s.breaker.live.Store(1)
			ctx, cancel := context.WithCancel(t.Context())
			go s.relay.Run(ctx)
			pass(10 * time.Second)
			require.LessOrEqual(t, len(starter.all()), 10*5+2)
			cancel()
			synctest.Wait()
		})
	})

	t.Run("what was sent a moment ago does not wait with a backlog", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{}
		synctest.Test(t, func(t *testing.T) {
			sent, backlog, failed := row("a", 1, ""), row("b", 1, ""), row("c", 1, "")
			sent.CreatedAt, failed.CreatedAt, failed.Attempts = time.Now(), time.Now(), 1
			backlog.CreatedAt = time.Now().Add(-models.RecentFor)
			s := newSetup(starter, newFakeOutbox(sent, backlog, failed))
			s.relay.check(t.Context())
			synctest.Wait()
			starts := starter.all()
			require.Len(t, starts, 2)
			require.Equal(t, []models.Ref{sent.Ref}, starts[0].refs)
			require.Equal(t, workflows.Recent, starts[0].urgency)
			require.Equal(t, []models.Ref{backlog.Ref, failed.Ref}, starts[1].refs)
			require.Equal(t, workflows.Late, starts[1].urgency)
		})
	})

	t.Run("the relay of the background takes what is in the background, as soon as it is offered", func(t *testing.T) {
		t.Parallel()
		starter, outbox := &fakeStarter{}, newFakeOutbox(row("a", 1, ""))
		relaying(t, starter, outbox, func(t *testing.T, s setup) {
			relay := NewBackgroundRelay(s.batches(starter, outbox), 0)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go relay.Run(ctx)
			synctest.Wait()
			began, imported := time.Now(), row("b", 1, "")
			imported.Background = true
			outbox.mu.Lock()
			outbox.rows = append(outbox.rows, imported)
			outbox.mu.Unlock()
			relay.Offer(ctx, imported.Ref)
			synctest.Wait()
			starts := starter.all()
			require.Len(t, starts, 2)
			require.Equal(t, []models.Ref{refOf("a", 1)}, starts[0].refs)
			require.Equal(t, workflows.Late, starts[0].urgency)
			require.Equal(t, []models.Ref{refOf("b", 1)}, starts[1].refs)
			require.Equal(t, workflows.Background, starts[1].urgency)
			require.Zero(t, starts[1].at.Sub(began))
			marked, _, _, _ := outbox.state()
			require.NotContains(t, marked, starts[1].batchID, "the lease has said already which batch carries it")
			outbox.mu.Lock()
			require.Equal(t, starts[1].batchID, outbox.rows[1].BatchID)
			outbox.mu.Unlock()
			pass(65 * time.Second)
			require.NotEqual(t, starts[1].batchID, starter.all()[3].batchID, "Temporal does not know the run any more")
		})
	})

	t.Run("a stopped relay leaves its rows", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newSetup(&fakeStarter{}, newFakeOutbox())
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { s.relay.Run(ctx); close(done) }()
			pass(10 * time.Second)
			cancel()
			<-done
		})
	})
}

// manyBatches returns rows of so many organizations that they need n batches.
func manyBatches(n int) []models.OutboxRow {
	rows := make([]models.OutboxRow, 0, n*workflows.MaxBatchOrganizations)
	for i := range n * workflows.MaxBatchOrganizations {
		rows = append(rows, row(fmt.Sprintf("org_%05d", i), i, ""))
	}
	return rows
}

func TestRegroup(t *testing.T) {
	t.Parallel()
	var rows []models.OutboxRow
	for i := range 2*workflows.MaxBatchOrganizations + 1 {
		rows = append(rows, row(fmt.Sprintf("org_%03d", i), i, ""))
	}
	groups := regroup(rows, workflows.Late)
	require.Len(t, groups, 3)
	for _, g := range groups {
		require.LessOrEqual(t, len(g.organizations), workflows.MaxBatchOrganizations)
	}
	require.Empty(t, regroup(nil, workflows.Late))
	require.Empty(t, regroup([]models.OutboxRow{row("a", 1, "batc_x")}, workflows.Late),
		"what has a batch is not started again")
}

// pass lets time go by in a bubble, and returns when all due work is done.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
