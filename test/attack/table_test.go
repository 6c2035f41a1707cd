package attack_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// The aim of each attack: the victim's p99 is at most so many times what it is alone, and at most so long.
const (
	aimedRatio  = 1.5
	aimedVictim = 50 * time.Millisecond
)

// outcome is what came of an attack.
type outcome struct {
	attack

	alone, attacked served
	load            string // of the machine, before
	took            time.Duration
	cpu, ready      time.Duration // CPU time of the process, and for how long its threads wanted a CPU and had none
	attackers       time.Duration // CPU time of those who attack, and of the programs that they start
	peak, growth    int64         // memory of the process in bytes
	files           int
	answers         string
}

// served is how the victim was served for a while.
type served struct {
	calls int
	p99   time.Duration
	took  []time.Duration // of each call
}

// p99 is that of calls, which it sorts; 0 of none.
func p99(took []time.Duration) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}

// fewCalls are too few for a p99.
const fewCalls = 100

// references are how many outcomes at the beginning of a table are no attacks: beside one busy CPU, and beside all.
const references = 2

// reference is the plain load of the CPUs that is as large as an attack: the one that keeps all CPUs busy for an attack
// that, with the service, takes more than one and a quarter.
func (t table) reference(o outcome) outcome {
	if o.cpu+o.attackers > o.took*5/4 {
		return t[min(1, len(t)-1)]
	}
	return t[0]
}

// besideLoad is how many times as long as beside the plain load of the CPUs the victim waited.
func (t table) besideLoad(o outcome) float64 {
	return float64(o.attacked.p99) / float64(t.reference(o).attacked.p99)
}

// unfair are the attacks beside which the victim waited longer than the plain load of the CPUs explains.
func (t table) unfair() (names []string) {
	for _, o := range t[min(references, len(t)):] {
		enough := min(o.attacked.calls, t.reference(o).attacked.calls) >= fewCalls
		if enough && t.besideLoad(o) > aimedRatio {
			names = append(names, o.name)
		}
	}
	return names
}

func (t table) requireFairness(test *testing.T) {
	test.Helper()
	require.Empty(test, t.unfair(), "the victim waited longer than beside the same load of the CPUs:\n\n%s", t)
}

// aim says whether the victim was served as it should be.
func (o outcome) aim() string {
	switch {
	case min(o.alone.calls, o.attacked.calls) < fewCalls:
		return "too few calls"
	case o.ratio() > aimedRatio:
		return "missed"
	case o.attacked.p99 > aimedVictim:
		return "ratio met"
	}
	return "met"
}

func (o outcome) ratio() float64 { return float64(o.attacked.p99) / float64(o.alone.p99) }

// table is all outcomes, as docs have them.
type table []outcome

func (t table) String() string {
	var s strings.Builder
	var alone []time.Duration
	aims := map[string]int{}
	s.WriteString("| attack | what was tried | p99 alone | attacked | ratio | to a CPU load | calls | aim | load | took | API's CPU | " +
		"it waited for a CPU | attackers' CPU |" +
		" memory | growth | files | answers |\n|" + strings.Repeat("---|", 17) + "\n")
	for _, o := range t {
		aim := o.aim()
		aims[aim]++
		alone = append(alone, o.alone.took...)
		fmt.Fprintf(&s, "| %s | %s | %s | %s | %.1f | %.1f | %d, %d | %s | %s | %s | %s | %s | %s | %s | %s | %d | %s |\n",
			o.name, o.tried,
			inMilliseconds(o.alone.p99), inMilliseconds(o.attacked.p99), o.ratio(), t.besideLoad(o), o.alone.calls, o.attacked.calls, aim, o.load,
			inSeconds(o.took), inSeconds(o.cpu), inSeconds(o.ready), inSeconds(o.attackers), megabytes(o.peak),
			megabytes(o.growth), o.files, o.answers)
	}
	fmt.Fprintf(&s, "\n%d of %d met the aim, at most %.1f times and at most %s; %d more met the ratio.\n",
		aims["met"], len(t), aimedRatio, inMilliseconds(aimedVictim), aims["ratio met"])
	fmt.Fprintf(&s, "Alone, all its calls together: p99 %s of %d.\n", inMilliseconds(p99(alone)), len(alone))
	return s.String()
}

// loadOfMachine is how many processes wanted a CPU during the last minute.
func loadOfMachine() string {
	loads, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(loads))[0]
}

func inMilliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

func inSeconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// ownCPU is the CPU time of the attackers so far, who are this process: all that a generator on the same machine takes
// from the service.
func ownCPU(t *testing.T) (used time.Duration) {
	t.Helper()
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var usage unix.Rusage
		require.NoError(t, unix.Getrusage(who, &usage))
		used += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return used
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func TestTheAimIsARatioAndATime(t *testing.T) {
	t.Parallel()
	of := func(calls, ms int) served { return served{calls: calls, p99: time.Duration(ms) * time.Millisecond} }
	outcomes := table{
		{attack: attack{name: "one CPU"}, alone: of(300, 20), attacked: of(300, 20), took: time.Second},
		{attack: attack{name: "all CPUs"}, alone: of(300, 20), attacked: of(300, 40), took: time.Second},
		{attack: attack{name: "small"}, alone: of(300, 20), attacked: of(300, 30)},
		{attack: attack{name: "ratio"}, alone: of(300, 20), attacked: of(300, 31)},
		{attack: attack{name: "time"}, alone: of(300, 50), attacked: of(300, 51), took: time.Second,
			attackers: 2 * time.Second},
		{attack: attack{name: "short"}, alone: of(300, 50), attacked: of(99, 50)},
		{took: 5 * time.Second, cpu: 1200 * time.Millisecond, ready: 300 * time.Millisecond,
			attackers: 4100 * time.Millisecond},
	}
	text := outcomes.String()
	require.Contains(t, text, "| small |  | 20.0 ms | 30.0 ms | 1.5 | 1.5 | 300, 300 | met |")
	require.Contains(t, text, "| ratio |  | 20.0 ms | 31.0 ms | 1.6 | 1.6 | 300, 300 | missed |")
	require.Contains(t, text, "| time |  | 50.0 ms | 51.0 ms | 1.0 | 1.3 | 300, 300 | ratio met |")
	require.Contains(t, text, "| 1.0 | 2.5 | 300, 99 | too few calls |")
	require.Contains(t, text, "|  | 5.0 s | 1.2 s | 0.3 s | 4.1 s | 0.0 MB |", "the service and its attackers apart")
	require.Contains(t, text, "2 of 7 met the aim, at most 1.5 times and at most 50.0 ms; 1 more met the ratio.")
	require.Equal(t, []string{"ratio"}, outcomes.unfair(), "beside the same load of the CPUs, and with enough calls")
}
