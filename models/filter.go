package models

import (
	"time"

	"levy/tax"
)

// OrganizationFilter selects organizations of a list. Empty parts select all.
type OrganizationFilter struct {
	Text     string // part of the name or external id, or an exact id
	Statuses []OrganizationStatus
	IsTest   *bool
	// Onboarding are the statuses of their onboarding.
	Onboarding []OnboardingStatus
}

// OnboardingFilter selects onboardings of a list. Empty parts select all.
type OnboardingFilter struct {
	Text     string // part of the name or external id of the organization, or an exact id
	IsTest   *bool
	Until    time.Time // reached its current step at this time or before
	Long     time.Time // selects none: counts have those apart that reached theirs at this time or before
	Statuses []OnboardingStatus
	Next     []int // the next step
}

// ProductFilter selects products of a list. Empty parts select all.
type ProductFilter struct {
	Text          string // part of the external id, the name or an SKU
	Statuses      []ProductStatus
	Categories    []string
	Subcategories []string
	Sources       []string
	ConnectionIDs []string
}

// CustomerFilter selects customers of a list. Empty parts select all.
type CustomerFilter struct {
	Text          string // part of the name, the external id or the e-mail address
	Countries     []string
	States        []string // spellings of one state, in upper case
	Statuses      []CustomerStatus
	Sources       []string
	ConnectionIDs []string
}

// ExemptionFilter selects exemptions of a list. Empty parts select all.
type ExemptionFilter struct {
	Text          string // part of the FEIN, the sales tax id or the customer's name
	Statuses      []ExemptionStatus
	Countries     []string
	Jurisdiction  string
	StartsFrom    time.Time // first day on or after
	EndsBy        time.Time // last day on or before
	CustomerID    string
	TransactionID string
	Categories    []string // NoExemptionCategory selects those without
}

// NoExemptionCategory selects exemptions without a category.
const NoExemptionCategory = "NONE"

// TransactionFilter selects transactions of a list. Empty parts select all.
type TransactionFilter struct {
	Text               string // part of an external id or of the customer's name, or an exact id
	Types              []TransactionType
	Statuses           []TransactionStatus
	ProcessingStatuses []ProcessingStatus
	AddressStatuses    []tax.AddressStatus
	Exempt             []ExemptStatus
	Countries          []string
	States             []string // spellings of one state, in upper case
	ConnectionIDs      []string
	Source             string
	RelatedTo          string
	CustomerID         string
	FilingID           string // of the filing that claimed them first
	MemberOf           string // a filing; before it has claimed its members, those that it would claim
	UnresolvedOf       string // a filing: those that may belong to it and cannot be processed
	Marketplace        *bool
	From, To           time.Time     // both inclusive
	ReportRow          *ReportRowKey `json:",omitzero"` // the row of a report that adds them up; cursors of earlier releases have none
}

// NexusFilter selects nexus records of a list. Empty parts select all.
type NexusFilter struct {
	Today     time.Time // for records that are disregarded on this day
	View      string    // exposed or disregarded
	Statuses  []NexusStatus
	States    []string
	Countries []string
	Collected *bool
}

// PhysicalNexusFilter selects presences of a list. Empty parts select all.
type PhysicalNexusFilter struct {
	Countries []string
	States    []string
	Category  string
}

// ArchivePeriod selects transactions to archive: from one time to before another, the oldest first, no more than Limit.
// With After it begins after that id.
type ArchivePeriod struct {
	From, To time.Time
	After    string
	Limit    int
}
