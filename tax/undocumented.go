package tax

import (
	"slices"
	"strings"

	"levy/tax/calendar"
)

// undocumented is a rate or a rule on a day before its first documented one.
type undocumented struct {
	what         undocumentedPart
	jurisdiction uint16
	class        classKey // not of a rate that is unknown
	since        calendar.Date
}

type undocumentedPart uint8

const (
	rateTaken       undocumentedPart = iota // the earliest known rate was taken
	rateUnknown                             // nothing was taken
	ruleTaken                               // the earliest known rule for a class was taken
	holidaysUnknown                         // of tax holidays; none was taken
)

// isEarly marks the result as uncertain for what is not documented for the day.
func (k *calculation) isEarly(u undocumented) {
	k.sure = levelLow
	if !slices.Contains(k.early, u) {
		k.early = append(k.early, u)
	}
}

// whatIsEarly says what is not documented for the day, and from which day on it is.
func (k *calculation) whatIsEarly() string {
	parts := make([]string, 0, len(k.early))
	for _, u := range k.early {
		of, since := withArticle(k.c.jurisdictions[u.jurisdiction].Name), " is known from "+u.since.String()+" on"
		switch u.what {
		case rateTaken:
			if u.class != keyAny {
				of += " for " + classNouns[u.class]
			}
			of = "the rate of " + of + since + ", and was taken"
		case rateUnknown:
			of = "the rate of " + of + since + ", and no tax of it was taken"
		case ruleTaken:
			of = "the rule of " + of + " for " + classNouns[u.class] + since + ", and was taken"
		case holidaysUnknown:
			of = "the first tax holiday of " + of + " for " + classNouns[u.class] + since + ", and none was taken"
		}
		parts = append(parts, of)
	}
	return "The date lies before the first documented day of what the tax rests on: " + strings.Join(parts, "; ") +
		". What held before may differ."
}
