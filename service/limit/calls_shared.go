package limit

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"levy/models"
)

// mostDebt bounds how long the calls of other processes may keep a bucket empty here.
const mostDebt = time.Minute

// counts are the calls of an organization in this process.
type counts struct {
	now, began models.CallCounts // since the process began, and when the current minute did
	last       models.CallCounts // of the last whole minute
	at         time.Time         // when the times of calls were added up
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

// Report returns what the other processes need to know: the organizations with the most calls, at most so many.
func (c *Calls) Report(most int) models.ProcessCalls {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.minute) >= time.Minute {
		c.minute = now
		for _, u := range c.organizations {
			u.counts.nextMinute(now, u.running)
		}
	}
	report := models.ProcessCalls{}
	for id, u := range c.organizations {
		if !u.idle() || u.fullAt.After(now) || u.counts.last.Calls+u.counts.last.Refused > 0 {
			last := u.counts.last
			last.Total = u.counts.now.Total
			report[id] = last
		}
	}
	if len(report) <= most {
		return report
	}
	recent := func(id string) int64 {
		return c.organizations[id].counts.now.Total - c.organizations[id].counts.began.Total
	}
	ids := slices.SortedFunc(maps.Keys(report), func(x, y string) int {
		return cmp.Or(cmp.Compare(recent(y)+report[y].Calls, recent(x)+report[x].Calls), cmp.Compare(x, y))
	})
	for _, id := range ids[most:] {
		delete(report, id)
	}
	return report
}

// Share charges the calls that other processes admitted since their last reports, so that all together admit no more
// than one would. A process that is reported no more has ended.
func (c *Calls) Share(others map[string]models.ProcessCalls) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for process, report := range others {
		before, known := c.others[process]
		if !known {
			continue // what it admitted before is not known; from now on it is
		}
		for id, counts := range report {
			u := c.organizations[id]
			if u == nil {
				continue
			}
			// guard: rate: calls in other processes count
			if more := counts.Total - before[id].Total; more > 0 {
				charge := time.Duration(more) * u.price
				u.fullAt, u.debt = later(u.fullAt, now).Add(charge), min(u.debt+charge, mostDebt)
			}
		}
	}
	c.others = others
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Noisiest returns the organizations with the most calls in the last minute, in all processes.
func (c *Calls) Noisiest(most int) (ids []string, counts models.ProcessCalls) {
	counts = c.Report(maxOrganizations)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, report := range c.others {
		for id, n := range report {
			sum := counts[id]
			sum.Add(n)
			counts[id] = sum
		}
	}
	for id, n := range counts {
		if n.Calls+n.Refused > 0 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y].Busy, counts[x].Busy),
			cmp.Compare(counts[y].Calls+counts[y].Refused, counts[x].Calls+counts[x].Refused), cmp.Compare(x, y))
	})
	return ids[:min(len(ids), most)], counts
}
