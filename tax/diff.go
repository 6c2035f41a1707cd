package tax

import (
	"cmp"
	"maps"
	"slices"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
)

// GeneralRate is the rate of a jurisdiction for goods in general on a day.
func (c *Content) GeneralRate(id string, day calendar.Date) (rate decimal.Decimal, ok bool) {
	i, ok := c.byID[id]
	if !ok {
		return rate, false
	}
	r, _ := c.jurisdictions[i].rateOfKey(keyAny, day)
	if r == nil {
		return rate, false
	}
	return decimal.MustNew(r.nano, 9).Trim(0), true
}

// BoundaryLoads names the imported boundary files by state.
func (c *Content) BoundaryLoads() map[string]int64 { return maps.Clone(c.boundaries.loads) }

// BoundaryChanges lists the states whose boundary file is another one in next.
func (c *Content) BoundaryChanges(next *Content) []string {
	var states []string
	for state, load := range next.boundaries.loads {
		if c.boundaries.loads[state] != load {
			states = append(states, state)
		}
	}
	for state := range c.boundaries.loads {
		if _, ok := next.boundaries.loads[state]; !ok {
			states = append(states, state)
		}
	}
	slices.Sort(states)
	return states
}

// FormatPercent writes a rate as a percentage, "8.875 %".
func FormatPercent(rate decimal.Decimal) string {
	return string(money.AppendPercent(nil, nanoOf(rate)))
}

func nanoOf(rate decimal.Decimal) int64 {
	whole, nano, ok := rate.Int64(9)
	if !ok {
		return 0
	}
	return whole*1e9 + nano
}

// RateChange is a rate that differs between two contents during a period.
type RateChange struct {
	Jurisdiction Jurisdiction
	Class        TaxClass // empty: the general rate
	From         calendar.Date
	To           calendar.Date    // last day of the difference, 0 when open
	Old, New     *decimal.Decimal // nil: no rate
	// RuleIDs are those under which sales at this rate are recorded.
	RuleIDs []string
}

// RateChanges lists how the rates of next differ from those of c, by state,
// jurisdiction, class and date.
func (c *Content) RateChanges(next *Content) []RateChange {
	var changes []RateChange
	seen := map[string]bool{}
	for _, from := range []*Content{c, next} {
		for i := range from.jurisdictions {
			id := from.jurisdictions[i].ID
			if seen[id] {
				continue
			}
			seen[id] = true
			changes = append(changes, changesOf(c.find(id), next.find(id))...)
		}
	}
	slices.SortStableFunc(changes, func(a, b RateChange) int {
		return cmp.Or(cmp.Compare(a.Jurisdiction.State, b.Jurisdiction.State),
			cmp.Compare(a.Jurisdiction.ID, b.Jurisdiction.ID),
			cmp.Compare(a.Class, b.Class), cmp.Compare(a.From, b.From))
	})
	return changes
}

func (c *Content) find(id string) *jurisdiction {
	if i, ok := c.byID[id]; ok {
		return &c.jurisdictions[i]
	}
	return &jurisdiction{}
}

func changesOf(old, next *jurisdiction) (changes []RateChange) {
	for name, class := range classKeys {
		days := boundaryDays(class, old, next)
		for _, day := range days {
			before, _ := old.rateOfKey(class, day)
			after, _ := next.rateOfKey(class, day)
			was, is := fractionOf(before), fractionOf(after)
			if n := len(changes); n > 0 && changes[n-1].Class == name && changes[n-1].To == 0 {
				open := &changes[n-1]
				if equalRates(open.Old, was) && equalRates(open.New, is) {
					continue
				}
				open.To = day.AddDays(-1)
			}
			if equalRates(was, is) {
				continue
			}
			j := next
			if j.ID == "" {
				j = old
			}
			changes = append(changes, RateChange{
				Jurisdiction: j.Jurisdiction, Class: name, From: day, Old: was, New: is,
				RuleIDs: j.ruleIDs(class),
			})
		}
	}
	return changes
}

// boundaryDays are the days on which a rate of the class begins, or one has ended.
func boundaryDays(class classKey, jurisdictions ...*jurisdiction) []calendar.Date {
	var days []calendar.Date
	for _, j := range jurisdictions {
		for i := range j.rates {
			if r := &j.rates[i]; r.class == class {
				days = append(days, r.From)
				if r.To != 0 {
					days = append(days, r.To.AddDays(1))
				}
			}
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

func fractionOf(r *rate) *decimal.Decimal {
	if r == nil {
		return nil
	}
	d := decimal.MustNew(r.nano, 9).Trim(0)
	return &d
}

func equalRates(a, b *decimal.Decimal) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(*b) == 0
}

// ruleIDs are the rules under which a rate of the class is applied.
func (j *jurisdiction) ruleIDs(class classKey) []string {
	ids := []string{j.general}
	for k, slug := range classSlugs {
		for up := classKey(k); up != keyAny; up = classParents[up] {
			if up == class || class == keyAny {
				ids = append(ids, j.rulePart+slug)
				break
			}
		}
	}
	return ids
}
