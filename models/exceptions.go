package models

import (
	"slices"
	"time"
)

// Types of exceptions.
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
	ExceptionRefund        = "REFUND_TO_CLAIM"
	ExceptionNotice        = "NOTICE_OPEN"
)

// ExceptionTypes are all types.
var ExceptionTypes = []string{
	ExceptionTransaction, ExceptionFilingIssue, ExceptionToApprove, ExceptionOverdue, ExceptionFilingWaiting,
	ExceptionRegistration, ExceptionImport, ExceptionOnboarding, ExceptionNexus, ExceptionWebhook,
	ExceptionRefund, ExceptionNotice,
}

// Reasons why a registration without a question of the authority, or an approved return, needs a person.
const (
	ApprovalBlocked   = "APPROVAL_BLOCKED"    // a person has blocked the approval of the return
	BackTax           = "BACK_TAX"            // tax of days before its first return is in no return
	FiscalYearUnknown = "FISCAL_YEAR_UNKNOWN" // its periods are those of an unknown fiscal year
	Unanswered        = "AUTHORITY_UNANSWERED"
	ToConfirm         = "CONFIRMATION" // people submit it, and enter the confirmation
	// ReturnDataMissing is the reason of a registration in force whose returns lack data.
	ReturnDataMissing = "RETURN_DATA_MISSING"
	// AccessEnding is the reason of a registration whose authority takes returns by a grant of access that ends soon, or has ended.
	AccessEnding = "CONNECTION_ENDING"
)

// NoRate is the reason of sales that cannot be calculated for want of a conversion rate.
const NoRate = "NO_CONVERSION_RATE"

// Reasons why a refund is to be claimed from the authority.
const (
	RegistrationEnded = "REGISTRATION_ENDED" // a credit is left, and no return is
	ClaimRequired     = "CLAIM_REQUIRED"     // the law wants a claim for a credit
	NoReturn          = "NO_RETURN"          // no return covers the day of a credit note or tax refund
)

// Exception is a record that cannot continue without a person.
type Exception struct {
	Type             string
	OrganizationID   string
	OrganizationName *string
	ObjectID         string
	Code             string // the reason, as the record has it
	Since            time.Time
	Due              *time.Time
	Assignee         *string
	Note             *string

	Name     string // the order number, state or name of the object; empty for none
	Place    string // of a filing
	Country  string
	Category string     // of a filing
	From, To *time.Time // the period of a filing; for back tax, its first day and the first day of the first return
	Status   string     // of a filing or a registration
	Amount   *string
	Currency *string
	Said     string // the text of the authority or the engine; "" for none
	Obliged  bool   // of nexus: tax must be collected, and not only collected tax remitted

	Unanswered *time.Time // since when the authority of a filing or a registration does not answer; nil if it does

	PartnerID string // of the organization; "" for a root organization
	Granted   string // the GrantRole of the partner

	FromLines *bool // of a transaction: whether Amount is what its lines come to, because none was submitted

	Lacking []string // of a registration: the data that its returns lack

	Unresolved int `db:"-"` // of a waiting filing: transactions to be corrected before it can be approved
}

// ExceptionCount is the number of exceptions of a type.
type ExceptionCount struct {
	Type  string
	Count int64
}

// ExceptionGroup are the exceptions of one type and reason.
type ExceptionGroup struct {
	Type, Code     string
	Count          int64
	Organizations  int64
	OrganizationID string    // of the most urgent exception
	ObjectID       string    // of the same
	Since          time.Time // of the oldest
	Due            *time.Time
	Amounts        []OverviewFigure // the money at risk by currency
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
	Until          time.Time // they began at or before this time
	ObjectID       string
	Code           string          // the reason
	After          *ExceptionPlace // they come after this place; nil for all
	Wants          ReturnWants     // of returns; no data is missing without them
	Only           string          // a type; the others are neither read nor counted
}

// ExceptionPlace is the place of an exception in the order of the list. It stays valid when the exception is gone.
type ExceptionPlace struct {
	Since                                time.Time
	OrganizationID, Type, ObjectID, Code string
}

// Position returns the place of the exception in the order of the list.
func (e *Exception) Position() *ExceptionPlace {
	return &ExceptionPlace{Since: e.Since, OrganizationID: e.OrganizationID, Type: e.Type, ObjectID: e.ObjectID, Code: e.Code}
}

// Asks reports whether a filter selects a type.
func (f ExceptionFilter) Asks(kind string) bool {
	return len(f.Types) == 0 || slices.Contains(f.Types, kind)
}

// ExceptionRef identifies an exception of an organization: its type, and the record that needs a person.
type ExceptionRef struct {
	Type, ObjectID string
	Wants          ReturnWants // those of the list that has it
}

// ExceptionNote is the assignee and the note of an exception.
type ExceptionNote struct {
	Assignee *string
	Note     *string
	Done     bool // no person has to look after it any more; only a REFUND_TO_CLAIM can be
}

// SearchRecord is a record that a search found.
type SearchRecord struct {
	Type             string
	OrganizationID   string
	OrganizationName *string
	ID               string
	Title            string
	// For a return or a registration; a registration has no period.
	Place, Status string
	Start, End    *time.Time
	// Amount is the total of a transaction, or what is to be paid with a return. It is nil if there is none.
	Amount *string
	// Currency is that of the amount.
	Currency *string
	// Date is the instant of a transaction.
	Date *time.Time
}

// SearchResults are the found records, and the types with more records than returned.
type SearchResults struct {
	Items []SearchRecord
	More  []string
}
