package activities

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
)

// prove finds the sales that crossed thresholds: of the nexus and of the periods that
// are shown.
func (e *evaluation) prove(ctx context.Context, r *models.NexusState, a *tax.NexusAssessment) error {
	var err error
	r.Crossing = nil
	if a.Crossed != nil {
		if r.Crossing, err = e.crossing(ctx, a); err != nil {
			return err
		}
	}
	for i := range r.Periods {
		shown, measured := &r.Periods[i], &a.Periods[i]
		switch {
		case !measured.Met:
			shown.CrossingTransactionID, shown.FoundBy = "", ""
		case r.Crossing != nil && r.Crossing.PeriodStartDate == shown.StartDate && r.Crossing.PeriodEndDate == shown.EndDate:
			shown.CrossingTransactionID, shown.FoundBy = r.Crossing.TransactionID, r.Crossing.FoundBy
		default:
			if err := e.provePeriod(ctx, shown, measured); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *evaluation) crossing(ctx context.Context, a *tax.NexusAssessment) (*models.NexusCrossing, error) {
	rule := e.ruleOn(a.First.Day)
	foundBy := e.lookFor(&rule, a.Crossed)
	if found := e.before.Crossing; found != nil {
		stands, err := e.stands(ctx, found.FoundBy, foundBy, found.TransactionID, a.Crossed.Crossing)
		if err != nil || stands {
			return found, err
		}
	}
	found, err := e.cross(ctx, &rule, a.Crossed)
	if found != nil {
		found.FoundBy = foundBy
	}
	return found, err
}

func (e *evaluation) provePeriod(ctx context.Context, shown *models.NexusPeriod, measured *tax.NexusPeriod) error {
	rule := e.ruleOn(min(measured.End, e.today))
	foundBy := e.lookFor(&rule, measured)
	stands, err := e.stands(ctx, shown.FoundBy, foundBy, shown.CrossingTransactionID, measured.Crossing)
	if err != nil || stands {
		return err
	}
	found, err := e.cross(ctx, &rule, measured)
	if err != nil {
		return err
	}
	shown.CrossingTransactionID, shown.FoundBy = "", foundBy
	if found != nil {
		shown.CrossingTransactionID = found.TransactionID
	}
	return nil
}

// ruleOn is the rule that was in force on a day.
func (e *evaluation) ruleOn(day tax.Date) tax.NexusRule {
	history := e.content.NexusHistory(e.before.Place(), e.c.Home, e.today)
	if i := slices.IndexFunc(history, func(x tax.NexusRule) bool { return x.Holds(day) }); i >= 0 {
		return history[i]
	}
	return e.terms
}

// lookFor says what the sale that crossed is looked for with: the threshold, and what
// counted before its day and with it.
func (e *evaluation) lookFor(rule *tax.NexusRule, p *tax.NexusPeriod) string {
	return fmt.Sprint(p.Start, p.End, p.Crossing, p.BeforeCount, p.BeforeAmount.Pad(2), p.CrossingCount, p.CrossingAmount.Pad(2), rule.From, rule.Amount, rule.Count, e.presence)
}

// stands reports whether a sale that was found need not be looked for again: it is
// still there, and nothing has changed that it was looked for with. A change of two
// sales of its day that leaves the sums as they are is noticed at night.
func (e *evaluation) stands(ctx context.Context, foundBy, lookFor, transactionID string, on tax.Date) (bool, error) {
	if e.all || foundBy != lookFor || transactionID == "" {
		return false, nil
	}
	return e.store.NexusSaleStands(ctx, e.c.OrganizationID, transactionID, on.Time())
}

// cross finds the very sale that crossed a threshold. Where sums were converted and
// none is found by a cent, it is the last one of the day.
func (e *evaluation) cross(ctx context.Context, rule *tax.NexusRule, p *tax.NexusPeriod) (*models.NexusCrossing, error) {
	countries, state := e.countries()
	run := rule.Crossing(p, e.presence)
	var found *models.NexusCrossing
	err := e.store.NexusSales(ctx, e.c.OrganizationID, countries, state, p.Crossing.Time(), func(sale models.NexusSale) (bool, error) {
		if !e.before.Place().Counts(sale.CountryCode, sale.StateCode, e.c.Home, e.today) {
			return true, nil
		}
		sold, _, _, err := sale.In(rule.Currency, e.rates)
		if err != nil {
			return false, err
		}
		crossed, err := run.Add(sold)
		if err != nil {
			return false, err
		}
		if crossed || sold.Count > 0 {
			found = &models.NexusCrossing{
				TransactionID: sale.TransactionID, TransactionDate: sale.Date.UTC(), PeriodStartDate: p.Start, PeriodEndDate: p.End,
				RunningSalesTotal: run.Amount.Pad(2), RunningTransactionCount: run.Count,
			}
		}
		return !crossed, nil
	})
	return found, err
}

// countries and state are the place as the counters name it.
func (e *evaluation) countries() (countries []string, state string) {
	place := e.before.Place()
	if place.Country == tax.EuropeanUnion {
		return slices.DeleteFunc(tax.UnionMembers(e.today), func(country string) bool { return country == e.c.Home }), ""
	}
	return []string{place.Country}, place.State
}

// detail reads when sales were made, and the taxes since the obligation began.
func (e *evaluation) detail(ctx context.Context, r *models.NexusState, now time.Time) error {
	r.LastTaxLiabilityProcessedAt = &now
	q, sold := e.detailQuery(r)
	if !sold && q.ObligedFrom == nil {
		r.EarliestTransactionDate, r.MostRecentTransactionDate, r.EarliestCollectedDate = nil, nil, nil
		r.CalculatedTaxLiability, r.ImportedTaxLiability, r.TaxLiability = nothing, nothing, nothing
		return nil
	}
	found, err := e.store.NexusDetail(ctx, e.c.OrganizationID, q)
	if err != nil {
		return err
	}
	r.EarliestTransactionDate, r.MostRecentTransactionDate, r.EarliestCollectedDate = found.Earliest, found.MostRecent, found.EarliestCollected
	if err := e.sumTaxes(ctx, r, found.Taxes); err != nil {
		return err
	}
	if r.ObligedFrom == nil {
		r.CalculatedTaxLiability = nothing
	}
	return nil
}

// detailQuery asks for the days of the first and of the last sale. sold is false where
// there is none.
func (e *evaluation) detailQuery(r *models.NexusState) (q models.NexusDetailQuery, sold bool) {
	q = models.NexusDetailQuery{Country: r.CountryCode, AuthorityState: r.StateCode, Currency: e.terms.Currency, ObligedFrom: r.ObligedFrom, Collected: r.CollectedTaxNexusMetDate}
	q.Countries, q.State = e.countries()
	for _, d := range e.sales.Days {
		if d.Count == 0 {
			continue
		}
		if q.Last = d.Day.Time(); !sold {
			q.First, sold = q.Last, true
		}
	}
	if r.CollectedTaxNexusMetDate == nil {
		return q, sold
	}
	for _, d := range e.c.Days { // the first day with any tax, not the first with more than was given back
		if d.CollectedTax.IsPos() && !d.Marketplace && e.before.Place().Counts(d.CountryCode, d.StateCode, e.c.Home, e.today) {
			q.Collected = &d.Day
			break
		}
	}
	if q.ObligedFrom == nil { // what was collected without an obligation is owed, too
		q.ObligedFrom = q.Collected
	}
	return q, sold
}

// sumTaxes adds up taxes in the currency of the record.
func (e *evaluation) sumTaxes(ctx context.Context, r *models.NexusState, sums []models.NexusTaxSum) error {
	total := models.NexusTaxSum{Calculated: nothing, Imported: nothing, Liability: nothing}
	var pairs []models.CurrencyPair
	for _, s := range sums {
		if s.Day != nil {
			pairs = append(pairs, models.CurrencyPair{From: s.Currency, To: e.terms.Currency, Day: s.Day.UTC()})
		}
	}
	rates := e.rates
	if len(pairs) > 0 {
		var err error
		if rates, err = e.store.ConversionRates(ctx, pairs); err != nil {
			return err
		}
	}
	for _, s := range sums {
		amounts := []struct{ of, add *decimal.Decimal }{{&total.Calculated, &s.Calculated}, {&total.Imported, &s.Imported}, {&total.Liability, &s.Liability}}
		for _, a := range amounts {
			amount := *a.add
			if s.Day != nil {
				pair := models.CurrencyPair{From: s.Currency, To: e.terms.Currency, Day: s.Day.UTC()}
				rate, known := rates[pair]
				if !known {
					e.missing = append(e.missing, pair)
					continue
				}
				var err error
				if amount, err = tax.MulRateHalfUp(amount, rate.Rate, 2); err != nil {
					return err
				}
			}
			sum, err := tax.Add(*a.of, amount)
			if err != nil {
				return err
			}
			*a.of = sum
		}
	}
	r.CalculatedTaxLiability, r.ImportedTaxLiability, r.TaxLiability = total.Calculated, total.Imported, total.Liability
	return nil
}
