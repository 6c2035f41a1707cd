package api

import (
	"encoding/json"
	"time"

	"github.com/govalues/decimal"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

func (s *Server) nexusAnswer(r models.NexusRecord) contract.NexusRecord {
	before := nexus.PeriodBefore(calendar.DateOf(r.PeriodStartDate))
	counted, source := s.thresholdLaw(&r)
	return contract.NexusRecord{
		ID: r.ID, OrganizationID: r.OrganizationID, CountryCode: r.CountryCode, StateCode: r.StateCode,
		StateName: r.StateName,
		NexusType: contract.NexusType(r.NexusType), RegistrationRegime: contract.NexusRegime(r.RegistrationRegime),
		Currency:                      r.Currency,
		TreatmentOfExemptTransactions: contract.ExemptTreatment(r.Treatment), Trigger: string(r.Trigger),
		SalesOrTransactions: contract.SalesOrTransactions(r.SalesOrTransactions),
		StartDate:           dayOf(r.StartDate),
		PeriodModel:         contract.NexusPeriodModel(r.PeriodModel), MarketplaceIncluded: r.MarketplaceIncluded,
		Status: contract.NexusStatus(r.Status), ProcessingStatus: contract.NexusProcessingStatus(r.ProcessingStatus),
		PeriodStartDate:         dayOf(r.PeriodStartDate),
		PeriodEndDate:           dayOf(r.PeriodEndDate),
		PreviousPeriodStartDate: dayOf(before.Start.Time()),
		PreviousPeriodEndDate:   dayOf(before.End.Time()),
		TransactionCount:        r.TransactionCount, PreviousTransactionCount: r.PreviousTransactionCount,
		TransactionsAmount:         money.Format(r.TransactionsAmount),
		PreviousTransactionsAmount: money.Format(r.PreviousTransactionsAmount),
		TotalTransactions:          r.TotalTransactions, TotalTransactionsIncluded: r.TotalTransactionsIncluded,
		TotalTransactionsExempted:    r.TotalTransactionsExempted,
		TotalTransactionsMarketplace: r.TotalTransactionsMarketplace,
		CalculatedTaxLiability:       money.Format(r.CalculatedTaxLiability),
		ImportedTaxLiability:         money.Format(r.ImportedTaxLiability),
		TaxLiability:                 money.Format(r.TaxLiability),
		NexusMet:                     r.NexusMet, EconomicNexusMet: r.EconomicNexusMet,
		PhysicalNexusMet:     r.PhysicalNexusMet,
		CollectedTaxNexusMet: r.CollectedTaxNexusMet,
		NexusMetDate:         optionalDate(r.NexusMetDate), EconomicNexusMetDate: optionalDate(r.EconomicNexusMetDate),
		PhysicalNexusMetDate:     optionalDate(r.PhysicalNexusMetDate),
		CollectedTaxNexusMetDate: optionalDate(r.CollectedTaxNexusMetDate),
		ObligationStartDate:      optionalDate(r.ObligationStartDate), Crossing: crossingAnswer(r.Crossing),
		EarliestTransactionDate:   optionalInstant(r.EarliestTransactionDate),
		MostRecentTransactionDate: optionalInstant(r.MostRecentTransactionDate),
		EarliestCollectedDate:     optionalInstant(r.EarliestCollectedDate),
		PredictedMonthFromToday:   r.PredictedMonthFromToday,
		ConfidenceLevel:           r.ConfidenceLevel,
		IsVdaEligible:             r.VDAEligible, VdaEligible: r.VDAEligible,
		LastProcessedAt:             optionalInstant(r.LastProcessedAt),
		LastTaxLiabilityProcessedAt: optionalInstant(r.LastTaxLiabilityProcessedAt),
		Periods:                     convertAll(r.Periods, periodAnswer),
		Registration:                nexusRegistrationAnswer(r.Registration),
		DisregardedAt:               optionalInstant(r.Disregard.DisregardedAt),
		DisregardedBy:               r.Disregard.DisregardedBy,
		DisregardReason:             r.Disregard.DisregardReason,
		DisregardedUntil:            optionalDate(r.Disregard.DisregardedUntil),
		DisregardedNexusTypes:       texts[contract.NexusKind](r.Disregard.Kinds),
		IsCurrentlyDisregarded:      r.Disregard.On(dateOf(s.now()).Time()),
		CreatedAt:                   instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt),
		ThresholdSales: thresholdAnswer(r.ThresholdSales), ThresholdTransactions: valueOf(r.ThresholdTransactions),
		CountedSales: optional(counted), ThresholdSource: optional(source),
	}
}

// thresholdLaw says which sales count for the threshold of a record, and by which law. Both are empty
// where the content has no such rule: where there is no threshold, and until the record is evaluated by
// new content.
func (s *Server) thresholdLaw(r *models.NexusRecord) (counted, source string) {
	place, start := r.Place(), calendar.DateOf(r.StartDate)
	for _, domestic := range []bool{false, true} {
		for _, rule := range s.deps.Law.Current().Nexus().Rules(place.Country, place.State, domestic) {
			if rule.From == start && r.ThresholdSales != nil && rule.HasAmount() && rule.Amount.Cmp(*r.ThresholdSales) == 0 {
				return rule.Only.Sentence(), rule.Source
			}
		}
	}
	return "", ""
}

// thresholdAnswer is a JSON number, written digit by digit; 0 where there is no threshold.
func thresholdAnswer(threshold *decimal.Decimal) json.RawMessage {
	return json.RawMessage(valueOf(threshold).Trim(0).String())
}

func crossingAnswer(c *models.NexusCrossing) *contract.NexusCrossing {
	if c == nil {
		return nil
	}
	return &contract.NexusCrossing{
		TransactionID: c.TransactionID, TransactionDate: instant(c.TransactionDate),
		PeriodStartDate:         dayOf(c.PeriodStartDate.Time()),
		PeriodEndDate:           dayOf(c.PeriodEndDate.Time()),
		RunningSalesTotal:       money.Format(c.RunningSalesTotal),
		RunningTransactionCount: c.RunningTransactionCount,
	}
}

func periodAnswer(p models.NexusPeriod) contract.NexusPeriod {
	return contract.NexusPeriod{
		StartDate: dayOf(p.StartDate.Time()), EndDate: dayOf(p.EndDate.Time()),
		TransactionCount: p.TransactionCount, TransactionsAmount: money.Format(p.TransactionsAmount),
		IncludedAmount: money.Format(p.IncludedAmount),
		ExemptAmount:   money.Format(p.ExemptAmount), MarketplaceAmount: money.Format(p.MarketplaceAmount),
		Met: p.Met, MetDate: dateAnswer(p.MetDate), CrossingTransactionID: optional(p.CrossingTransactionID),
	}
}

// dateAnswer is null for no date.
func dateAnswer(d calendar.Date) *openapi_types.Date {
	if d == 0 {
		return nil
	}
	return &openapi_types.Date{Time: d.Time()}
}

func nexusRegistrationAnswer(r *models.NexusRegistration) *contract.NexusRegistration {
	if r == nil {
		return nil
	}
	answer := &contract.NexusRegistration{
		ID: r.ID, Status: contract.RegistrationStatus(r.Status), FilingFrequency: r.FilingFrequency,
		SalesTaxID:          r.SalesTaxID,
		RegistrationsRegime: contract.NexusRegime(r.RegistrationsRegime),
	}
	if r.RegistrationDate != nil {
		if day, err := time.Parse(time.DateOnly, *r.RegistrationDate); err == nil {
			answer.RegistrationDate = &openapi_types.Date{Time: day}
		}
	}
	return answer
}
