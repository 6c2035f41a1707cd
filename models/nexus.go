package models

import (
	"time"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/nexus"
)

// NexusStatus is the status of an organization's nexus in a jurisdiction.
type NexusStatus string

// The states of NexusTransitions.
const (
	NexusNotExposed          NexusStatus = "NOT_EXPOSED"
	NexusApproaching         NexusStatus = "APPROACHING"
	NexusPendingRegistration NexusStatus = "PENDING_REGISTRATION"
	NexusExposed             NexusStatus = "EXPOSED"
	NexusRegistered          NexusStatus = "REGISTERED"
)

// NexusStatuses are the statuses, the most urgent first.
var NexusStatuses = []NexusStatus{
	NexusExposed, NexusPendingRegistration, NexusApproaching, NexusRegistered, NexusNotExposed,
}

// NexusProcessing tells whether a record is up to date.
type NexusProcessing string

// The states of NexusProcessingTransitions.
const (
	NexusNotReady   NexusProcessing = "NOT_READY"
	NexusUpToDate   NexusProcessing = "UP_TO_DATE"
	NexusNeedsRerun NexusProcessing = "NEEDS_RERUN"
)

// NexusKind is one of the three reasons for nexus.
type NexusKind string

// The kinds: by sales, by presence, and by collected tax.
const (
	NexusEconomic     NexusKind = "ECONOMIC"
	NexusPhysical     NexusKind = "PHYSICAL"
	NexusCollectedTax NexusKind = "COLLECTED_TAX"
)

// NexusRecord is the nexus of an organization in one jurisdiction. For a whole country StateCode repeats the country.
// Amounts are in Currency.
type NexusRecord struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	CountryCode    string
	StateCode      string
	StateName      string
	Enabled        bool // in the enabled jurisdictions of the organization
	Status         NexusStatus

	NexusTerms   `gorm:"embedded"`
	NexusPeriods `gorm:"embedded"`
	NexusFinding `gorm:"embedded"`
	NexusTaxes   `gorm:"embedded"`
	Disregard    NexusDisregard `gorm:"embedded"`

	LastProcessedAt *time.Time
	CreatedAt       time.Time
	UpdatedAt       time.Time

	ProcessingStatus NexusProcessing    `gorm:"->;-:migration"` // computed on reading
	Registration     *NexusRegistration `gorm:"->;-:migration;serializer:json"`
}

// Place returns the jurisdiction of the record.
func (r *NexusRecord) Place() nexus.Place {
	return NexusPlaceOf(r.CountryCode, r.StateCode, r.StateName)
}

// NexusPlaceOf returns the jurisdiction of a country and state in records.
func NexusPlaceOf(country, state, name string) nexus.Place {
	if state == country {
		state = ""
	}
	return nexus.Place{Country: country, State: state, Name: name}
}

// NexusTerms is the rule of the jurisdiction by which a record was evaluated.
type NexusTerms struct {
	NexusType             nexus.Type            `json:"nexus_type"`
	RegistrationRegime    string                `json:"registration_regime"` // STANDARD or SIMPLIFIED
	Currency              string                `json:"currency"`
	Treatment             nexus.ExemptTreatment `json:"treatment_of_exempt_transactions" gorm:"column:treatment_of_exempt_transactions"`
	Trigger               nexus.Trigger         `json:"trigger"`
	SalesOrTransactions   nexus.Test            `json:"sales_or_transactions"`
	ThresholdSales        *decimal.Decimal      `json:"threshold_sales"` // nil: no sales test
	ThresholdTransactions *int                  `json:"threshold_transactions"`
	StartDate             time.Time             `json:"start_date" gorm:"type:date"`
	PeriodModel           nexus.PeriodModel     `json:"period_model"`
	MarketplaceIncluded   bool                  `json:"marketplace_included"`
}

// TermsOf returns the terms of a rule for records.
func TermsOf(rule nexus.Rule) NexusTerms {
	t := NexusTerms{
		NexusType: rule.Type, RegistrationRegime: "STANDARD",
		Currency: rule.Currency, Treatment: rule.Exempt, Trigger: rule.Trigger,
		SalesOrTransactions: rule.Test, StartDate: rule.From.Time(),
		PeriodModel: rule.Period, MarketplaceIncluded: rule.Marketplace,
	}
	if rule.HasAmount() {
		amount := rule.Amount.Pad(2)
		t.ThresholdSales = &amount
	}
	if rule.HasCount() {
		t.ThresholdTransactions = &rule.Count
	}
	return t
}

// NexusPeriods are the evaluated periods and their counted sales. The previous ones are set if the period model covers
// two periods.
type NexusPeriods struct {
	PeriodStartDate            time.Time  `gorm:"type:date"`
	PeriodEndDate              time.Time  `gorm:"type:date"`
	PreviousPeriodStartDate    *time.Time `gorm:"type:date"`
	PreviousPeriodEndDate      *time.Time `gorm:"type:date"`
	TransactionCount           int
	PreviousTransactionCount   int
	TransactionsAmount         decimal.Decimal
	PreviousTransactionsAmount decimal.Decimal

	// Of all sales of these periods: how many exist, how many count, how many are exempt and how many were sold through
	// marketplaces.
	TotalTransactions            int
	TotalTransactionsIncluded    int
	TotalTransactionsExempted    int
	TotalTransactionsMarketplace int
}

