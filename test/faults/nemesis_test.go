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

// fault is something that goes wrong under load. It is over when inject returns.
type fault struct {
	name   string
	inject func(*nemesis)
	// dense is how often it happens in a round of a dense run, where short faults are the most frequent; 0: once.
	dense int
	// target is what it hits: in a dense run the faults of different targets overlap.
	target target
	// ofTemporal says that it kills Temporal: a dense run delays it until Temporal serves.
	ofTemporal bool
}

// faults are drawn at random: each happens once before any happens again.
var faults = []fault{
	{name: "worker killed", dense: 14, target: onWorkers, inject: func(n *nemesis) { n.restart(n.workers, 1) }},
	{name: "api killed", dense: 14, target: onAPIs, inject: func(n *nemesis) { n.restart(n.apis, 1) }},
	{name: "temporal killed", dense: 3, ofTemporal: true, inject: func(n *nemesis) {
		n.killTemporal()
		n.startTemporal()
	}},
	{name: "postgresql killed", dense: 8, target: onDatabase, inject: func(n *nemesis) {
		n.killPostgres()
		n.startPostgres()
	}},
	{name: "all killed", dense: 2, ofTemporal: true, inject: func(n *nemesis) {
		defer n.holdAll()()
		n.killTemporal() // first, because the workers show whether it serves
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
	{name: "temporal destroyed", ofTemporal: true, inject: func(n *nemesis) {
		n.killTemporal()
		n.bed.DestroyTemporal()
		n.startTemporal()
	}},
	{name: "worker stopped for a while", target: onWorkers, inject: func(n *nemesis) { n.pause(n.oneOf(n.workers)) }},
	{name: "api stopped for a while", target: onAPIs, inject: func(n *nemesis) { n.pause(n.oneOf(n.apis)) }},
	{name: "database connections reset", target: onDatabase, inject: func(n *nemesis) { n.bed.ToDatabase.Reset() }},
	{name: "temporal connections reset", inject: func(n *nemesis) { n.bed.ToTemporal.Reset() }},
	{name: "high latency of the database", target: onDatabase, inject: func(n *nemesis) {
		n.disturb(n.bed.ToDatabase, func(p *testbed.Proxy) { p.Delay(50 * time.Millisecond) })
	}},
	{name: "high latency of temporal", inject: func(n *nemesis) {
		n.disturb(n.bed.ToTemporal, func(p *testbed.Proxy) { p.Delay(200 * time.Millisecond) })
	}},
	{name: "database out of reach", target: onDatabase,
		inject: func(n *nemesis) { n.disturb(n.bed.ToDatabase, (*testbed.Proxy).Freeze) }},
	{name: "temporal out of reach", inject: func(n *nemesis) { n.disturb(n.bed.ToTemporal, (*testbed.Proxy).Freeze) }},
	{name: "replies of the database lost", target: onDatabase,
		inject: func(n *nemesis) { n.disturb(n.bed.ToDatabase, (*testbed.Proxy).DropReplies) }},
	{name: "temporal accepts and hands out nothing", inject: func(n *nemesis) {
		n.bed.ToTemporalOfWorkers.Freeze()
		n.pass(n.stall)
		n.bed.ToTemporalOfWorkers.Heal()
	}},
	{name: "completions lost", inject: func(n *nemesis) { n.disturb(n.bed.ToTemporal, (*testbed.Proxy).DropRequests) }},
	{name: "no database connection left", target: onDatabase, inject: func(n *nemesis) {
		n.bed.ToDatabase.Reset()
		release := n.bed.ExhaustPostgres(context.Background())
		<-time.After(n.while())
		release()
	}},
	{name: "worker of other workflow code", target: onWorkers, inject: func(n *nemesis) {
		w := n.oneOf(n.workers)
		deploy(w, n.incompatible)
		<-time.After(n.while())
		deploy(w, "")
		n.launched(w)
	}},
	{name: "replies of temporal lost", inject: func(n *nemesis) { n.disturb(n.bed.ToTemporal, (*testbed.Proxy).DropReplies) }},
}

// overlapping are faults of dense runs, which have more processes: several of them are gone at the same time.
var overlapping = []fault{
	{name: "all workers but one killed", dense: 4, target: onWorkers,
		inject: func(n *nemesis) { n.restart(n.workers, len(n.workers)-1) }},
	{name: "all apis but one killed", dense: 4, target: onAPIs, inject: func(n *nemesis) { n.restart(n.apis, len(n.apis)-1) }},
}

// How long Temporal hands out no tasks: long enough for one attempt, and as long as a server whose services have to
// discover each other.
const shortStall, longStall = 3 * time.Second, time.Minute

// nemesis injects faults, in an order that its seed determines.
type nemesis struct {
	bed           *testbed.Bed
	random        *rand.Rand
	apis, workers []*testbed.Service
	stall         time.Duration // how long Temporal hands out no tasks
	incompatible  string        // a program whose workflow code cannot continue the workflows in progress
	dense         bool
	target        target
	locks         *targetLocks             // of the targets
	worked        map[*testbed.Service]int // what workers had done after the last fault of the servers
	killed        *kills
	starting      <-chan struct{} // Temporal, which is not killed before it has begun to answer; nil: it answers
}

// order returns the faults of a run: round after round, each in random order.
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

// pass lets time pass; in a dense run processes of the same target are killed meanwhile, too.
func (n *nemesis) pass(d time.Duration) {
	over := time.After(d)
	if own := n.targetServices(); len(own) > 0 {
		n.restart(own, 1)
	}
	<-over
}

func (n *nemesis) while() time.Duration {
	return time.Second + time.Duration(n.random.Int64N(int64(2*time.Second)))
}

// injectFaults injects the faults of a run, spread evenly over the load, and counts and logs each.
func (n *nemesis) injectFaults(r *faultRun) {
	t, load, count := r.t, r.load, r.count
	t.Helper()
	if n.dense {
		n.injectConcurrently(r)
		return
	}
	last := time.Now()
	order := n.order(count)
	for i := range order {
		const ahead = 3 // faults: the sellers continue during each
		load.allow(load.posts * (i + 1 + ahead) / (count + 2))
		at := load.posts * (i + 1) / (count + 2)
		n.bed.Eventually(fmt.Sprintf("%d requests are sent", at), func(context.Context) (bool, error) {
			return load.sent() >= at, nil
		})
		requireRunning(t, n.services())
		began := time.Now()
		order[i].inject(n)
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

// requireRunning checks that every process still runs, whatever it cannot reach.
func requireRunning(t *testing.T, services []*testbed.Service) {
	t.Helper()
	for _, s := range services {
		require.False(t, s.Ended(), "a process ended by itself: %s", s.LastLogLine())
	}
}
