package models

import (
	"slices"
	"time"
)

// Types of what needs a person.
const (
	ExceptionTransaction   = "TRANSACTION_UNRESOLVED"
	ExceptionFilingIssue   = "FILING_ISSUE"
	ExceptionToApprove     = "FILING_TO_APPROVE"
	ExceptionOverdue       = "FILING_OVERDUE"
	ExceptionFilingWaiting = "FILING_WAITING"
	ExceptionRegistration  = "REGISTRATION_WAITING"
	ExceptionImport        = "IMPORT_FAILED"
	ExceptionOnboarding    = "ONBOARDING_STUCK"
	ExceptionNexus         = "NEXUS_UNREGISTERED"
	ExceptionWebhook       = "WEBHOOK_DISABLED"
)

// ExceptionTypes are all of them.
var ExceptionTypes = []string{
	ExceptionTransaction, ExceptionFilingIssue, ExceptionToApprove, ExceptionOverdue, ExceptionFilingWaiting,
	ExceptionRegistration, ExceptionImport, ExceptionOnboarding, ExceptionNexus, ExceptionWebhook,
}

// Why a registration of which the authority has no question, or a return that was approved, needs a person.
const (
	ApprovalBlocked   = "APPROVAL_BLOCKED"    // a person has blocked the approval of the return
	BackTax           = "BACK_TAX"            // tax of days before its first return is in none
	FiscalYearUnknown = "FISCAL_YEAR_UNKNOWN" // its periods are those of a fiscal year that nobody knows
	Unanswered        = "AUTHORITY_UNANSWERED"
	ToConfirm         = "CONFIRMATION" // people hand it over, and enter the confirmation
)

// Exception is something that does not go on without a person.
type Exception struct {
	Type             string
	OrganizationID   string
	OrganizationName *string
	ObjectID         string
	Code             string // why, as the record says it
	Since            time.Time
	Due              *time.Time
	Assignee         *string
	Note             *string

	Name     string // the order number, state or name of the object; empty for none
	Place    string // of a filing
	Country  string
	Category string     // of a filing
	From, To *time.Time // the period of a filing; of tax from before it, the first day and that of the first return
	Status   string     // of a filing or a registration
	Amount   *string
	Currency *string
	Said     string // by the authority or the engine, in words; empty for nothing
	Obliged  bool   // of nexus: tax has to be collected, and not only what was collected remitted

	Unanswered *time.Time // since when the authority of a filing or a registration does not answer; nil while it does

	Unresolved int `db:"-"` // of a filing that waits: transactions to be corrected before it can be approved
}

// ExceptionCount is how many there are of a type.
type ExceptionCount struct {
	Type  string
	Count int64
}

// ExceptionList is a page of exceptions with the number of each type under the other filters.
type ExceptionList struct {
	List[Exception]
	Counts []ExceptionCount
}

// ExceptionFilter selects exceptions; zero values select all.
type ExceptionFilter struct {
	Types          []string
	OrganizationID string
	Assignee       string
	Until          time.Time // they began at or before it
	ObjectID       string
}

// Asks reports whether a filter selects a type.
func (f ExceptionFilter) Asks(kind string) bool {
	return len(f.Types) == 0 || slices.Contains(f.Types, kind)
}

// ExceptionRef names an exception of an organization: its type, and the record that needs a person.
type ExceptionRef struct{ Type, ObjectID string }

// ExceptionNote says who takes care of an exception, and what was noted.
type ExceptionNote struct {
	Assignee *string
	Note     *string
}

// Found is a record that a search found.
type Found struct {
	Type             string
	OrganizationID   string
	OrganizationName *string
	ID               string
	Title            string
	// Of a return or a registration; a registration has no period.
	Place, Status string
	Start, End    *time.Time
}

// SearchResults are records that a search found, and the types of which it left some out.
type SearchResults struct {
	Items []Found
	More  []string
}
