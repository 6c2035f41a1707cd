package models

import (
	"cmp"
	"time"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
)

// FilingStatus is the state of a filing; see FilingTransitions.
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

// FilingsThatCount are the states of the filings that say what a period owes: a cancelled one says nothing.
var FilingsThatCount = []FilingStatus{FilingUnfiled, FilingFiling, FilingFiled, FilingPaused, FilingIssue, FilingSkipped}

// Live reports whether the filing has not claimed its lines yet: its amounts are those of the transactions that it
// would claim now.
func (s FilingStatus) Live() bool { return s == FilingUnfiled || s == FilingPaused }

// Unanswered returns since when the authority of the filing does not answer; nil if it does.
func (f Filing) Unanswered() *time.Time {
	if f.Status != FilingFiling {
		return nil
	}
	return f.UnansweredSince
}

// Manual returns since when people have to file it and enter the confirmation, because no adapter does; nil otherwise.
func (f Filing) Manual() *time.Time {
	if f.Status != FilingFiling {
		return nil
	}
	return f.ManualSince
}

// Over reports whether the filing has ended permanently.
func (s FilingStatus) Over() bool {
	return s == FilingFiled || s == FilingSkipped || s == FilingCancelled
}

// FilingAmendment is the category of returns that correct another one. Those of the calendar are tax.FilingRegular and
// tax.FilingPrepayment. The set is open.
const FilingAmendment calendar.FilingCategory = "AMENDMENT"

// ApprovedByTimer is the approver of returns that are approved automatically.
const ApprovedByTimer = "auto"

// Filing is the return of a registration for a period. Amounts are in Currency. While the status is live,
// the sums are those of the transactions that would be claimed now, later those of the claimed lines.
// Fields with `<-:create` are written once, those with `<-:false` only by claims and seals.
type Filing struct {
	OrganizationID  string    `gorm:"primaryKey"`
	ID              string    `gorm:"primaryKey"`
	RegistrationID  string    `gorm:"<-:create"`
	CountryCode     string    `gorm:"<-:create"`
	StateCode       string    `gorm:"<-:create"`
	StateName       *string   `gorm:"<-:create"`
	StartDate       time.Time `gorm:"type:date;<-:create"`
	EndDate         time.Time `gorm:"type:date;<-:create"` // the last day of the period
	Status          FilingStatus
	FilingCategory  calendar.FilingCategory `gorm:"<-:create"`
	FilingFrequency *string                 `gorm:"<-:create"`
	Currency        string                  `gorm:"<-:create"`
	DueDate         *time.Time              `gorm:"type:date"`
	DateFiled       *time.Time              `gorm:"type:date"`
	IsManual        *bool                   // the confirmation was entered by a person
	AutoApproved    bool
	ApprovedBy      *string
	ApprovedAt      *time.Time
	BlockApproval   bool
	PausedUntilDate *time.Time `gorm:"type:date"` // nil: until it is resumed
	IssueReason     *string
	SkipReason      *string
	CancelledReason *string

	FilingSums    `gorm:"embedded"`
	FilingOffsets `gorm:"embedded"`

	AmountAdjusted  money.Total `gorm:"type:numeric"`
	AmountDiscounts money.Total `gorm:"type:numeric"`
	AmountFees      money.Total `gorm:"type:numeric"`
	AmountPenalties money.Total `gorm:"type:numeric"`
	TaxRemitted     money.Total `gorm:"type:numeric"`
	// PrepaidShare is the part of the tax of a prepayment that is to be paid with it; nil for all.
	PrepaidShare *decimal.Decimal `gorm:"type:numeric;<-:create"`

	InternalNotes         *string
	ReturnConfirmationID  *string
	PaymentConfirmationID *string
	JiraIssueKey          *string
	AmendsFilingID        *string `gorm:"<-:create"`
	OnDemand              bool    `gorm:"<-:create"` // people asked for the amendment
	// AmendedTotals are those of an amendment: while the status is live as of now, later as of the claim.
	AmendedTotals   *AmendedTotals `gorm:"serializer:json;type:jsonb;<-:false"`
	Planned         bool           `gorm:"<-:create"` // created by the plan of filings
	Attempt         int            // how often it became FILING; it identifies the submission to the authority
	ClaimedAt       *time.Time     `gorm:"<-:false"` // its lines are claimed
	UnansweredSince *time.Time     // since when the calls for the attempt do not reach the authority
	ManualSince     *time.Time     // since when people have to submit the attempt
	FiledAt         *time.Time
	LockedAt        *time.Time `gorm:"<-:false"` // report and hash are stored, the transactions LOCKED
	ReportHash      *string    `gorm:"<-:false"` // SHA-256 of the canonical report
	// NextCheckAt is when the sweeper checks that the workflow runs; nil if the workflow has nothing left to do.
	NextCheckAt *time.Time
	CreatedAt   time.Time `gorm:"<-:create"`
	UpdatedAt   time.Time

	DocumentLayout string `gorm:"-"` // of the document of the present attempt; "" for none
	DocumentHash   string `gorm:"-"` // SHA-256 of it, hexadecimal

	Around     FilingAround           `gorm:"-"` // other filings that concern it
	Causes     []FilingCause          `gorm:"-"` // of an amendment
	Pending    int                    `gorm:"-"` // transactions in processing or without a rate, while the status is live
	Unresolved UnresolvedTransactions `gorm:"-"` // now; none once it is SKIPPED or CANCELLED
	Today      calendar.Date          `gorm:"-"` // by the clock of the database, in the time zone of the organization
	Elapsed    calendar.Date          `gorm:"-"` // by that clock, the last day that is over everywhere
	Entries    []FilingEntry          `gorm:"-"` // of a change: those that the filing has, the oldest first
	// EntryChange is that of Entries by a change; nil for none.
	EntryChange *FilingEntryChange `gorm:"-"`
	Made        []RecordedPayment  `gorm:"-"` // of a change: the recorded payments, the oldest first
	// MadeChange is that of Made by a change; nil for none.
	MadeChange *RecordedPaymentChange `gorm:"-"`
	// ToPay is what the authority takes for a return of the one-stop shop instead of its amount; nil for other filings.
	ToPay    *money.Total     `gorm:"-"`
	Approval *FilingApproval  `gorm:"-"` // of a change: the arguments of Approve
	Answer   *AuthorityAnswer `gorm:"-"` // of a change: the answer of the authority that caused it
	// Connection is that of the call that changes the filing, where its authority requires it; else nil.
	Connection *ClientConnection `gorm:"-"`

	// ReturnRefusals are the codes of the findings by which the adapter that sends the return has no document. They are known
	// where a filing is read by itself, and not in lists.
	ReturnRefusals []string `gorm:"-"`
}

