package faults_test

import (
	"context"
	"slices"
	"time"

	"levy/test/testbed"
)

// The names of processes where kills are counted.
const apiKilled, workerKilled, postgresKilled, temporalKilled = "api", "worker", "postgresql", "temporal"

// kills are the processes that were killed while they served the load, by name. One that has not served anybody since it
// was started is killed, too, and not counted: an API serves when it has accepted something, a worker when it has done a
// stage, PostgreSQL when a client was accepted, and Temporal when some worker has done a stage, each since that start.
type kills struct {
	load  *load
	names map[string]int

	accepted map[*testbed.Service]int // by each API when it was started
	before   int                      // accepted by all when PostgreSQL was started
	done     map[*testbed.Service]int // by each worker when Temporal was started; absent for one that is younger
}

func newKills(l *load) *kills {
	return &kills{load: l, names: map[string]int{}, accepted: map[*testbed.Service]int{}, done: map[*testbed.Service]int{}}
}

func (k *kills) count(name string, served bool) {
	if served {
		k.names[name]++
	}
}

// activitiesOf are how many activities a worker has done since it was started; 0 when it does not say.
func activitiesOf(worker *testbed.Service) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return worker.Metric(ctx, "temporal_activity_execution_latency_seconds_count", `workflow_type="ProcessTransactions"`)
}

func (n *nemesis) isAPI(s *testbed.Service) bool { return slices.Contains(n.apis, s) }

func (n *nemesis) serves(s *testbed.Service) bool {
	if n.isAPI(s) {
		return n.killed.load.acceptedBy(s) > n.killed.accepted[s]
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

// launched begins to count what a process serves.
func (n *nemesis) launched(s *testbed.Service) {
	if n.isAPI(s) {
		n.killed.accepted[s] = n.killed.load.acceptedBy(s)
		return
	}
	delete(n.killed.done, s)
}

func (n *nemesis) killPostgres() {
	n.killed.count(postgresKilled, n.killed.load.acceptedBy(n.apis...) > n.killed.before)
	n.bed.KillPostgres()
}

func (n *nemesis) startPostgres() {
	n.bed.StartPostgres(context.Background())
	n.killed.before = n.killed.load.acceptedBy(n.apis...)
}

func (n *nemesis) killTemporal() {
	n.awaitTemporal()
	n.killed.count(temporalKilled, n.temporalServes())
	n.bed.KillTemporal()
}

func (n *nemesis) temporalServes() bool {
	n.awaitTemporal()
	return slices.ContainsFunc(n.workers, func(w *testbed.Service) bool { return activitiesOf(w) > n.killed.done[w] })
}

// startTemporal starts it. In a dense run other faults happen until it answers.
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
		n.killed.done[w] = activitiesOf(w)
	}
}

// restart kills some processes at once and starts them again. It prefers those that serve, and waits for them a moment.
func (n *nemesis) restart(from []*testbed.Service, some int) {
	const wait, pause = 3 * time.Second, 100 * time.Millisecond
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
		if len(chosen) >= some || time.Since(began) > wait {
			chosen = append(chosen, others...)[:some]
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
