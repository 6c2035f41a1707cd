package rules

import (
	"fmt"
	"slices"
	"time"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// NexusEvaluation is the evaluation of one nexus record on a day. Between its steps, the caller reads single sales.
type NexusEvaluation struct {
	Case        *models.NexusCase
	Before      models.NexusState // the record as it was read
	Content     *tax.Content
	Terms       nexus.Rule // of the jurisdiction, in force today
	Today       calendar.Date
	Approaching int // share of a threshold, in percent, from which on it is approached
	Rates       Rates

	// Results of Assess.
	Sales      NexusSold
	Assessment nexus.Assessment
	Missing    []models.CurrencyPair // rates that are not there: sums are incomplete
}

// Assess adds up the sales of the jurisdiction, compares them with its thresholds and
// returns what the record must say.
func (e *NexusEvaluation) Assess() (after models.NexusState, err error) {
	place := e.Before.Place()
	if e.Sales, err = NexusSalesIn(e.Case, place, e.Terms.Currency, e.Today, e.Rates); err != nil {
		return after, err
	}
	e.Missing = e.Sales.Missing
	presences := PresencesIn(e.Case, place, e.Today)
	e.Assessment, err = nexus.Assess(&nexus.Facts{
		Day: e.Today, Terms: e.Terms, Rules: e.Content.Nexus().History(place, e.Case.Home, e.Today),
		Sales:     e.Sales.Days,
		Presences: presences, Approaching: e.Approaching,
	})
	if err != nil {
		return after, err
	}
	return e.decide(presences)
}

// Finish completes the record of an evaluation at a moment.
func (e *NexusEvaluation) Finish(after models.NexusState, now time.Time) models.NexusEvaluated {
	after.WithoutRate = len(e.Missing) > 0
	evaluated := models.NexusEvaluated{NexusState: after, Changed: changedSince(&e.Before, &after), Missing: e.Missing}
	if evaluated.Changed {
		evaluated.UpdatedAt = now
	}
	return evaluated
}

// Present reports whether there is nexus by presence.
func (e *NexusEvaluation) Present() bool { return e.Assessment.Physical != 0 }

// RuleOn returns the rule that was in force on a day.
func (e *NexusEvaluation) RuleOn(day calendar.Date) nexus.Rule {
	history := e.Content.Nexus().History(e.Before.Place(), e.Case.Home, e.Today)
	if i := slices.IndexFunc(history, func(x nexus.Rule) bool { return x.Holds(day) }); i >= 0 {
		return history[i]
	}
	return e.Terms
}

// FoundBy returns a key of the search for the sale that crossed the threshold of a period. It contains the threshold,
// and the sums without and with the day of that sale.
func (e *NexusEvaluation) FoundBy(rule *nexus.Rule, p *nexus.Measurement) string {
	return fmt.Sprint(p.Start, p.End, p.Crossing, p.BeforeCount, p.BeforeAmount.Pad(2), p.CrossingCount,
		p.CrossingAmount.Pad(2),
		rule.From, rule.Amount, rule.Count, e.Present())
}

// Counts reports whether sales to a state count for the record.
func (e *NexusEvaluation) Counts(country, state string) bool {
	return e.Before.Place().Counts(country, state, e.Case.Home, e.Today)
}

// Countries returns the countries and the state of the jurisdiction, as the counters name them. An empty state stands
// for all.
func (e *NexusEvaluation) Countries() (countries []string, state string) {
	place := e.Before.Place()
	if place.Country == nexus.EuropeanUnion {
		return slices.DeleteFunc(nexus.UnionMembers(e.Today), func(country string) bool { return country == e.Case.Home }),
			""
	}
	return []string{place.Country}, place.State
}

// DetailQuery returns the query for the details of the first and the last day with sales. sold is false if there is
// none.
func (e *NexusEvaluation) DetailQuery(r *models.NexusState) (q models.NexusDetailQuery, sold bool) {
	q = models.NexusDetailQuery{
		Country: r.CountryCode, AuthorityState: r.StateCode, Currency: e.Terms.Currency,
		ObligedFrom: r.ObligedFrom,
	}
	q.Countries, q.State = e.Countries()
	for _, d := range e.Sales.Days {
		if d.Count == 0 {
			continue
		}
		if q.Last = d.Day.Time(); !sold {
			q.First, sold = q.Last, true
		}
	}
	for _, d := range e.Case.Days { // the first day with any tax, also where all of it was given back
		if d.CollectedTax.IsPos() && !d.Marketplace && e.Counts(d.CountryCode, d.StateCode) {
			q.Collected = &d.Day
			break
		}
	}
	if q.ObligedFrom == nil { // tax collected without an obligation is owed, too
		q.ObligedFrom = r.CollectedTaxNexusMetDate
	}
	return q, sold
}
