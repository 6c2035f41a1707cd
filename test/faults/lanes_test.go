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

// lane is a part of an installation to which faults happen one after the other. In a dense run those of different lanes
// overlap at random instants: while PostgreSQL recovers, some API dies in the middle of a batch, and some worker of a
// stage.
type lane int

const (
	onTemporal lane = iota // and the lines to it
	onDatabase             // and the lines to it
	onAPIs
	onWorkers
	lanes
)

// pauses are how long a lane waits at the most between two of its faults, so that processes get far enough to serve.
var pauses = [lanes]time.Duration{onTemporal: time.Second, onDatabase: time.Second, onAPIs: 2 * time.Second,
	onWorkers: time.Second}

// turns are held by the lane whose fault happens. One that kills everything takes those of the others, too.
type turns [lanes]sync.Mutex

// holdAll keeps everything else than Temporal from other faults until release is called; outside of dense runs there
// is one lane only.
func (n *nemesis) holdAll() (release func()) {
	if !n.dense {
		return func() {}
	}
	for of := onTemporal + 1; of < lanes; of++ {
		n.turns[of].Lock()
	}
	return func() {
		for of := onTemporal + 1; of < lanes; of++ {
			n.turns[of].Unlock()
		}
	}
}

// ofLane are the processes that a lane of a dense run may kill; none for the servers.
func (n *nemesis) ofLane() []*testbed.Service {
	switch {
	case n.dense && n.lane == onAPIs:
		return n.apis
	case n.dense && n.lane == onWorkers:
		return n.workers
	default:
		return nil
	}
}

// round is what happens in a lane before it begins anew, in an order of its own each time.
func (n *nemesis) round() (round []fault) {
	for _, f := range slices.Concat(faults, overlapping) {
		for range max(1, f.dense) {
			if f.of == n.lane {
				round = append(round, f)
			}
		}
	}
	n.random.Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
	return round
}

// strikeInLanes lets the faults of a dense run happen, in all lanes at once, until there were enough or the time is
// over.
func (n *nemesis) strikeInLanes(r *faultRun) {
	r.t.Helper()
	var all sync.WaitGroup
	r.lanes.share(r.count)
	for of := range lanes {
		own := *n
		own.lane, own.random = of, rand.New(rand.NewPCG(n.random.Uint64(), 0))
		all.Go(func() {
			own.strikeLane(r)
			own.awaitTemporal()
		})
	}
	all.Wait()
	if r.t.Failed() {
		r.t.FailNow() // what failed has ended its own lane only
	}
	if r.isOver() {
		r.load.stop()
	}
	r.load.allow(r.load.posts)
	for _, s := range n.services() {
		s.WaitReady()
	}
}

func (n *nemesis) strikeLane(r *faultRun) {
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
		n.harm(r, f)
		n.noteWork()
		r.t.Logf("fault %d, %s: %.1f s, %.0f s after the start; %d requests sent, killed while they served: %v",
			i, f.name, time.Since(began).Seconds(), time.Since(r.began).Seconds(), r.load.sent(), n.killed.byName())
		<-time.After(time.Duration(n.random.Int64N(int64(pauses[n.lane]))))
	}
}

// harm lets a fault of the lane happen in its turn.
func (n *nemesis) harm(r *faultRun, f fault) {
	n.turns[n.lane].Lock()
	defer n.turns[n.lane].Unlock() // also when the test fails in it
	requireRunning(r.t, n.ofLane())
	f.harm(n)
}

// noteWork notes what the workers have done, for awaitWork.
func (n *nemesis) noteWork() {
	if n.lane != onTemporal && n.lane != onDatabase {
		return
	}
	n.worked = map[*testbed.Service]int{}
	for _, w := range n.workers {
		n.worked[w] = activitiesOf(w)
	}
}