// FilingSums are the sums of the transactions of a filing.
type FilingSums struct {
	AmountSales                 money.Total `gorm:"type:numeric;<-:false"` // net, credit notes negative
	TotalTaxableSales           money.Total `gorm:"type:numeric;<-:false"`
	AmountCalculated            money.Total `gorm:"type:numeric;<-:false"` // calculated tax
	AmountTaxCollected          money.Total `gorm:"type:numeric;<-:false"` // imported tax
	TotalTaxLiability           money.Total `gorm:"type:numeric;<-:false"`
	TransactionCount            int64       `gorm:"<-:false"` // without those of marketplaces
	MarketplaceTransactionCount int64       `gorm:"<-:false"`

	// By how much collected tax is above and below the calculated one.
	AmountOverCollected  money.Total `gorm:"type:numeric;<-:false"`
	AmountUnderCollected money.Total `gorm:"type:numeric;<-:false"`
	OverCollectedCount   int64       `gorm:"<-:false"`
	UnderCollectedCount  int64       `gorm:"<-:false"`
	NoObligationCount    int64       `gorm:"<-:false"` // of days without an obligation: they owe nothing
	NoObligationSales    money.Total `gorm:"type:numeric;<-:false"`
	UncertainCount       int64       `gorm:"<-:false"` // their place is not confirmed
	UncertainTax         money.Total `gorm:"type:numeric;<-:false"`
	FormDifference       money.Total `gorm:"type:numeric;<-:false"` // accrued tax less what the form computes
	BeyondRoundingCount  int64       `gorm:"<-:false"`              // transactions whose roundings do not explain it
}

// FilingCause counts the transactions that caused an amendment, by reason. LATE ones came after the return was filed,
// CHANGED ones were changed after that, and CREDIT_NOTE ones refund a part of a sale.
type FilingCause struct {
	Reason       string
	Transactions int
}

// Amount returns the amount to pay: the liability with all additions and deductions. It is never below zero, except for
// returns that were claimed before credit was carried. Errors: tax.ErrOverflow, which no claimed filing returns.
func (f Filing) Amount() (money.Total, error) {
	sum, err := sumOf(f.parts())
	if f.endsUnfiled() && sum.IsNeg() {
		sum = money.Total{}
	}
	return sum, err
}

// Frequency returns how often the return is filed; "" if it is not known.
func (f Filing) Frequency() calendar.FilingFrequency {
	return calendar.FilingFrequency(*cmp.Or(f.FilingFrequency, new(string)))
}

// endsUnfiled reports whether the filing is over without being filed: nothing is paid back for it.
func (f Filing) endsUnfiled() bool { return f.Status == FilingSkipped || f.Status == FilingCancelled }

// AmountTooLarge returns the error for a change of the stored filing that gives its amount more than 18 digits.
// The path of the fault is the first changed part of the amount.
func (f Filing) AmountTooLarge(stored *Filing) *InvalidError {
	path := "amount_adjusted"
	switch {
	case f.AmountAdjusted != stored.AmountAdjusted:
	case f.AmountDiscounts != stored.AmountDiscounts:
		path = "amount_discounts"
	case f.AmountFees != stored.AmountFees:
		path = "amount_fees"
	case f.AmountPenalties != stored.AmountPenalties:
		path = "amount_penalties"
	}
	return &InvalidError{Faults: []Fault{{
		Code: FieldOutOfRange, Path: path,
		Message: "With it the amount of the filing has more than 18 digits before the point.",
		Of:      []string{"amount_adjusted", "amount_discounts", "amount_fees", "amount_penalties"},
	}}}
}

