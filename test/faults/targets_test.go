package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// target is a part of an installation. Its faults happen one after the other. In a dense run the faults of different
// targets overlap at random instants: while PostgreSQL recovers, an API dies in the middle of a batch, and a worker in
// the middle of a stage.
type target int

const (
	onTemporal target = iota // and the connections to it
	onDatabase               // and the connections to it
	onAPIs
	onWorkers
	targets
)

// pauses are the longest waits between two faults of a target, so that its processes get far enough to serve.
var pauses = [targets]time.Duration{onTemporal: time.Second, onDatabase: time.Second, onAPIs: 2 * time.Second,
	onWorkers: time.Second}

// targetLocks has a lock for each target, held while a fault of it is injected. A fault that kills everything takes the
// locks of the other targets, too.
type targetLocks [targets]sync.Mutex

// holdAll locks all targets but Temporal until release is called. Outside of dense runs faults do not overlap, and
// nothing is locked.
func (n *nemesis) holdAll() (release func()) {
	if !n.dense {
		return func() {}
	}
	for target := onTemporal + 1; target < targets; target++ {
		n.locks[target].Lock()
	}
	return func() {
		for target := onTemporal + 1; target < targets; target++ {
			n.locks[target].Unlock()
		}
	}
}

// targetServices are the processes that faults of the target may kill in a dense run; none for the servers.
func (n *nemesis) targetServices() []*testbed.Service {
	switch {
	case n.dense && n.target == onAPIs:
		return n.apis
	case n.dense && n.target == onWorkers:
		return n.workers
	default:
		return nil
	}
}

// round is one round of the faults of a target, in random order.
func (n *nemesis) round() (round []fault) {
	for _, f := range slices.Concat(faults, overlapping) {
		for range max(1, f.dense) {
			if f.target == n.target {
				round = append(round, f)
			}
		}
	}
	n.random.Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
	return round
}

// injectConcurrently injects the faults of a dense run into all targets at once, until there were enough or the time is
// over.
func (n *nemesis) injectConcurrently(r *faultRun) {
	r.t.Helper()
	var all sync.WaitGroup
	r.progress.share(r.count)
	for target := range targets {
		own := *n
		own.target, own.random = target, rand.New(rand.NewPCG(n.random.Uint64(), 0))
		all.Go(func() {
			own.injectIntoTarget(r)
			own.awaitTemporal()
		})
	}
	all.Wait()
	if r.t.Failed() {
		r.t.FailNow() // a failure ends only the goroutine of its own target
	}
	if r.isOver() {
		r.load.stop()
	}
	r.load.allow(r.load.posts)
	for _, s := range n.services() {
		s.WaitReady()
	}
}

func (n *nemesis) injectIntoTarget(r *faultRun) {
	for left := n.round(); ; {
		i, more := r.nextFault(n)
		if !more {
			return
		}
		if len(left) == 0 {
			left = n.round()
		}
		f := n.next(left)
		left = left[1:]
		n.awaitWork(oneServes)
		began := time.Now()
		n.inject(r, f)
		n.noteWork()
		r.t.Logf("fault %d, %s: %.1f s, %.0f s after the start; %d requests sent, killed while they served: %v",
			i, f.name, time.Since(began).Seconds(), time.Since(r.began).Seconds(), r.load.sent(), n.killed.byName())
		<-time.After(time.Duration(n.random.Int64N(int64(pauses[n.target]))))
	}
}

// inject injects a fault while it holds the lock of its target.
func (n *nemesis) inject(r *faultRun, f fault) {
	n.locks[n.target].Lock()
	defer n.locks[n.target].Unlock() // also when the test fails in it
	requireRunning(r.t, n.targetServices())
	f.inject(n)
}

// noteWork notes what the workers have done, for awaitWork.
func (n *nemesis) noteWork() {
	if n.target != onTemporal && n.target != onDatabase {
		return
	}
	n.worked = map[*testbed.Service]int{}
	for _, w := range n.workers {
		n.worked[w] = activitiesOf(w)
	}
}

