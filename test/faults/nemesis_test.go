package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// fault is something that goes wrong under load, and is over when harm returns.
type fault struct {
	name string
	harm func(*nemesis)
	// dense is how often it happens in a round of a dense run, where those happen most that are soon over; 0: once.
	dense int
	// of is the lane of a dense run in which it happens.
	of lane
	// ofTemporal says that it kills Temporal, for which a dense run waits with it until that serves again.
	ofTemporal bool
}

// faults are drawn from: each happens before any happens again.
var faults = []fault{
	{name: "worker killed", dense: 14, of: onWorkers, harm: func(n *nemesis) { n.restart(n.workers, 1) }},
	{name: "api killed", dense: 14, of: onAPIs, harm: func(n *nemesis) { n.restart(n.apis, 1) }},
	{name: "temporal killed", dense: 3, ofTemporal: true, harm: func(n *nemesis) {
		n.killTemporal()
		n.startTemporal()
	}},
	{name: "postgresql killed", dense: 8, of: onDatabase, harm: func(n *nemesis) {
		n.killPostgres()
		n.startPostgres()
	}},
	{name: "all killed", dense: 2, ofTemporal: true, harm: func(n *nemesis) {
		defer n.holdAll()()
		n.killTemporal() // first, because workers tell whether it serves
		for _, s := range n.services() {
			n.kill(s)
		}
		n.killPostgres()
		for _, s := range n.services() {
			n.launch(s)
		}
		n.startPostgres()
		n.startTemporal()
	}},
	{name: "temporal destroyed", ofTemporal: true, harm: func(n *nemesis) {
		n.killTemporal()
		n.bed.DestroyTemporal()
		n.startTemporal()
	}},
	{name: "worker stopped for a while", of: onWorkers, harm: func(n *nemesis) { n.pause(n.oneOf(n.workers)) }},
	{name: "api stopped for a while", of: onAPIs, harm: func(n *nemesis) { n.pause(n.oneOf(n.apis)) }},
	{name: "database connections reset", of: onDatabase, harm: func(n *nemesis) { n.bed.ToDatabase.Cut() }},
	{name: "temporal connections reset", harm: func(n *nemesis) { n.bed.ToTemporal.Cut() }},
	{name: "database far away", of: onDatabase, harm: func(n *nemesis) {
		n.disturb(n.bed.ToDatabase, func(p *testbed.Proxy) { p.Slow(50 * time.Millisecond) })
	}},
	{name: "temporal far away", harm: func(n *nemesis) {
		n.disturb(n.bed.ToTemporal, func(p *testbed.Proxy) { p.Slow(200 * time.Millisecond) })
	}},
	{name: "database out of reach", of: onDatabase,
		harm: func(n *nemesis) { n.disturb(n.bed.ToDatabase, (*testbed.Proxy).Freeze) }},
	{name: "temporal out of reach", harm: func(n *nemesis) { n.disturb(n.bed.ToTemporal, (*testbed.Proxy).Freeze) }},
	{name: "replies of the database lost", of: onDatabase,
		harm: func(n *nemesis) { n.disturb(n.bed.ToDatabase, (*testbed.Proxy).Swallow) }},
	{name: "temporal accepts and hands out nothing", harm: func(n *nemesis) {
		n.bed.ToTemporalOfWorkers.Freeze()
		n.pass(n.stall)
		n.bed.ToTemporalOfWorkers.Heal()
	}},
	{name: "completions lost", harm: func(n *nemesis) { n.disturb(n.bed.ToTemporal, (*testbed.Proxy).Drop) }},
	{name: "no database connection left", of: onDatabase, harm: func(n *nemesis) {
		n.bed.ToDatabase.Cut()
		release := n.bed.ExhaustPostgres(context.Background())
		<-time.After(n.while())
		release()
	}},
	{name: "worker of other workflow code", of: onWorkers, harm: func(n *nemesis) {
		w := n.oneOf(n.workers)
		deploy(w, n.misfit)
		<-time.After(n.while())
		deploy(w, "")
		n.launched(w)
	}},
	{name: "replies of temporal lost", harm: func(n *nemesis) { n.disturb(n.bed.ToTemporal, (*testbed.Proxy).Swallow) }},
}

