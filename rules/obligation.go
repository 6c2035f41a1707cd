package rules

import (
	"cmp"
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// ObligationOf joins the spans on which an obligation exists. A span without an end goes on.
func ObligationOf(spans []calendar.Period) (o models.Obligation) {
	spans = slices.SortedFunc(
		slices.Values(spans), func(a, b calendar.Period) int { return cmp.Compare(a.Start, b.Start) },
	)
	var until calendar.Date // of those before
	for i, span := range spans {
		switch {
		case i == 0:
			from := span.Start.Time()
			o.From, until = &from, span.End
		case until == 0:
			return o
		case span.Start > until.AddDays(1):
			o.Gaps = append(o.Gaps, models.Gap{Start: until.AddDays(1), End: span.Start.AddDays(-1)})
			until = span.End
		case span.End == 0 || span.End > until:
			until = span.End
		}
	}
	if until != 0 {
		end := until.Time()
		o.Until = &end
	}
	return o
}

// WithRegistration adds to an obligation that of a registration from a day on.
func WithRegistration(o models.Obligation, first calendar.Date) models.Obligation {
	return ObligationOf(append(spansOf(o), calendar.Period{Start: first}))
}

// spansOf returns the spans of an obligation, which ObligationOf joins again.
func spansOf(o models.Obligation) (spans []calendar.Period) {
	if o.From == nil {
		return nil
	}
	start := calendar.DateOf(*o.From)
	for _, g := range o.Gaps {
		spans = append(spans, calendar.Period{Start: start, End: g.Start.AddDays(-1)})
		start = g.End.AddDays(1)
	}
	last := calendar.Period{Start: start}
	if o.Until != nil {
		last.End = calendar.DateOf(*o.Until)
	}
	return append(spans, last)
}

// IsCovered reports whether an active registration covers the authority of a tax line on a day. That of a state covers
// its local taxes too. That of Canada covers no tax of a province.
func IsCovered(c models.Covers, a tax.Authority, day calendar.Date) bool {
	state := a.State
	if state == "" {
		state = a.Country
	}
	for _, r := range c {
		shared := r.Country == nexus.EuropeanUnion && r.Home != a.Country && nexus.UnionMember(a.Country, day)
		if r.From <= day && (shared || r.Country == a.Country && r.State == state) {
			return true
		}
	}
	return false
}
