package tax

import (
	"cmp"
	"slices"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/content"
)

// Compared counts the lines of a table of known rates in one state by what the content answers about them. Of Equal the
// rate is the same, of Told it differs and the answer says that it may, of Silent it differs without a word. EqualTold
// counts the cases of Equal whose answer says so, too.
type Compared struct {
	State                          string
	Equal, EqualTold, Told, Silent int
}

// RateDifference is a line whose answer differs in silence.
type RateDifference struct {
	Known content.KnownRate
	State string
	Rate  decimal.Decimal // of the answer
}

// CompareRates compares what a buyer of goods pays on a day with a table of known rates. A ZIP that is not known counts as
// told, in the state without a name. Errors: those of Calculate.
func (c *Content) CompareRates(known []content.KnownRate, day calendar.Date) ([]Compared, []RateDifference, error) {
	var states []Compared
	var silent []RateDifference
	line := []Line{{Class: ClassPhysical, Amount: decimal.MustNew(100_00, 2), Quantity: decimal.One}}
	for _, k := range known {
		place := c.Resolve(Address{City: k.City, PostalCode: k.ZIP, Country: "US"})
		i := slices.IndexFunc(states, func(s Compared) bool { return s.State == place.State })
		if i < 0 {
			i = len(states)
			states = append(states, Compared{State: place.State})
		}
		if place.State == "" {
			states[i].Told++
			continue
		}
		r, err := c.Calculate(Request{TaxDate: day, Currency: dollars, Destination: place, Lines: line, Reasons: NoReasons})
		if err != nil {
			return nil, nil, err
		}
		told := slices.ContainsFunc(r.Warnings, func(w Warning) bool {
			// guard: comparison: a table that has ended hides no wrong rate
			return w.Code != WarningOtherLocalTax && w.Code != WarningNotConfirmedSince
		})
		switch {
		case r.Rate.Cmp(k.Rate) == 0 && told:
			states[i].EqualTold++
			states[i].Equal++
		case r.Rate.Cmp(k.Rate) == 0:
			states[i].Equal++
		case told:
			states[i].Told++
		default:
			states[i].Silent++
			silent = append(silent, RateDifference{k, place.State, r.Rate})
		}
	}
	slices.SortFunc(states, func(a, b Compared) int { return cmp.Compare(a.State, b.State) })
	return states, silent, nil
}
