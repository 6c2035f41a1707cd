package faults_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"levy/test/testbed"
)

// The names of processes where kills are counted.
const apiKilled, workerKilled, postgresKilled, temporalKilled = "api", "worker", "postgresql", "temporal"

// kills counts by name the processes that were killed while they served the load. A process that has served nothing
// since its start is killed, too, but not counted. An API has served when it has accepted something, a worker when it
// has completed a stage, PostgreSQL when a request was accepted, and Temporal when some worker has completed a stage.
type kills struct {
	load *load

	mu       sync.Mutex // of all that follows
	names    map[string]int
	accepted map[*testbed.Service]int // by each API when it was started
	before   int                      // accepted by all APIs when PostgreSQL was started
	done     map[*testbed.Service]int // by each worker when Temporal was started; absent for one that was started later
}

func newKills(l *load) *kills {
	return &kills{load: l, names: map[string]int{}, accepted: map[*testbed.Service]int{}, done: map[*testbed.Service]int{}}
}

func (k *kills) count(name string, served bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if served {
		k.names[name]++
	}
}

// byName are the kills so far.
func (k *kills) byName() map[string]int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.names)
}

// began resets what a process has served since its start.
func (k *kills) began(s *testbed.Service, api bool) {
	taken := k.load.acceptedBy(s)
	k.mu.Lock()
	defer k.mu.Unlock()
	if api {
		k.accepted[s] = taken
	} else {
		delete(k.done, s)
	}
}

// serves reports whether an API has accepted something since it was started.
func (k *kills) serves(api *testbed.Service) bool {
	taken := k.load.acceptedBy(api)
	k.mu.Lock()
	defer k.mu.Unlock()
	return taken > k.accepted[api]
}

// sinceTemporal reports whether a worker has done something since Temporal was started.
func (k *kills) sinceTemporal(worker *testbed.Service) bool {
	done := activitiesOf(worker)
	k.mu.Lock()
	defer k.mu.Unlock()
	return done > k.done[worker]
}

// activitiesOf are how many activities a worker has done since it was started; 0 when it does not answer.
func activitiesOf(worker *testbed.Service) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return worker.Metric(ctx, "temporal_activity_execution_latency_seconds_count", `workflow_type="ProcessTransactions"`)
}

func (n *nemesis) isAPI(s *testbed.Service) bool { return slices.Contains(n.apis, s) }

func (n *nemesis) serves(s *testbed.Service) bool {
	if n.isAPI(s) {
		return n.killed.serves(s)
	}
	return activitiesOf(s) > 0
}

func (n *nemesis) kill(s *testbed.Service) {
	name := workerKilled
	if n.isAPI(s) {
		name = apiKilled
	}
	n.killed.count(name, n.serves(s))
	s.Kill()
}

func (n *nemesis) launch(s *testbed.Service) {
	s.Launch()
	n.launched(s)
}

// launched starts to count what a process serves.
func (n *nemesis) launched(s *testbed.Service) { n.killed.began(s, n.isAPI(s)) }

func (n *nemesis) killPostgres() {
	n.killed.count(postgresKilled, n.postgresServes())
	n.bed.KillPostgres()
}

func (n *nemesis) postgresServes() bool {
	taken := n.killed.load.acceptedBy(n.apis...)
	n.killed.mu.Lock()
	defer n.killed.mu.Unlock()
	return taken > n.killed.before
}

func (n *nemesis) startPostgres() {
	n.bed.StartPostgres(context.Background())
	taken := n.killed.load.acceptedBy(n.apis...)
	n.killed.mu.Lock()
	defer n.killed.mu.Unlock()
	n.killed.before = taken
}

func (n *nemesis) killTemporal() {
	n.awaitTemporal()
	n.killed.count(temporalKilled, n.temporalServes())
	n.bed.KillTemporal()
}

func (n *nemesis) temporalServes() bool {
	n.awaitTemporal()
	return slices.ContainsFunc(n.workers, n.killed.sinceTemporal)
}

// startTemporal starts Temporal. In a dense run other faults happen until it answers.
func (n *nemesis) startTemporal() {
	answers := make(chan struct{})
	n.starting = answers
	go func() {
		defer close(answers)
		n.bed.StartTemporal(context.Background())
	}()
	if !n.dense {
		n.awaitTemporal()
	}
}

func (n *nemesis) awaitTemporal() {
	if n.starting == nil {
		return
	}
	<-n.starting
	n.starting = nil
	for _, w := range n.workers {
		done := activitiesOf(w)
		n.killed.mu.Lock()
		n.killed.done[w] = done
		n.killed.mu.Unlock()
	}
}

// How long a fault waits at the most until what it is about to kill serves: on a busy machine a process takes seconds to
// start, and killing it before it serves would stop all progress. someServe is how long it waits for all processes that
// it wants to kill when at least one serves.
const someServe, oneServes = 3 * time.Second, 20 * time.Second

// restart kills some processes at once and starts them again. It prefers those that serve, and waits for them.
func (n *nemesis) restart(from []*testbed.Service, some int) {
	const pause = 100 * time.Millisecond
	var chosen []*testbed.Service
	for began := time.Now(); ; {
		chosen = chosen[:0]
		var others []*testbed.Service
		for _, i := range n.random.Perm(len(from)) {
			if s := from[i]; n.serves(s) {
				chosen = append(chosen, s)
			} else {
				others = append(others, s)
			}
		}
		waited := time.Since(began)
		if len(chosen) >= some || waited > someServe && len(chosen) > 0 {
			chosen = chosen[:min(some, len(chosen))]
			break
		}
		if waited > oneServes {
			chosen = others[:some]
			break
		}
		<-time.After(pause)
	}
	for _, s := range chosen {
		n.kill(s)
	}
	for _, s := range chosen {
		n.launch(s)
	}
}