// awaitWork waits until some worker has done a stage, and some client was accepted, since the last fault of the
// servers: the next one is to interrupt work, not servers to which nobody has reconnected yet.
func (n *nemesis) awaitWork(timeout time.Duration) {
	if n.target != onTemporal && n.target != onDatabase {
		return
	}
	const pause = 100 * time.Millisecond
	works := func(w *testbed.Service) bool {
		done := activitiesOf(w)
		return done > 0 && done != n.worked[w]
	}
	for began := time.Now(); time.Since(began) < timeout; <-time.After(pause) {
		if n.postgresServes() && slices.ContainsFunc(n.workers, works) {
			return
		}
	}
}

// progress counts for each target the faults injected so far, and all that are planned.
type progress struct {
	happened, all [targets]atomic.Int64
}

// share divides the faults of a run among the targets, in proportion to their rounds.
func (p *progress) share(count int) {
	var rounds, sum int
	sizes := [targets]int{}
	for target := range targets {
		n := &nemesis{target: target, random: rand.New(rand.NewPCG(0, 0))}
		sizes[target] = len(n.round())
		rounds += sizes[target]
	}
	for target := range targets {
		p.all[target].Store(int64(count * sizes[target] / rounds))
		sum += count * sizes[target] / rounds
	}
	p.all[onTemporal].Add(int64(count - sum))
}

// isAhead reports whether a target is ahead of another by more than a few faults: then it waits, so that the targets
// overlap until the end and none is left out when the time is over.
func (p *progress) isAhead(target target) bool {
	const some = 6
	for other := range targets {
		if p.happened[target].Load()*p.all[other].Load() > (p.happened[other].Load()+some)*p.all[target].Load() {
			return true
		}
	}
	return false
}

// nextFault returns the number of the next fault of a target, once enough sales were sent that faults are spread evenly
// over the load; false after the last fault of the target, when the time is over, and when the run has failed.
func (r *faultRun) nextFault(n *nemesis) (i int, more bool) {
	const ahead = 32 // faults: the sellers continue meanwhile, and do not wait for a fault that takes long
	if r.progress.happened[n.target].Load() >= r.progress.all[n.target].Load() {
		return 0, false
	}
	share := func(faults int64) int { return r.posts * int(faults) / (r.count + 2) }
	r.bed.Eventually("the other targets have caught up", func(context.Context) (bool, error) {
		happened := r.happened.Load()
		r.load.allow(share(happened + ahead))
		goesOn := !r.progress.isAhead(n.target) && r.load.sent() >= share(happened)
		return goesOn || r.isOver() ||
			r.t.Failed(), fmt.Errorf("%d faults happened, %d requests are sent", happened, r.load.sent())
	})
	if r.isOver() || r.t.Failed() {
		return 0, false
	}
	r.progress.happened[n.target].Add(1)
	return int(r.happened.Add(1)), true
}

// next is the first of the faults that are left. Faults that kill Temporal come after others until Temporal has handed
// out a task since its start: otherwise it might never hand one out.
func (n *nemesis) next(left []fault) fault {
	if left[0].ofTemporal && !n.temporalServes() {
		other := slices.IndexFunc(left, func(f fault) bool { return !f.ofTemporal })
		if other > 0 {
			first := left[other]
			copy(left[1:], left[:other])
			left[0] = first
		}
	}
	return left[0]
}

// A target that is ahead waits for the others, and the last of them never does.
func TestTargetsShareTheFaults(t *testing.T) {
	t.Parallel()
	var p progress
	p.share(100)
	require.Equal(t, int64(100),
		p.all[onTemporal].Load()+p.all[onDatabase].Load()+p.all[onAPIs].Load()+p.all[onWorkers].Load())
	p.happened[onAPIs].Store(4)
	require.False(t, p.isAhead(onAPIs))
	p.happened[onAPIs].Store(9)
	require.True(t, p.isAhead(onAPIs))
	require.False(t, p.isAhead(onTemporal))
	require.False(t, p.isAhead(onDatabase))
	require.False(t, p.isAhead(onWorkers))
}

func TestEveryFaultOfADenseRunHasATarget(t *testing.T) {
	t.Parallel()
	times := map[string]int{}
	for target := range targets {
		n := &nemesis{target: target, random: rand.New(rand.NewPCG(1, 0))}
		for _, f := range n.round() {
			require.Equal(t, target, f.target, f.name)
			times[f.name]++
		}
	}
	require.Len(t, times, len(faults)+len(overlapping))
	for _, f := range slices.Concat(faults, overlapping) {
		require.Equal(t, max(1, f.dense), times[f.name], f.name)
	}
}
