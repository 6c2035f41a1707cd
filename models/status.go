package models

import "slices"

// TransactionType is the type of a transaction.
type TransactionType string

// Transaction types.
const (
	TypeSale              TransactionType = "SALE"
	TypeFullCreditNote    TransactionType = "FULL_CREDIT_NOTE"
	TypePartialCreditNote TransactionType = "PARTIAL_CREDIT_NOTE"
	TypeTaxRefund         TransactionType = "TAX_REFUND"
	TypeArchive           TransactionType = "ARCHIVE"
)

// IsCredit reports whether the type refunds a part of another transaction.
func (t TransactionType) IsCredit() bool {
	switch t {
	case TypeFullCreditNote, TypePartialCreditNote, TypeTaxRefund:
		return true
	case TypeSale, TypeArchive:
		return false
	}
	return false
}

// TransactionStatus is the status of a transaction for the merchant.
type TransactionStatus string

// Transaction states.
const (
	StatusPending           TransactionStatus = "PENDING"
	StatusCommitted         TransactionStatus = "COMMITTED"
	StatusCancelled         TransactionStatus = "CANCELLED"
	StatusFullyRefunded     TransactionStatus = "FULLY_REFUNDED"
	StatusPartiallyRefunded TransactionStatus = "PARTIALLY_REFUNDED"
	StatusInvalid           TransactionStatus = "INVALID"
	StatusArchived          TransactionStatus = "ARCHIVED"
)

// ProcessingStatus is the progress of the processing of a transaction.
type ProcessingStatus string

// Processing states.
const (
	ProcessingNew           ProcessingStatus = "NEW"
	ProcessingUpdated       ProcessingStatus = "UPDATED"
	ProcessingQueued        ProcessingStatus = "QUEUED"
	ProcessingAddressDone   ProcessingStatus = "ADDRESS_DONE"
	ProcessingExemptDone    ProcessingStatus = "EXEMPT_DONE"
	ProcessingNexusDone     ProcessingStatus = "NEXUS_DONE"
	ProcessingProcessed     ProcessingStatus = "PROCESSED"
	ProcessingFilingStarted ProcessingStatus = "FILING_STARTED"
	ProcessingFilingDone    ProcessingStatus = "FILING_DONE"
	ProcessingLocked        ProcessingStatus = "LOCKED"
	ProcessingPending       ProcessingStatus = "PENDING"
	ProcessingArchived      ProcessingStatus = "ARCHIVED"
	ProcessingNeedsRefetch  ProcessingStatus = "NEEDS_REFETCH"
	ProcessingExcluded      ProcessingStatus = "EXCLUDED_IN_CALCULATION"
)

// RefetchReason is the data that a transaction in NEEDS_REFETCH waits for.
type RefetchReason string

// Refetch reasons: address data, or data of a calculation, such as a conversion rate.
const (
	RefetchAddress     RefetchReason = "ADDRESS"
	RefetchCalculation RefetchReason = "CALCULATION"
)

// Terminal reports whether the current content needs no more processing: such a transaction has no outbox row.
func (s ProcessingStatus) Terminal() bool {
	switch s {
	case ProcessingNew, ProcessingUpdated, ProcessingQueued, ProcessingAddressDone,
		ProcessingExemptDone, ProcessingNexusDone:
		return false
	case ProcessingProcessed, ProcessingFilingStarted, ProcessingFilingDone, ProcessingLocked, ProcessingPending,
		ProcessingArchived, ProcessingNeedsRefetch, ProcessingExcluded:
		return true
	}
	return true
}

// ExemptStatus is the exempt part of a transaction.
type ExemptStatus string

// Exemption states of a transaction.
const (
	NotExempt         ExemptStatus = "NOT_EXEMPT"
	PartiallyExempt   ExemptStatus = "PARTIALLY_EXEMPT"
	FullyExempt       ExemptStatus = "FULLY_EXEMPT"
	ZeroRateNotExempt ExemptStatus = "ZERO_RATE_NOT_EXEMPT"
)

// TaxLiabilitySource tells whether the liability is the calculated or the collected tax.
type TaxLiabilitySource string

// Sources of a liability.
const (
	LiabilityCalculated TaxLiabilitySource = "CALCULATED"
	LiabilityCollected  TaxLiabilitySource = "COLLECTED"
)

// AddressType is the role of an address in a transaction.
type AddressType string

// Address types.
const (
	BillTo   AddressType = "BILL_TO"
	ShipTo   AddressType = "SHIP_TO"
	ShipFrom AddressType = "SHIP_FROM"
	BillFrom AddressType = "BILL_FROM"
)

// Reserves reports whether a refund with this status takes amounts of its original.
func (s TransactionStatus) Reserves() bool { return s == StatusPending || s == StatusCommitted }

// Calculated reports whether the tax of the current content is calculated.
func (s ProcessingStatus) Calculated() bool {
	return slices.Contains(CalculatedStates, s)
}

// CalculatedStates are the states of a transaction whose tax is calculated.
var CalculatedStates = []ProcessingStatus{
	ProcessingProcessed, ProcessingFilingStarted, ProcessingFilingDone, ProcessingLocked,
}
