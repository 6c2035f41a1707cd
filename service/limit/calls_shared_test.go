package limit

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// processes are several with one clock, which report to each other.
type processes struct {
	now time.Time
	all []*Calls
}

func newProcesses(n int) *processes {
	p := &processes{now: time.Date(2026, 5, 15, 10, 0, 0, 0, time.UTC)}
	for range n {
		p.all = append(p.all, NewCalls(Config{Rate: testRate}, func() time.Time { return p.now }))
	}
	return p
}

func (p *processes) exchange() {
	reports := map[string]models.ProcessCalls{}
	for i, calls := range p.all {
		reports[fmt.Sprint(i)] = calls.Report(10)
	}
	for i, calls := range p.all {
		others := map[string]models.ProcessCalls{}
		for id, report := range reports {
			if id != fmt.Sprint(i) {
				others[id] = report
			}
		}
		calls.Share(others)
	}
}

// flood tries as many calls as it can in each process for a time, and returns how many were admitted.
func (p *processes) flood(id string, seconds int) (admitted int) {
	for second := range seconds {
		for _, calls := range p.all {
			for calls.Begin(id, testRate, false).Refused == "" {
				calls.End(id, false)
				admitted++
			}
		}
		p.now = p.now.Add(time.Second)
		if second%2 == 1 {
			p.exchange()
		}
	}
	return admitted
}

var testRate = models.RateLimit{PerMinute: 600, Burst: 100}

// However many processes serve an organization, they admit what one may, but for the bursts before they know of each
// other's calls. Another organization loses nothing.
func TestProcessesHoldTheRateTogether(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 4} {
		p := newProcesses(n)
		p.exchange()
		const minutes = 10
		admitted := p.flood("org_greedy", 60*minutes)
		most := minutes*testRate.PerMinute + n*testRate.Burst + 2*n*testRate.PerMinute/60
		require.LessOrEqual(t, admitted, most, "%d processes", n)
		require.GreaterOrEqual(t, admitted, minutes*testRate.PerMinute*9/10, "%d processes", n)
		require.Equal(t, testRate.Burst-1, p.all[0].Begin("org_other", testRate, false).Remaining)
	}
}

// The part of a process that has died is there for the others.
func TestAProcessThatDiedLeavesItsPart(t *testing.T) {
	t.Parallel()
	p := newProcesses(2)
	p.exchange()
	p.flood("org_greedy", 120)
	p.all = p.all[:1]
	p.exchange()
	p.flood("org_greedy", 60)
	require.InDelta(t, testRate.PerMinute, p.flood("org_greedy", 60), float64(testRate.PerMinute)/10)
}

// An organization that was not named for a while is charged what is new, and nothing of what it called before.
func TestAnOrganizationThatComesBackIsChargedWhatIsNew(t *testing.T) {
	t.Parallel()
	p := newProcesses(2)
	call := func(of *Calls) Decision {
		v := of.Begin("org_1", testRate, false)
		require.Empty(t, v.Refused)
		of.End("org_1", false)
		return v
	}
	for range 10 {
		p.exchange()
		call(p.all[0])
		call(p.all[1])
		p.now = p.now.Add(2 * time.Second)
	}
	for range 150 {
		p.now = p.now.Add(2 * time.Second)
		p.exchange()
	}
	require.Empty(t, p.all[0].Report(10))
	for range 5 {
		call(p.all[0])
	}
	p.exchange()
	require.Equal(t, testRate.Burst-6, call(p.all[1]).Remaining)
}

// A report has room for few organizations. One that had none is charged from then on, when it gets a place.
func TestAReportCountsFromTheLastThatHadNoPlace(t *testing.T) {
	t.Parallel()
	calls := newProcesses(1).all[0]
	begin := func(id string, n int) {
		for range n {
			require.Empty(t, calls.Begin(id, testRate, false).Refused)
			calls.End(id, false)
		}
	}
	begin("org_a", 5)
	begin("org_b", 1)
	report := calls.Report(1)
	require.Len(t, report, 1)
	require.EqualValues(t, 5, report["org_a"].Total)
	begin("org_a", 1)
	begin("org_b", 7)
	report = calls.Report(1)
	require.Len(t, report, 1)
	require.EqualValues(t, 7, report["org_b"].Total)
	require.EqualValues(t, 0, calls.Report(2)["org_a"].Total)
}

