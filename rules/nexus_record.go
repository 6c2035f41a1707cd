package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// vdaAfter is the number of days since nexus was met after which a voluntary disclosure is possible.
const vdaAfter = 90

// decide returns the record after the assessment, without the details of single transactions. Errors:
// money.ErrOverflow.
func (e *NexusEvaluation) decide(presences []calendar.Period) (r models.NexusState, err error) {
	r = e.Before
	a, sales, day := &e.Assessment, &e.Sales, e.Today
	r.NexusTerms = models.TermsOf(e.Terms)
	if r.NexusPeriods, err = countMeasured(&a.Now, sales); err != nil {
		return r, err
	}
	if r.Periods, err = listPeriods(a.Periods, sales, r.Periods); err != nil {
		return r, err
	}
	f := &r.NexusFinding
	f.EconomicNexusMetDate, f.PhysicalNexusMetDate = dayOf(a.Economic), dayOf(a.Physical)
	f.CollectedTaxNexusMetDate = dayOf(sales.CollectedSince)
	f.EconomicNexusMet, f.PhysicalNexusMet = a.Economic != 0, a.Physical != 0
	f.CollectedTaxNexusMet = f.CollectedTaxNexusMetDate != nil
	f.SetNexusMet(&r.Disregard, day.Time())
	setObligation(&r, a, presences, day)

	f.PredictedMonthFromToday, f.ConfidenceLevel = nil, nil
	if a.Forecast != nil {
		f.PredictedMonthFromToday, f.ConfidenceLevel = &a.Forecast.Months, &a.Forecast.Confidence
	}
	f.VDAEligible = f.NexusMet && r.Registration == nil && f.NexusMetDate.Before(day.AddDays(-vdaAfter).Time())
	r.Status = nexusStatusOf(&r, a.Now.Approaching)
	return r, nil
}

// nexusStatusOf returns the status by the registration, if there is one that is not over. Otherwise it is that of the
// nexus that was found. A disregarded kind of nexus still exposes.
func nexusStatusOf(r *models.NexusState, approaching bool) models.NexusStatus {
	if r.Registration != nil {
		if status, follows := models.RegistrationStatus(r.Registration.Status).Nexus(); follows {
			return status
		}
	}
	switch {
	case r.EconomicNexusMet || r.PhysicalNexusMet || r.CollectedTaxNexusMet:
		return models.NexusExposed
	case approaching:
		return models.NexusApproaching
	}
	return models.NexusNotExposed
}

// setObligation sets the days on which tax must be collected. Economic nexus obliges without an end, a presence and a
// registration for their days. Collected tax does not oblige.
func setObligation(r *models.NexusState, a *nexus.Assessment, presences []calendar.Period, day calendar.Date) {
	var spans []calendar.Period
	if a.First.ObligationStart != 0 && !slices.Contains(r.DisregardedKinds(day.Time()), models.NexusEconomic) {
		spans = append(spans, calendar.Period{Start: a.First.ObligationStart})
	}
	if !slices.Contains(r.DisregardedKinds(day.Time()), models.NexusPhysical) {
		spans = append(spans, presences...)
	}
	r.ObligationStartDate = nil
	if nexus := ObligationOf(spans); nexus.From != nil && (nexus.Until == nil || calendar.DateOf(*nexus.Until) >= day) {
		r.ObligationStartDate = nexus.From
	}
	if g := r.Registration; g != nil {
		for _, each := range append([]models.NexusRegistration{*g}, g.Earlier...) {
			if first, last, ok := registeredDays(&each); ok {
				spans = append(spans, calendar.Period{Start: first, End: last})
			}
		}
	}
	o := ObligationOf(spans)
	r.ObligedFrom, r.ObligedUntil, r.ObligedGaps = o.From, o.Until, append([]models.Gap{}, o.Gaps...)
}

