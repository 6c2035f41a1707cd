package nexus

import (
	"encoding/json"
	"time"

	"github.com/govalues/decimal"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// Answer returns a nexus record in the form of the contract.
func (o *Operations) Answer(r models.NexusRecord) contract.NexusRecord {
	before := nexus.PeriodBefore(calendar.DateOf(r.PeriodStartDate))
	counted, source := o.thresholdLaw(&r)
	return contract.NexusRecord{
		ID: r.ID, OrganizationID: r.OrganizationID, CountryCode: r.CountryCode, StateCode: r.StateCode,
		StateName:                     r.StateName,
		NexusType:                     nexusTypeAnswer(r.NexusType),
		JurisdictionKind:              contract.JurisdictionKind(r.NexusType.Jurisdiction(r.CountryCode)),
		RegistrationRegime:            contract.NexusRegime(r.RegistrationRegime),
		Currency:                      r.Currency,
		TreatmentOfExemptTransactions: contract.ExemptTreatment(r.Treatment), Trigger: string(r.Trigger),
		SalesOrTransactions: contract.SalesOrTransactions(r.SalesOrTransactions),
		StartDate:           convert.DayOf(r.StartDate),
		PeriodModel:         contract.NexusPeriodModel(r.PeriodModel), MarketplaceIncluded: r.MarketplaceIncluded,
		Status: contract.NexusStatus(r.Status), ProcessingStatus: contract.NexusProcessingStatus(r.ProcessingStatus),
		PeriodStartDate:         convert.DayOf(r.PeriodStartDate),
		PeriodEndDate:           convert.DayOf(r.PeriodEndDate),
		PreviousPeriodStartDate: convert.DayOf(before.Start.Time()),
		PreviousPeriodEndDate:   convert.DayOf(before.End.Time()),
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
		NexusMetDate:         convert.OptionalDate(r.NexusMetDate), EconomicNexusMetDate: convert.OptionalDate(r.EconomicNexusMetDate),
		PhysicalNexusMetDate:     convert.OptionalDate(r.PhysicalNexusMetDate),
		CollectedTaxNexusMetDate: convert.OptionalDate(r.CollectedTaxNexusMetDate),
		ObligationStartDate:      convert.OptionalDate(r.ObligationStartDate), Crossing: crossingAnswer(r.Crossing),
		EarliestTransactionDate:   convert.OptionalInstant(r.EarliestTransactionDate),
		MostRecentTransactionDate: convert.OptionalInstant(r.MostRecentTransactionDate),
		EarliestCollectedDate:     earliestCollected(r.EarliestCollectedDate),
		PredictedMonthFromToday:   r.PredictedMonthFromToday,
		ConfidenceLevel:           r.ConfidenceLevel,
		IsVdaEligible:             r.VDAEligible, VdaEligible: r.VDAEligible,
		LastProcessedAt:             convert.OptionalInstant(r.LastProcessedAt),
		LastTaxLiabilityProcessedAt: convert.OptionalInstant(r.LastTaxLiabilityProcessedAt),
		Periods:                     convert.ConvertAll(r.Periods, periodAnswer),
		Registration:                nexusRegistrationAnswer(r.Registration),
		DisregardedAt:               convert.OptionalInstant(r.Disregard.DisregardedAt),
		DisregardedBy:               r.Disregard.DisregardedBy,
		DisregardReason:             r.Disregard.DisregardReason,
		DisregardedUntil:            convert.OptionalDate(r.Disregard.DisregardedUntil),
		DisregardedNexusTypes:       convert.Texts[contract.NexusKind](r.Disregard.Kinds),
		IsCurrentlyDisregarded:      r.Disregard.On(convert.DateOf(o.now()).Time()),
		CreatedAt:                   convert.Instant(r.CreatedAt), UpdatedAt: convert.Instant(r.UpdatedAt),
		ThresholdSales: thresholdAnswer(r.ThresholdSales), ThresholdTransactions: convert.ValueOf(r.ThresholdTransactions),
		CountedSales: convert.Optional(counted), ThresholdSource: convert.Optional(source),
	}
}

// nexusTypeAnswer returns the type of a nexus rule. A country outside Canada and the European Union has that of a state
// in the contract.
func nexusTypeAnswer(t nexus.Type) contract.NexusType {
	if t == nexus.TypeCountry {
		return contract.NexusTypeSTATE
	}
	return contract.NexusType(t)
}

// nothingCollected stands for the first sale with collected tax where there is none. It is before South Dakota v. Wayfair,
// which was decided in June 2018. Some rules of the content begin earlier.
var nothingCollected = time.Date(2018, time.January, 1, 0, 0, 0, 0, time.UTC)

// earliestCollected returns the time of the first sale with collected tax.
func earliestCollected(first *time.Time) time.Time {
	if first == nil {
		return nothingCollected
	}
	return convert.Instant(*first)
}

// thresholdLaw returns which sales count for the threshold of a record, and the source of that law.
// Both are empty if there is no threshold, and until the record is evaluated with new content.
func (o *Operations) thresholdLaw(r *models.NexusRecord) (counted, source string) {
	place, start := r.Place(), calendar.DateOf(r.StartDate)
	for _, domestic := range []bool{false, true} {
		for _, rule := range o.deps.Law.Current().Nexus().Rules(place.Country, place.State, domestic) {
			if rule.From == start && r.ThresholdSales != nil && rule.HasAmount() && rule.Amount.Cmp(*r.ThresholdSales) == 0 {
				return rule.Only.Sentence(), rule.Source
			}
		}
	}
	return "", ""
}

// thresholdAnswer returns a threshold as a JSON number with all digits; 0 for no threshold.
func thresholdAnswer(threshold *decimal.Decimal) json.RawMessage {
	return json.RawMessage(convert.ValueOf(threshold).Trim(0).String())
}

func crossingAnswer(c *models.NexusCrossing) *contract.NexusCrossing {
	if c == nil {
		return nil
	}
	return &contract.NexusCrossing{
		TransactionID: c.TransactionID, TransactionDate: convert.Instant(c.TransactionDate),
		PeriodStartDate:         convert.DayOf(c.PeriodStartDate.Time()),
		PeriodEndDate:           convert.DayOf(c.PeriodEndDate.Time()),
		RunningSalesTotal:       money.Format(c.RunningSalesTotal),
		RunningTransactionCount: c.RunningTransactionCount,
	}
}

func periodAnswer(p models.NexusPeriod) contract.NexusPeriod {
	return contract.NexusPeriod{
		StartDate: convert.DayOf(p.StartDate.Time()), EndDate: convert.DayOf(p.EndDate.Time()),
		TransactionCount: p.TransactionCount, TransactionsAmount: money.Format(p.TransactionsAmount),
		IncludedAmount: money.Format(p.IncludedAmount),
		ExemptAmount:   money.Format(p.ExemptAmount), MarketplaceAmount: money.Format(p.MarketplaceAmount),
		Met: p.Met, MetDate: dateAnswer(p.MetDate), CrossingTransactionID: convert.Optional(p.CrossingTransactionID),
	}
}

// dateAnswer returns a date, or nil for no date.
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