// The calls of a report that another process missed are charged by the next one.
func TestCallsOfAMissedReportAreCharged(t *testing.T) {
	t.Parallel()
	p := newProcesses(2)
	for _, calls := range p.all {
		require.Empty(t, calls.Begin("org_1", testRate, false).Refused)
		calls.End("org_1", false)
	}
	p.exchange()
	p.now = p.now.Add(2 * time.Second)
	p.exchange()
	for range 50 {
		require.Empty(t, p.all[1].Begin("org_1", testRate, false).Refused)
		p.all[1].End("org_1", false)
	}
	require.EqualValues(t, 51, p.all[1].Report(10)["org_1"].Total)
	p.exchange()
	require.Equal(t, testRate.Burst-51, p.all[0].Begin("org_1", testRate, false).Remaining)
}

// Calls from the time when processes did not hear each other are over: they refuse nothing afterwards.
func TestCallsOfALongSilenceAreNotCharged(t *testing.T) {
	t.Parallel()
	p := newProcesses(2)
	p.exchange()
	p.flood("org_1", 4)
	for range 300 {
		p.now = p.now.Add(time.Second)
		for _, calls := range p.all {
			if calls.Begin("org_1", testRate, false).Refused == "" {
				calls.End("org_1", false)
			}
		}
	}
	p.now = p.now.Add(time.Second)
	p.exchange()
	require.Equal(t, testRate.Burst-1, p.all[0].Begin("org_1", testRate, false).Remaining)
}

// However much other processes admitted, a bucket is empty for a minute at most beyond its own capacity.
func TestADebtEndsWithinAMinute(t *testing.T) {
	t.Parallel()
	p, rate := newProcesses(3), models.RateLimit{PerMinute: 60, Burst: 500}
	p.exchange()
	for i, calls := range []int{1, 500, 500} {
		for range calls {
			require.Empty(t, p.all[i].Begin("org_1", rate, false).Refused)
			p.all[i].End("org_1", false)
		}
	}
	p.exchange()
	p.now = p.now.Add(time.Minute - time.Second)
	require.Equal(t, Rate, p.all[0].Begin("org_1", rate, false).Refused)
	p.now = p.now.Add(2 * time.Second)
	require.Empty(t, p.all[0].Begin("org_1", rate, false).Refused)
}

// A report names those that used the largest part of their limit. The others are named when they do.
func TestAReportNamesWhoUsesTheMost(t *testing.T) {
	t.Parallel()
	calls, now := testCalls(Config{})
	calls.Report(2)
	for id, rate := range map[string]models.RateLimit{
		"org_large": {PerMinute: 60_000, Burst: 500}, "org_small": {PerMinute: 6, Burst: 5}, "org_none": testRate,
	} {
		for range map[string]int{"org_large": 100, "org_small": 4, "org_none": 0}[id] {
			calls.Begin(id, rate, false)
		}
	}
	require.Equal(t, models.ProcessCalls{"org_small": {Total: 4}}, calls.Report(1))
	calls.Begin("org_large", models.RateLimit{PerMinute: 60_000, Burst: 500}, false)
	*now = now.Add(time.Second)
	require.Equal(t, models.ProcessCalls{"org_large": {Total: 1}}, calls.Report(1))
}

// The operator sees whose calls took the most time, in all processes, and no more than he asks for. People are not named.
func TestTheNoisiestOfAllProcesses(t *testing.T) {
	t.Parallel()
	p := newProcesses(2)
	p.exchange()
	for i, id := range []string{"org_0", "org_1", "org_2", "org_3", "org_4", "org_5", "org_6", "org_7", "user_8"} {
		for range i + 1 {
			require.Empty(t, p.all[i%2].Begin(id, testRate, false).Refused)
		}
		p.now = p.now.Add(time.Second)
		for range i + 1 {
			p.all[i%2].End(id, false)
		}
	}
	p.now = p.now.Add(time.Minute)
	p.exchange()
	for _, calls := range p.all {
		ids, counts := calls.Noisiest(3)
		require.Equal(t, []string{"org_7", "org_6", "org_5"}, ids)
		require.Equal(t, models.CallCounts{Calls: 8, Busy: 8 * time.Second}, counts["org_7"])
	}
	p.now = p.now.Add(longestSilence + time.Second)
	ids, _ := p.all[0].Noisiest(3)
	require.Equal(t, []string{"org_6", "org_4", "org_2"}, ids, "nothing is heard of the other process")
	p.now = p.now.Add(time.Minute)
	p.exchange()
	ids, _ = p.all[0].Noisiest(3)
	require.Empty(t, ids, "a minute without calls")
	require.Empty(t, p.all[0].Report(2))
}
