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

// recentUse is the use of an organization with recent calls, as a report began.
type recentUse struct {
	id    string
	of    *usage
	used  time.Duration // of its limit since the last report
	last  models.CallCounts
	total int64
}

// Report returns what the other processes need to know: the organizations with calls, at most so many. Those that used
// the largest part of their limit since the last report come first. Calls wait while the organizations are read, and not
// while they are sorted.
func (c *Calls) Report(most int) models.ProcessCalls {
	recent := c.recentUses()
	slices.SortFunc(recent, func(x, y recentUse) int {
		return cmp.Or(cmp.Compare(y.used, x.used), cmp.Compare(x.id, y.id))
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	report := models.ProcessCalls{}
	for i, r := range recent {
		if i < most {
			named := r.last
			named.Total = r.total - r.of.counts.unreported
			report[r.id] = named
			continue
		}
		// guard: rate: a report begins anew for who had no place in it
		r.of.counts.unreported = r.total
	}
	return report
}

// recentUses returns the organizations with recent calls.
func (c *Calls) recentUses() (recent []recentUse) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turnMinute(now)
	for id, u := range c.organizations {
		n := &u.counts
		if n.now.Total > n.reported {
			n.changed = now
		}
		// Another process may miss a report, so calls stay in the next ones.
		if now.Sub(n.changed) <= longestSilence || n.last.Calls+n.last.Refused > 0 {
			used := time.Duration(n.now.Total-n.reported) * u.price
			recent = append(recent, recentUse{id: id, of: u, used: used, last: n.last, total: n.now.Total})
		} else {
			// guard: rate: a report begins anew for who was not named
			n.unreported = n.now.Total
		}
		n.reported = n.now.Total
	}
	return recent
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
// than one would. A process that is reported no more has ended. After a longer pause no calls are charged: otherwise
// calls of long ago would cause refusals.
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
	counts = c.lastMinute()
	ids = slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		a, b := counts[x], counts[y]
		return cmp.Or(cmp.Compare(b.Busy, a.Busy), cmp.Compare(b.Calls+b.Refused, a.Calls+a.Refused), cmp.Compare(x, y))
	})
	return ids[:min(len(ids), most)], counts
}

// lastMinute returns the calls of organizations in the last minute, in all processes.
func (c *Calls) lastMinute() models.ProcessCalls {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turnMinute(now)
	counts := models.ProcessCalls{}
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
	return counts
}