// NexusFinding is the result of an evaluation.
type NexusFinding struct {
	NexusMet                 bool // one of the three that is not disregarded
	EconomicNexusMet         bool
	PhysicalNexusMet         bool
	CollectedTaxNexusMet     bool
	NexusMetDate             *time.Time `gorm:"type:date"`
	EconomicNexusMetDate     *time.Time `gorm:"type:date"`
	PhysicalNexusMetDate     *time.Time `gorm:"type:date"`
	CollectedTaxNexusMetDate *time.Time `gorm:"type:date"`
	ObligationStartDate      *time.Time `gorm:"type:date"`

	Crossing                  *NexusCrossing `gorm:"serializer:json"`
	EarliestTransactionDate   *time.Time
	MostRecentTransactionDate *time.Time
	EarliestCollectedDate     *time.Time

	PredictedMonthFromToday *int // until the threshold is crossed, 1 to 12
	ConfidenceLevel         *int // 0 to 100

	VDAEligible bool          `gorm:"column:vda_eligible"`
	Periods     []NexusPeriod `gorm:"serializer:json"` // newest first, at most 8

	// The days on which tax must be collected, without an end if that continues. See Obligation.
	ObligedFrom  *time.Time `gorm:"type:date"`
	ObligedUntil *time.Time `gorm:"type:date"`
	ObligedGaps  []Gap      `gorm:"serializer:json"` // between them, in order
}

// NexusCrossing is the sale that crossed the threshold, with the counted sales of its period up to it.
type NexusCrossing struct {
	TransactionID           string          `json:"transaction_id"`
	TransactionDate         time.Time       `json:"transaction_date"`
	PeriodStartDate         calendar.Date   `json:"period_start_date"`
	PeriodEndDate           calendar.Date   `json:"period_end_date"`
	RunningSalesTotal       decimal.Decimal `json:"running_sales_total"`
	RunningTransactionCount int             `json:"running_transaction_count"`
	FoundBy                 string          `json:"found_by"` // see NexusPeriod
}

// NexusPeriod has the counted sales of one evaluated period.
type NexusPeriod struct {
	StartDate             calendar.Date   `json:"start_date"`
	EndDate               calendar.Date   `json:"end_date"`
	TransactionCount      int             `json:"transaction_count"`
	TransactionsAmount    decimal.Decimal `json:"transactions_amount"`
	IncludedAmount        decimal.Decimal `json:"included_amount"` // the part of all sales that counts
	ExemptAmount          decimal.Decimal `json:"exempt_amount"`
	MarketplaceAmount     decimal.Decimal `json:"marketplace_amount"`
	Met                   bool            `json:"met"`
	MetDate               calendar.Date   `json:"met_date"` // zero: not met
	CrossingTransactionID string          `json:"crossing_transaction_id"`
	// FoundBy is the input of the search for the crossing sale. While it is unchanged, the sale is not searched again.
	FoundBy string `json:"found_by"`
}

// NexusTaxes are the sums of tax since the obligation began.
type NexusTaxes struct {
	CalculatedTaxLiability      decimal.Decimal
	ImportedTaxLiability        decimal.Decimal
	TaxLiability                decimal.Decimal // the owed tax
	LastTaxLiabilityProcessedAt *time.Time
}

// NexusDisregard means that kinds of nexus do not count, with the decider and the reason.
type NexusDisregard struct {
	DisregardedAt    *time.Time
	DisregardedBy    *string
	DisregardReason  *string
	DisregardedUntil *time.Time  `gorm:"type:date"`
	Kinds            []NexusKind `gorm:"column:disregarded_nexus_types;serializer:json"`
}

// On reports whether anything is disregarded on a day. Until is the first day on which it no longer is.
func (d *NexusDisregard) On(day time.Time) bool {
	return d.DisregardedAt != nil && (d.DisregardedUntil == nil || day.Before(*d.DisregardedUntil))
}

// NexusRegistration is the registration of the jurisdiction in a nexus record.
type NexusRegistration struct {
	ID                  string  `json:"id"`
	Status              string  `json:"status"`
	FilingFrequency     string  `json:"filing_frequency"`
	RegistrationDate    *string `json:"registration_date"`
	DeregistrationDate  *string `json:"deregistration_date"` // the last covered day
	SalesTaxID          *string `json:"sales_tax_id"`
	RegistrationsRegime string  `json:"registrations_regime"`
	// Earlier are ended registrations of the jurisdiction.
	Earlier []NexusRegistration `json:"earlier"`
}

// PhysicalNexus is a presence of an organization in a jurisdiction on the days from StartDate to EndDate,
// both included. It continues without an end.
type PhysicalNexus struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	CountryCode    string
	StateCode      string
	StartDate      time.Time  `gorm:"type:date"`
	EndDate        *time.Time `gorm:"type:date"`
	Category       string
	ExternalID     *string
	Source         string
	Street1        *string `gorm:"column:street_1"`
	Street2        *string `gorm:"column:street_2"`
	City           *string
	PostalCode     *string
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// TableName prevents GORM from forming a plural.
func (PhysicalNexus) TableName() string { return "physical_nexus" }
