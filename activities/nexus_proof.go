package activities

import (
	"context"
	"slices"
	"time"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
)

// prove finds the sales that crossed thresholds: of the nexus and of the periods that
// are shown.
func (e *evaluation) prove(ctx context.Context, r *models.NexusState, a *tax.NexusAssessment) error {
	r.Crossing = nil
	if a.Crossed != nil {
		rule := e.terms
		if i := slices.IndexFunc(e.content.NexusHistory(r.Place(), e.c.Home, e.today), func(x tax.NexusRule) bool { return x.Holds(a.First.Day) }); i >= 0 {
			rule = e.content.NexusHistory(r.Place(), e.c.Home, e.today)[i]
		}
		crossing, err := e.cross(ctx, &rule, a.Crossed)
		if err != nil {
			return err
		}
		r.Crossing = crossing
	}
	for i := range r.Periods {
		shown, measured := &r.Periods[i], &a.Periods[i]
		switch {
		case !measured.Met:
			shown.CrossingTransactionID = ""
		case r.Crossing != nil && r.Crossing.PeriodStartDate == shown.StartDate && r.Crossing.PeriodEndDate == shown.EndDate:
			shown.CrossingTransactionID = r.Crossing.TransactionID
		case e.all || shown.CrossingTransactionID == "" || !sameSums(&e.before, shown):
			crossing, err := e.cross(ctx, &e.terms, measured)
			if err != nil {
				return err
			}
			shown.CrossingTransactionID = ""
			if crossing != nil {
				shown.CrossingTransactionID = crossing.TransactionID
			}
		}
	}
	return nil
}

// sameSums reports whether a period holds what it held before: then the sale that
// crossed it is looked for once a day only.
func sameSums(before *models.NexusState, shown *models.NexusPeriod) bool {
	return slices.ContainsFunc(before.Periods, func(p models.NexusPeriod) bool {
		return p.StartDate == shown.StartDate && p.EndDate == shown.EndDate && p.TransactionCount == shown.TransactionCount &&
			p.TransactionsAmount.Cmp(shown.TransactionsAmount) == 0
	})
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

const (
	// detailAtOnce is up to how many sales the transactions themselves are read with
	// every evaluation; where there are more it is done every detailEvery.
	detailAtOnce = 2000
	detailEvery  = 30 * time.Second
	// detailSoon is when to look again while transactions are not calculated yet.
	detailSoon = time.Second
)

// detail reads the transactions themselves: for the exact times, and for the taxes
// since the obligation began.
func (e *evaluation) detail(ctx context.Context, r *models.NexusState, now time.Time) error {
	q, sales := e.detailQuery(r)
	if sales == 0 && r.ObligedFrom == nil {
		r.EarliestTransactionDate, r.MostRecentTransactionDate, r.EarliestCollectedDate = nil, nil, nil
		r.NexusTaxes = models.NexusTaxes{CalculatedTaxLiability: nothing, ImportedTaxLiability: nothing, TaxLiability: nothing, LastTaxLiabilityProcessedAt: &now}
		return nil
	}
	if last := r.LastTaxLiabilityProcessedAt; !e.all && sales > detailAtOnce && last != nil && now.Sub(*last) < detailEvery {
		e.again = detailEvery - now.Sub(*last)
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
	if found.InProgress {
		e.again = detailSoon
		return nil
	}
	r.LastTaxLiabilityProcessedAt = &now
	return nil
}

func (e *evaluation) detailQuery(r *models.NexusState) (q models.NexusDetailQuery, sales int) {
	q = models.NexusDetailQuery{NexusID: r.ID, Country: r.CountryCode, AuthorityState: r.StateCode, Currency: e.terms.Currency, ObligedFrom: r.ObligedFrom, Collected: r.CollectedTaxNexusMetDate}
	q.Countries, q.State = e.countries()
	first, last := tax.Date(0), tax.Date(0)
	for _, d := range e.sales.Days {
		if d.Count == 0 {
			continue
		}
		if first == 0 {
			first = d.Day
		}
		if last = d.Day; r.ObligedFrom != nil && !d.Day.Time().Before(*r.ObligedFrom) {
			sales += d.Count
		}
	}
	for _, d := range e.sales.Days {
		if d.Day == first || d.Day == last {
			sales += d.Count
		}
	}
	if first == 0 {
		return q, 0
	}
	q.First, q.Last = first.Time(), last.Time()
	if r.CollectedTaxNexusMetDate == nil {
		return q, sales
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
	return q, sales
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
				rate, known := rates[models.CurrencyPair{From: s.Currency, To: e.terms.Currency, Day: s.Day.UTC()}]
				if !known {
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