// AmountText returns the amount, also if it has more than 18 digits, as an unclaimed period may.
func (f Filing) AmountText() string {
	if amount, err := f.Amount(); err == nil {
		return amount.String()
	}
	return money.ExactSum(f.parts()...)
}

func (f Filing) parts() []money.Total {
	return append(f.entered(), f.TotalTaxLiability, f.AmountPrepaid.Neg(), f.AmountCreditApplied.Neg(),
		f.AmountCreditCarried, f.AmountDeferred.Neg())
}

// entered are the parts of the amount that people enter.
func (f Filing) entered() []money.Total {
	return []money.Total{f.AmountAdjusted, f.AmountDiscounts.Neg(), f.AmountFees, f.AmountPenalties}
}

// Approval blockers, in the order in which they are listed.
const (
	BlockerNotUnfiled   = "NOT_UNFILED"
	BlockerPeriodOpen   = "PERIOD_OPEN"
	BlockerBlocked      = "BLOCKED"
	BlockerInProcessing = "TRANSACTIONS_IN_PROCESSING"
	BlockerUnresolved   = "TRANSACTIONS_UNRESOLVED"

	// BlockerReturnIncomplete is the reason of a return that an adapter is to send, and that lacks what its document needs.
	BlockerReturnIncomplete = "RETURN_INCOMPLETE"
)

// Blockers returns the reasons that prevent the approval of the filing now.
func (f Filing) Blockers() []string {
	blockers := []string{}
	if f.Status != FilingUnfiled {
		blockers = append(blockers, BlockerNotUnfiled)
	}
	if f.periodOpen() {
		blockers = append(blockers, BlockerPeriodOpen)
	}
	if f.BlockApproval {
		blockers = append(blockers, BlockerBlocked)
	}
	if f.Pending > 0 {
		blockers = append(blockers, BlockerInProcessing)
	}
	if f.Unresolved.Transactions > 0 {
		blockers = append(blockers, BlockerUnresolved)
	}
	if len(f.ReturnRefusals) > 0 {
		blockers = append(blockers, BlockerReturnIncomplete)
	}
	return blockers
}

// BlockForPeople makes a planned filing wait for people. Its notes have the reason.
func (f *Filing) BlockForPeople(why string) { f.BlockApproval, f.InternalNotes = true, &why }

// EnteredAmounts are the amounts that people enter besides the tax.
type EnteredAmounts struct{ Adjusted, Discounts, Fees, Penalties money.Total }

// EnteredAmounts returns the amounts that people have entered.
func (f Filing) EnteredAmounts() EnteredAmounts {
	return EnteredAmounts{f.AmountAdjusted, f.AmountDiscounts, f.AmountFees, f.AmountPenalties}
}

// Entered reports whether people have entered amounts besides the tax, or entries.
func (f Filing) Entered() bool { return f.EnteredAmounts() != EnteredAmounts{} || len(f.Entries) > 0 }

// periodOpen reports whether the last day of the period is not over everywhere.
func (f Filing) periodOpen() bool { return f.Elapsed < calendar.DateOf(f.EndDate) }

// OverEverywhere returns when a day is over in every time zone. The tax date is the day of the shop.
func OverEverywhere(day calendar.Date) time.Time { return day.AddDays(1).Time().Add(12 * time.Hour) }

// FilingApproval is an approval of a filing with its conditions.
type FilingApproval struct {
	By   string // ApprovedByTimer for the timer
	Auto bool
	// ExcludeUnresolved excludes unresolved transactions. The timer never does.
	ExcludeUnresolved bool
	// Attestation is the statement that the approver signed; "" for none.
	Attestation string
	// Expected is the amount that the approver has seen. The claim is rolled back if the amount differs.
	Expected *money.Total
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
	IDs            []string
}

// Submission returns the submission of a claimed filing for the authority. Errors: tax.ErrOverflow.
func (f Filing) Submission() (AuthoritySubmission, error) {
	amount, err := f.Amount()
	s := AuthoritySubmission{
		Key: AuthorityKey{
			OrganizationID: f.OrganizationID, Kind: AuthorityReturn, RecordID: f.ID, Attempt: f.Attempt,
		},
		Country: f.CountryCode, State: f.StateCode, Automatic: f.AutoApproved,
		Unsure: f.UnansweredSince != nil,
		Return: &TaxReturn{
			Category: string(f.FilingCategory), Start: calendar.DateOf(f.StartDate),
			End: calendar.DateOf(f.EndDate), Currency: f.Currency,
			Sales: f.AmountSales.String(), Taxable: f.TotalTaxableSales.String(),
			Tax: f.TotalTaxLiability.String(), Amount: amount.String(),
			Transactions: int(f.TransactionCount + f.MarketplaceTransactionCount),
		},
	}
	if f.InternalNotes != nil {
		s.Notes = *f.InternalNotes
	}
	if f.AmendsFilingID != nil {
		s.Return.AmendsFilingID = *f.AmendsFilingID
	}
	return s, err
}