// awaitWork waits until some worker has done a stage, and some client was accepted, since the last fault of the
// servers: the next one is to meet work, and not servers for which nobody has found the way back yet.
func (n *nemesis) awaitWork(patience time.Duration) {
	if n.lane != onTemporal && n.lane != onDatabase {
		return
	}
	const pause = 100 * time.Millisecond
	works := func(w *testbed.Service) bool {
		done := activitiesOf(w)
		return done > 0 && done != n.worked[w]
	}
	for began := time.Now(); time.Since(began) < patience; <-time.After(pause) {
		if n.postgresServes() && slices.ContainsFunc(n.workers, works) {
			return
		}
	}
}

// progress is how far the lanes of a run have got: of each a part of its faults, as many as a round has of it.
type progress struct {
	happened, all [lanes]atomic.Int64
}

// share gives each lane its part of the faults of a run.
func (p *progress) share(count int) {
	var rounds, sum int
	sizes := [lanes]int{}
	for of := range lanes {
		n := &nemesis{lane: of, random: rand.New(rand.NewPCG(0, 0))}
		sizes[of] = len(n.round())
		rounds += sizes[of]
	}
	for of := range lanes {
		p.all[of].Store(int64(count * sizes[of] / rounds))
		sum += count * sizes[of] / rounds
	}
	p.all[onTemporal].Add(int64(count - sum))
}

// leads reports whether a lane has got further than another by more than some faults of that: then it waits, so that
// they overlap until the end and none is left out when the time is over.
func (p *progress) leads(of lane) bool {
	const some = 6
	for other := range lanes {
		if p.happened[of].Load()*p.all[other].Load() > (p.happened[other].Load()+some)*p.all[of].Load() {
			return true
		}
	}
	return false
}

// nextFault is the number of the next fault of a lane, once as much was sold as to make faults happen evenly over the
// load; false after the last of the lane, when the time is over, and when the run has failed.
func (r *faultRun) nextFault(n *nemesis) (i int, more bool) {
	const ahead = 32 // faults: the sellers go on during each, and never wait for one that takes long
	if r.lanes.happened[n.lane].Load() >= r.lanes.all[n.lane].Load() {
		return 0, false
	}
	share := func(faults int64) int { return r.posts * int(faults) / (r.count + 2) }
	r.bed.Eventually("the other lanes have got as far", func(context.Context) (bool, error) {
		happened := r.happened.Load()
		r.load.allow(share(happened + ahead))
		goesOn := !r.lanes.leads(n.lane) && r.load.sent() >= share(happened)
		return goesOn || r.isOver() ||
			r.t.Failed(), fmt.Errorf("%d faults happened, %d requests are sent", happened, r.load.sent())
	})
	if r.isOver() || r.t.Failed() {
		return 0, false
	}
	r.lanes.happened[n.lane].Add(1)
	return int(r.happened.Add(1)), true
}

// next is the first of the faults that are left. One that kills Temporal lets others go first until Temporal has handed
// out something since it was started: it would never get to it.
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

// One that is ahead waits for the others, and the last of them never does.
func TestLanesShareTheFaults(t *testing.T) {
	t.Parallel()
	var p progress
	p.share(100)
	require.Equal(t, int64(100),
		p.all[onTemporal].Load()+p.all[onDatabase].Load()+p.all[onAPIs].Load()+p.all[onWorkers].Load())
	p.happened[onAPIs].Store(4)
	require.False(t, p.leads(onAPIs))
	p.happened[onAPIs].Store(9)
	require.True(t, p.leads(onAPIs))
	require.False(t, p.leads(onTemporal))
	require.False(t, p.leads(onDatabase))
	require.False(t, p.leads(onWorkers))
}

func TestEveryFaultOfADenseRunHasALane(t *testing.T) {
	t.Parallel()
	times := map[string]int{}
	for of := range lanes {
		n := &nemesis{lane: of, random: rand.New(rand.NewPCG(1, 0))}
		for _, f := range n.round() {
			require.Equal(t, of, f.of, f.name)
			times[f.name]++
		}
	}
	require.Len(t, times, len(faults)+len(overlapping))
	for _, f := range slices.Concat(faults, overlapping) {
		require.Equal(t, max(1, f.dense), times[f.name], f.name)
	}
}
