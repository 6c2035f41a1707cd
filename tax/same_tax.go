package tax

import (
	"encoding/binary"
	"slices"
	"time"

	"levy/tax/calendar"
	"levy/tax/content"
)

// sameTax finds for each set of jurisdictions the first one with the same tax. It is the same for goods in general, and
// for each class with a local rate of its own. So it is on each day since the beginning of the year of the newest
// evidence. A border between two such places cannot matter.
func (c *Content) sameTax(sets [][]uint16, d content.Data) []uint16 {
	var newest calendar.Date
	for i := range d.Rates {
		newest = max(newest, d.Rates[i].AsOf)
	}
	t := taxOfSets{c: c, first: map[string]uint16{}}
	if newest != 0 {
		t.since = calendar.DateOn(newest.Year(), time.January, 1)
	}
	t.findClasses()
	like := make([]uint16, len(sets))
	for i, set := range sets {
		if len(set) == 0 { // of a faulty row
			continue
		}
		t.key = t.key[:0]
		t.append(set)
		first, known := t.first[string(t.key)]
		if !known {
			first = uint16(i)
			t.first[string(t.key)] = first
		}
		like[i] = first
	}
	return like
}

// taxOfSets writes the tax of a set as a key.
type taxOfSets struct {
	c       *Content
	since   calendar.Date
	classes map[string][]classKey // of a state, with a local rate of their own
	named   map[uint16]bool       // by local rules or tiers, beside their rates
	first   map[string]uint16
	key     []byte
	days    []calendar.Date
}

func (t *taxOfSets) findClasses() {
	t.classes = map[string][]classKey{}
	for i := range t.c.states {
		t.classes[t.c.states[i].code] = []classKey{keyAny}
	}
	for i := range t.c.jurisdictions {
		if j := &t.c.jurisdictions[i]; j.Country == "US" && j.order > orderState {
			for r := range j.rates {
				if class := j.rates[r].class; !slices.Contains(t.classes[j.State], class) {
					t.classes[j.State] = append(t.classes[j.State], class)
				}
			}
		}
	}
	t.named = map[uint16]bool{}
	for i := range t.c.jurisdictions {
		if t.c.jurisdictions[i].tiers != nil {
			t.named[uint16(i)] = true
		}
	}
	for i := range t.c.states {
		for _, r := range t.c.states[i].rules {
			for _, j := range r.jurisdictions {
				t.named[j] = true
			}
		}
	}
}

func (t *taxOfSets) append(set []uint16) {
	t.days = append(t.days[:0], t.since)
	for _, j := range set {
		if t.named[j] {
			t.key = binary.AppendUvarint(t.key, uint64(j)+1)
		}
		for i := range t.c.jurisdictions[j].rates {
			if r := &t.c.jurisdictions[j].rates[i]; r.From > t.since {
				t.days = append(t.days, r.From)
			}
			if r := &t.c.jurisdictions[j].rates[i]; r.To >= t.since {
				t.days = append(t.days, r.To.AddDays(1))
			}
		}
	}
	slices.Sort(t.days)
	t.key = append(t.key, 0)
	t.days = slices.Compact(t.days)
	for _, class := range t.classes[t.c.jurisdictions[set[0]].State] {
		before := int64(-1)
		for _, day := range t.days {
			sum := t.c.rateOfSet(set, class, day)
			if sum == before {
				continue
			}
			before = sum
			t.key = binary.AppendUvarint(t.key, uint64(day))
			t.key = binary.AppendUvarint(t.key, uint64(sum))
		}
		t.key = append(t.key, 0)
	}
}

// rateOfSet is the rate of a set for a class on a day as far as rates say it. A law of the state that caps the sum of
// local rates is kept.
func (c *Content) rateOfSet(set []uint16, class classKey, day calendar.Date) (sum int64) {
	local, state := int64(0), ""
	for _, i := range set {
		j := &c.jurisdictions[i]
		r, _ := j.rateOfKey(class, day)
		if r == nil && class != keyAny {
			r, _ = j.rateOfKey(keyAny, day)
		}
		switch {
		case r == nil:
		case j.order <= orderState:
			sum, state = sum+r.nano, j.State
		default:
			local += r.nano
		}
	}
	if n := c.usState(state); n != 0 {
		for i := range c.states[n-1].rules {
			if r := &c.states[n-1].rules[i]; r.kind == ruleLocalSumCap && r.Holds(day) {
				local = min(local, r.rate)
			}
		}
	}
	return sum + local
}