// registeredDays returns the days that a registration covers. last is zero if it goes on. ok is false if it covers
// none.
func registeredDays(g *models.NexusRegistration) (first, last calendar.Date, ok bool) {
	if g == nil || g.RegistrationDate == nil {
		return 0, 0, false
	}
	first, err := calendar.ParseDate(*g.RegistrationDate)
	if err != nil {
		return 0, 0, false
	}
	switch models.RegistrationStatus(g.Status) {
	case models.RegistrationRegistered, models.RegistrationDeregistering:
		return first, 0, true
	case models.RegistrationDeregistered:
		if g.DeregistrationDate == nil {
			return 0, 0, false
		}
		last, err := calendar.ParseDate(*g.DeregistrationDate)
		return first, last, err == nil && last >= first
	case models.RegistrationUnregistered, models.RegistrationProcessing, models.RegistrationValidating,
		models.RegistrationClarification, models.RegistrationCancelled:
	}
	return 0, 0, false
}

// countMeasured returns the sales of the periods that are compared with the threshold. Errors: money.ErrOverflow.
func countMeasured(now *nexus.Evaluation, sales *NexusSold) (models.NexusPeriods, error) {
	current := now.Current
	p := models.NexusPeriods{
		PeriodStartDate: current.Start.Time(), PeriodEndDate: current.End.Time(),
		TransactionCount: current.Count, TransactionsAmount: current.Amount.Pad(2),
		PreviousTransactionsAmount: nothing, TotalTransactionsIncluded: current.Count,
	}
	measured := []calendar.Period{current.Period}
	if previous := now.Previous; previous != nil {
		p.PreviousPeriodStartDate, p.PreviousPeriodEndDate = dayOf(previous.Start), dayOf(previous.End)
		p.PreviousTransactionCount, p.PreviousTransactionsAmount = previous.Count, previous.Amount.Pad(2)
		p.TotalTransactionsIncluded += previous.Count
		measured = append(measured, previous.Period)
	}
	for _, period := range measured {
		direct, marketplace, err := nexus.Totals(period, sales.Days)
		if err != nil {
			return p, err
		}
		p.TotalTransactions += direct.Count + marketplace.Count
		p.TotalTransactionsExempted += direct.ExemptCount + marketplace.ExemptCount
		p.TotalTransactionsMarketplace += marketplace.Count
	}
	return p, nil
}

// listPeriods returns the sales of each period. It keeps the stored sale that crossed the threshold of a period.
// Errors: money.ErrOverflow.
func listPeriods(
	measured []nexus.Measurement, sales *NexusSold, stored []models.NexusPeriod,
) ([]models.NexusPeriod, error) {
	periods := make([]models.NexusPeriod, 0, len(measured))
	for _, period := range measured {
		direct, marketplace, err := nexus.Totals(period.Period, sales.Days)
		if err != nil {
			return nil, err
		}
		exempt, err := money.Add(direct.ExemptAmount, marketplace.ExemptAmount)
		if err != nil {
			return nil, err
		}
		shown := models.NexusPeriod{
			StartDate: period.Start, EndDate: period.End, TransactionCount: period.Count,
			TransactionsAmount: period.Amount.Pad(2),
			IncludedAmount:     period.Amount.Pad(2), ExemptAmount: exempt.Pad(2), MarketplaceAmount: marketplace.Amount.Pad(2),
			Met: period.Met, MetDate: period.MetDate,
		}
		if i := slices.IndexFunc(stored, func(s models.NexusPeriod) bool {
			return s.StartDate == shown.StartDate && s.EndDate == shown.EndDate
		}); i >= 0 {
			shown.CrossingTransactionID, shown.FoundBy = stored[i].CrossingTransactionID, stored[i].FoundBy
		}
		periods = append(periods, shown)
	}
	return periods, nil
}

// changedSince reports whether a record differs from before, apart from the times and versions of evaluations.
func changedSince(before, after *models.NexusState) bool {
	plain := func(r models.NexusState) string {
		r.LastProcessedAt, r.LastTaxLiabilityProcessedAt, r.UpdatedAt, r.ProcessingStatus = nil, nil, time.Time{}, ""
		r.Evaluated, r.EvaluatedOn, r.ContentVersion, r.WithoutRate = nil, nil, nil, false
		return nexusText(r)
	}
	return plain(*before) != plain(*after)
}

// dayOf is nil for no date.
func dayOf(d calendar.Date) *time.Time {
	if d == 0 {
		return nil
	}
	t := d.Time()
	return &t
}

// nexusText writes a record as one text, to compare two of them. Amounts are written
// with their decimals, which are always two in a record.
func nexusText(r models.NexusState) string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("rules: a nexus record does not marshal: %v", err))
	}
	return string(text)
}
