package limit

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"levy/models"
)

const (
	// mostDebt bounds how long the calls of other processes may keep a bucket empty here.
	mostDebt = time.Minute
	// longestSilence is the longest time between two exchanges whose calls are still charged.
	longestSilence = 10 * time.Second
)

// counts are the calls of an organization in this process.
type counts struct {
	now, began models.CallCounts // since the process began, and when the current minute did
	last       models.CallCounts // of the last whole minute
	at         time.Time         // when the times of calls were added up
	reported   int64             // Total in the last report
	changed    time.Time         // when a report was the first with new calls
	unreported int64             // Total when the reports began to name the organization without a gap
}

// call counts a call.
func (n *counts) call(refused bool) {
	if refused {
		n.now.Refused++
		return
	}
	n.now.Total++
	n.now.Calls++
}

// pass adds up the times of the calls that have been under way until a moment.
func (n *counts) pass(now time.Time, running int) {
	if running > 0 {
		n.now.Busy += time.Duration(running) * now.Sub(n.at)
	}
	n.at = now
}

// nextMinute begins another minute.
func (n *counts) nextMinute(now time.Time, running int) {
	n.pass(now, running)
	n.last = models.CallCounts{
		Calls: n.now.Calls - n.began.Calls, Refused: n.now.Refused - n.began.Refused, Busy: n.now.Busy - n.began.Busy,
	}
	n.began = n.now
}

// Report returns what the other processes need to know: the organizations with calls, at most so many. Those that used
// the largest part of their limit since the last report come first.
func (c *Calls) Report(most int) models.ProcessCalls {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turnMinute(now)
	recent := map[string]time.Duration{}
	for id, u := range c.organizations {
		n := &u.counts
		if n.now.Total > n.reported {
			n.changed = now
		}
		// Another process may miss a report, so calls stay in the next ones.
		if now.Sub(n.changed) <= longestSilence || n.last.Calls+n.last.Refused > 0 {
			recent[id] = time.Duration(n.now.Total-n.reported) * u.price
		}
		n.reported = n.now.Total
	}
	ids := slices.SortedFunc(maps.Keys(recent), func(x, y string) int {
		return cmp.Or(cmp.Compare(recent[y], recent[x]), cmp.Compare(x, y))
	})
	report := models.ProcessCalls{}
	for _, id := range ids[:min(len(ids), most)] {
		n := &c.organizations[id].counts
		named := n.last
		named.Total = n.now.Total - n.unreported
		report[id] = named
	}
	for id, u := range c.organizations {
		if _, named := report[id]; !named {
			// guard: rate: a report begins anew for who was not named
			u.counts.unreported = u.counts.now.Total
		}
	}
	return report
}

func (c *Calls) turnMinute(now time.Time) {
	if now.Sub(c.minute) < time.Minute {
		return
	}
	c.minute = now
	for _, u := range c.organizations {
		u.counts.nextMinute(now, u.running)
	}
}

// Share charges the calls that other processes admitted since their last reports, so that all together admit no more
// than one would. A process that is reported no more has ended. After a longer silence nothing is charged: that would
// refuse calls for what is long over.
func (c *Calls) Share(others map[string]models.ProcessCalls) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	before, silence := c.others, now.Sub(c.sharedAt)
	c.others, c.sharedAt = others, now
	// guard: rate: calls during a long silence are not charged
	if silence > longestSilence {
		return
	}
	for process, report := range others {
		known, ok := before[process]
		if !ok {
			continue // how much of its report is recent is not known
		}
		for id, counts := range report {
			more := counts.Total - known[id].Total
			if more < 0 {
				more = counts.Total // it was not named for a while
			}
			// guard: rate: calls in other processes count
			if u := c.organizations[id]; u != nil && more > 0 {
				u.charge(now, time.Duration(more)*u.price)
			}
		}
	}
}

// charge takes from a bucket what other processes admitted. The part beyond its capacity is a debt.
func (u *usage) charge(now time.Time, price time.Duration) {
	missing := min(u.missing(now, u.capacity)+price, u.capacity+mostDebt)
	u.fullAt, u.debt = now.Add(missing), max(0, missing-u.capacity)
}

// Noisiest returns the organizations whose calls took the most time in the last minute, in all processes. People are not
// among them.
func (c *Calls) Noisiest(most int) (ids []string, counts models.ProcessCalls) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turnMinute(now)
	counts = models.ProcessCalls{}
	add := func(id string, n models.CallCounts) {
		if n.Calls+n.Refused > 0 && strings.HasPrefix(id, models.PrefixOrganization+"_") {
			sum := counts[id]
			sum.Add(n)
			counts[id] = sum
		}
	}
	for id, u := range c.organizations {
		add(id, u.counts.last)
	}
	if now.Sub(c.sharedAt) <= longestSilence { // older reports are of another minute
		for _, report := range c.others {
			for id, n := range report {
				add(id, n)
			}
		}
	}
	ids = slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		a, b := counts[x], counts[y]
		return cmp.Or(cmp.Compare(b.Busy, a.Busy), cmp.Compare(b.Calls+b.Refused, a.Calls+a.Refused), cmp.Compare(x, y))
	})
	return ids[:min(len(ids), most)], counts
}
