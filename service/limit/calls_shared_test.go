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
		admitted := p.flood("greedy", 60*minutes)
		most := minutes*testRate.PerMinute + n*testRate.Burst + 2*n*testRate.PerMinute/60
		require.LessOrEqual(t, admitted, most, "%d processes", n)
		require.GreaterOrEqual(t, admitted, minutes*testRate.PerMinute*9/10, "%d processes", n)
		require.Equal(t, testRate.Burst-1, p.all[0].Begin("other", testRate, false).Remaining)
	}
}

// The part of a process that has died is there for the others.
func TestAProcessThatDiedLeavesItsPart(t *testing.T) {
	t.Parallel()
	p := newProcesses(2)
	p.exchange()
	p.flood("greedy", 120)
	p.all = p.all[:1]
	p.exchange()
	p.flood("greedy", 60)
	require.InDelta(t, testRate.PerMinute, p.flood("greedy", 60), float64(testRate.PerMinute)/10)
}

// The operator sees who used the most, in all processes, and no more than he asks for.
func TestTheNoisiestOfAllProcesses(t *testing.T) {
	t.Parallel()
	p := newProcesses(2)
	p.exchange()
	for i := range 8 {
		id := fmt.Sprintf("org-%d", i)
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
	ids, counts := p.all[0].Noisiest(3)
	require.Equal(t, []string{"org-7", "org-6", "org-5"}, ids)
	require.Equal(t, models.CallCounts{Total: 8, Calls: 8, Busy: 8 * time.Second}, counts["org-7"])
	p.now = p.now.Add(time.Minute)
	p.exchange()
	ids, _ = p.all[0].Noisiest(3)
	require.Empty(t, ids, "a minute without calls")
	require.Len(t, p.all[0].Report(2), 0)
}
