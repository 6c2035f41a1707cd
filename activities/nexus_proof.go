package activities

import (
	"context"
	"time"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// prove finds the sales that crossed thresholds: of the nexus and of the periods that
// are shown.
func (e *evaluation) prove(ctx context.Context, r *models.NexusState, a *nexus.Assessment) error {
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
		case r.Crossing != nil && r.Crossing.PeriodStartDate == shown.StartDate &&
			r.Crossing.PeriodEndDate == shown.EndDate:
			shown.CrossingTransactionID, shown.FoundBy = r.Crossing.TransactionID, r.Crossing.FoundBy
		default:
			if err := e.provePeriod(ctx, shown, measured); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *evaluation) crossing(ctx context.Context, a *nexus.Assessment) (*models.NexusCrossing, error) {
	rule := e.RuleOn(a.First.Day)
	foundBy := e.FoundBy(&rule, a.Crossed)
	if found := e.Before.Crossing; found != nil {
		valid, err := e.stillCrosses(ctx, found.FoundBy, foundBy, found.TransactionID, a.Crossed.Crossing)
		if err != nil || valid {
			return found, err
		}
	}
	found, err := e.cross(ctx, &rule, a.Crossed)
	if found != nil {
		found.FoundBy = foundBy
	}
	return found, err
}

func (e *evaluation) provePeriod(ctx context.Context, shown *models.NexusPeriod, measured *nexus.Measurement) error {
	rule := e.RuleOn(min(measured.End, e.Today))
	foundBy := e.FoundBy(&rule, measured)
	valid, err := e.stillCrosses(ctx, shown.FoundBy, foundBy, shown.CrossingTransactionID, measured.Crossing)
	if err != nil || valid {
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

// stillCrosses reports whether the crossing sale of an earlier evaluation is still valid, so that no search is needed.
// It is valid if it exists and the sums by which it was found are the same. A change of two sales of its day that keeps
// the sums is noticed at night.
func (e *evaluation) stillCrosses(
	ctx context.Context, foundBy, wanted, transactionID string, on calendar.Date,
) (bool, error) {
	if e.all || foundBy != wanted || transactionID == "" {
		return false, nil
	}
	return e.store.TransactionContributes(ctx, e.Case.OrganizationID, transactionID, on.Time())
}

// cross finds the very sale that crossed a threshold. Where sums were converted and
// none is found by a cent, it is the last one of the day.
func (e *evaluation) cross(ctx context.Context, rule *nexus.Rule, p *nexus.Measurement) (*models.NexusCrossing, error) {
	countries, state := e.Countries()
	run := rule.Crossing(p, e.Present())
	var found *models.NexusCrossing
	err := e.store.NexusSales(ctx, e.Case.OrganizationID,
		models.NexusSalesQuery{Countries: countries, State: state, Day: p.Crossing.Time()},
		func(sale models.NexusSale) (bool, error) {
			if !e.Counts(sale.CountryCode, sale.StateCode) {
				return true, nil
			}
			sold, _, err := rules.ConvertNexusDay(&sale.NexusDay, rule.Currency, e.Rates)
			if err != nil {
				return false, err
			}
			crossed, err := run.Add(sold)
			if err != nil {
				return false, err
			}
			if crossed || sold.Count > 0 {
				found = &models.NexusCrossing{
					TransactionID: sale.TransactionID, TransactionDate: sale.Date.UTC(),
					PeriodStartDate: p.Start, PeriodEndDate: p.End,
					RunningSalesTotal: run.Amount.Pad(2), RunningTransactionCount: run.Count,
				}
			}
			return !crossed, nil
		})
	return found, err
}

// detail reads when sales were made, and the taxes since the obligation began.
func (e *evaluation) detail(ctx context.Context, r *models.NexusState, now time.Time) error {
	r.LastTaxLiabilityProcessedAt = &now
	q, sold := e.DetailQuery(r)
	if !sold && q.ObligedFrom == nil {
		rules.WithoutSales(r)
		return nil
	}
	found, err := e.store.NexusDetail(ctx, e.Case.OrganizationID, q)
	if err != nil {
		return err
	}
	rates := e.Rates
	if pairs := e.TaxRates(found.Taxes); len(pairs) > 0 {
		if rates, err = e.store.ConversionRates(ctx, pairs); err != nil {
			return err
		}
	}
	return e.Detail(r, found, rates)
}