// overlapping are faults of dense runs, which have more processes: several of them are gone at the same time.
var overlapping = []fault{
	{name: "all workers but one killed", dense: 4, of: onWorkers,
		harm: func(n *nemesis) { n.restart(n.workers, len(n.workers)-1) }},
	{name: "all apis but one killed", dense: 4, of: onAPIs, harm: func(n *nemesis) { n.restart(n.apis, len(n.apis)-1) }},
}

// How long Temporal hands out nothing: long enough for a try to come, and as long as a server does
// whose services look for each other.
const shortStall, longStall = 3 * time.Second, time.Minute

// nemesis lets things go wrong, in an order that its seed decides.
type nemesis struct {
	bed           *testbed.Bed
	random        *rand.Rand
	apis, workers []*testbed.Service
	stall         time.Duration // for how long Temporal hands out nothing
	misfit        string        // a program whose workflow code cannot go on with what ours began
	dense         bool
	lane          lane
	turns         *turns                   // of the lanes
	worked        map[*testbed.Service]int // what workers had done after the last fault of the servers
	killed        *kills
	starting      <-chan struct{} // Temporal, which is not killed before it has begun to answer; nil: it answers
}

// order is that of the faults of a run: a round after the other, each in an order of its own.
func (n *nemesis) order(count int) (order []fault) {
	for len(order) < count {
		for _, i := range n.random.Perm(len(faults)) {
			order = append(order, faults[i])
		}
	}
	return order[:count]
}

func (n *nemesis) oneOf(services []*testbed.Service) *testbed.Service {
	return services[n.random.IntN(len(services))]
}

func (n *nemesis) services() []*testbed.Service { return append(slices.Clone(n.apis), n.workers...) }

// pause is long enough for others to take over what the process held.
func (n *nemesis) pause(s *testbed.Service) {
	s.Pause()
	n.pass(n.while())
	s.Resume()
}

func (n *nemesis) disturb(p *testbed.Proxy, how func(*testbed.Proxy)) {
	how(p)
	n.pass(n.while())
	p.Heal()
}

// pass lets time pass; in a dense run processes of the same lane are killed meanwhile, too.
func (n *nemesis) pass(d time.Duration) {
	over := time.After(d)
	if own := n.ofLane(); len(own) > 0 {
		n.restart(own, 1)
	}
	<-over
}

func (n *nemesis) while() time.Duration {
	return time.Second + time.Duration(n.random.Int64N(int64(2*time.Second)))
}

// strike lets the faults of a run happen, evenly over the load, which lasts as long, counts them, and tells of each.
func (n *nemesis) strike(r *faultRun) {
	t, load, count := r.t, r.load, r.count
	t.Helper()
	if n.dense {
		n.strikeInLanes(r)
		return
	}
	last := time.Now()
	order := n.order(count)
	for i := range order {
		const ahead = 3 // faults: the sellers go on during each
		load.allow(load.posts * (i + 1 + ahead) / (count + 2))
		at := load.posts * (i + 1) / (count + 2)
		n.bed.Eventually(fmt.Sprintf("%d requests are sent", at), func(context.Context) (bool, error) {
			return load.sent() >= at, nil
		})
		requireRunning(t, n.services())
		began := time.Now()
		order[i].harm(n)
		t.Logf("fault %d, %s: %.1f s, %.1f s after the last one; %d requests sent, killed while they served: %v",
			r.happened.Add(1), order[i].name, time.Since(began).Seconds(), began.Sub(last).Seconds(),
			load.sent(), n.killed.byName())
		last = time.Now()
	}
	load.allow(load.posts)
	for _, s := range n.services() {
		s.WaitReady()
	}
}

// requireRunning holds every process to running on, whatever it cannot reach.
func requireRunning(t *testing.T, services []*testbed.Service) {
	t.Helper()
	for _, s := range services {
		require.False(t, s.Ended(), "a process ended by itself: %s", s.LastWords())
	}
}
