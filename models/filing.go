package models

import (
	"time"

	"levy/tax"
)

// FilingStatus is the state of a filing; see FilingStatusMachine.
type FilingStatus string

// Filing states.
const (
	FilingUnfiled   FilingStatus = "UNFILED"
	FilingFiling    FilingStatus = "FILING"
	FilingFiled     FilingStatus = "FILED"
	FilingPaused    FilingStatus = "PAUSED"
	FilingIssue     FilingStatus = "ISSUE"
	FilingSkipped   FilingStatus = "SKIPPED"
	FilingCancelled FilingStatus = "CANCELLED"
)

// Live reports whether the filing has no members yet: its amounts are those of the
// transactions that it would claim now.
func (s FilingStatus) Live() bool { return s == FilingUnfiled || s == FilingPaused }

// Over reports whether the filing has ended for good.
func (s FilingStatus) Over() bool {
	return s == FilingFiled || s == FilingSkipped || s == FilingCancelled
}

// The category of returns that correct another; those of the calendar are
// tax.FilingRegular and tax.FilingPrepayment. The set is open.
const FilingAmendment tax.FilingCategory = "AMENDMENT"

// ApprovedByTimer stands for the organization that lets returns be filed by themselves.
const ApprovedByTimer = "auto"

// Filing is the return of a registration for a period. Amounts are in Currency. While
// the status is live the sums are those of the transactions that would be claimed
// now; afterwards those of the members that were claimed.
type Filing struct {
	OrganizationID  string `gorm:"primaryKey"`
	ID              string `gorm:"primaryKey"`
	RegistrationID  string
	CountryCode     string
	StateCode       string
	StateName       *string
	StartDate       time.Time `gorm:"type:date"`
	EndDate         time.Time `gorm:"type:date"` // the last day of the period
	Status          FilingStatus
	FilingCategory  tax.FilingCategory
	FilingFrequency *string
	Currency        string
	DueDate         *time.Time `gorm:"type:date"`
	DateFiled       *time.Time `gorm:"type:date"`
	IsManual        *bool      // the confirmation was entered by a person
	AutoApproved    bool
	ApprovedBy      *string
	ApprovedAt      *time.Time
	BlockApproval   bool
	PausedUntilDate *time.Time `gorm:"type:date"` // nil: until it is resumed
	IssueReason     *string
	SkipReason      *string
	CancelledReason *string

	FilingSums `gorm:"embedded"`

	AmountAdjusted  tax.Total
	AmountDiscounts tax.Total
	AmountFees      tax.Total
	AmountPenalties tax.Total
	TaxRemitted     tax.Total

	InternalNotes         *string
	ReturnConfirmationID  *string
	PaymentConfirmationID *string
	JiraIssueKey          *string
	AmendsFilingID        *string
	Planned               bool       // made by the plan of filings
	Attempt               int        // how often it became FILING: names its submission to the authority
	ClaimedAt             *time.Time // its members are claimed
	FiledAt               *time.Time
	LockedAt              *time.Time // report and hash are stored, the members LOCKED
	ReportHash            *string    // SHA-256 of the canonical report
	// NextCheckAt is when somebody makes sure that the workflow runs; nil when nothing
	// is left that only the workflow does.
	NextCheckAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time

	Causes  []FilingCause `gorm:"-"` // of an amendment
	Pending int           `gorm:"-"` // transactions of the period that are not processed, while the status is live
	Today   tax.Date      `gorm:"-"` // by the clock of the database, UTC
}

// FilingSums are what the transactions of a filing add up to.
type FilingSums struct {
	AmountSales                 tax.Total // net, credit notes negative
	TotalTaxableSales           tax.Total
	AmountCalculated            tax.Total // calculated tax
	AmountTaxCollected          tax.Total // imported tax
	TotalTaxLiability           tax.Total
	TransactionCount            int64 // without those of marketplaces
	MarketplaceTransactionCount int64
}

// FilingCause counts the transactions that made an amendment necessary, by reason.
type FilingCause struct {
	Reason       string
	Transactions int
}

// Why a transaction is in an amendment: it came after the return was filed, it was
// changed after that, or it gives back something of a sale.
const (
	CauseLate       = "LATE"
	CauseChanged    = "CHANGED"
	CauseCreditNote = "CREDIT_NOTE"
)

// Amount is what is to be paid: the liability with all that is added and taken off.
// Errors: tax.ErrOverflow; no filing that has claimed its members has such an amount.
func (f Filing) Amount() (tax.Total, error) {
	var sum tax.Total
	var err error
	for _, part := range f.parts() {
		if sum, err = sum.Plus(part); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// AmountText is the amount also where it has more than 18 digits, which the sales of a
// period that nobody has claimed may lead to.
func (f Filing) AmountText() string { return tax.ExactSum(f.parts()...) }

func (f Filing) parts() []tax.Total {
	return []tax.Total{f.TotalTaxLiability, f.AmountAdjusted, f.AmountDiscounts.Neg(), f.AmountFees, f.AmountPenalties}
}

// Approval blockers, in the order in which they are told.
const (
	BlockerNotUnfiled   = "NOT_UNFILED"
	BlockerPeriodOpen   = "PERIOD_OPEN"
	BlockerBlocked      = "BLOCKED"
	BlockerInProcessing = "TRANSACTIONS_IN_PROCESSING"
)

// Blockers lists what stands against the approval of the filing now.
func (f Filing) Blockers() []string {
	blockers := []string{}
	if f.Status != FilingUnfiled {
		blockers = append(blockers, BlockerNotUnfiled)
	}
	if f.PeriodOpen() {
		blockers = append(blockers, BlockerPeriodOpen)
	}
	if f.BlockApproval {
		blockers = append(blockers, BlockerBlocked)
	}
	if f.Pending > 0 {
		blockers = append(blockers, BlockerInProcessing)
	}
	return blockers
}

// PeriodOpen reports whether the last day of the period is not over, in UTC.
func (f Filing) PeriodOpen() bool { return f.Today <= tax.DateOf(f.EndDate) }

// FilingApproval says who approves a filing.
type FilingApproval struct {
	By   string // ApprovedByTimer for the timer
	Auto bool
}

// FilingMember is what a claimed transaction adds to its filing.
type FilingMember struct {
	TransactionID  string
	TaxDate        time.Time
	Marketplace    bool
	Sales, Taxable tax.Total
	Tax, Collected tax.Total
	Liability      tax.Total
}

// FilingFilter selects filings of a list. Empty parts select all.
type FilingFilter struct {
	Statuses       []FilingStatus
	StartsFrom     time.Time // the period starts on that day or after it
	EndsBy         time.Time // the period ends on that day or before it
	FiledFrom      time.Time
	FiledBy        time.Time
	DueBy          time.Time
	States         []string
	Countries      []string
	Categories     []string
	RegistrationID string
}
