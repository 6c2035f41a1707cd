package models

import (
	"time"

	"levy/tax/calendar"
	"levy/tax/money"
)

// FilingFacts are the facts that decide the next automatic step of a filing.
type FilingFacts struct {
	Status FilingStatus
	Period calendar.Period
	// ConvertedOn is the last day of the whole period, if a return in euro ends before it. Its rates convert the return.
	// Zero means no conversion.
	ConvertedOn  calendar.Date `json:"converted_on,omitzero"`
	Due          calendar.Date // zero: none is known
	PausedUntil  calendar.Date // zero: until it is resumed
	BlockApprove bool
	AutoFile     bool // the organization lets returns be approved automatically
	Special      bool // but not this one, by its settings
	Lookback     int  // units from the end of the period, or from LateSince, to the automatic approval
	// LateSince is when a filing was created for late transactions: an amendment, or one for a skipped period.
	// Zero means the return of its period.
	LateSince time.Time `json:"late_since,omitzero"`
	// AmendsUnfiled means that the amended return is not FILED.
	AmendsUnfiled bool `json:"amends_unfiled,omitempty"`
	Attempt       int  // the current or last submission; 0 before the first
	Country       string
	State         string
	// Reminders is the number of recorded reminders before Due and of its passing. A step has the number of due ones.
	Reminders int    `json:"-"`
	Reason    string // of an ISSUE
	Locked    bool   // of a FILED one: its report is stored, its transactions are locked
}

// FilingDue is a filing whose workflow must be started, or notified of a change of the record.
type FilingDue struct {
	OrganizationID string
	ID             string
	Category       calendar.FilingCategory
	Leased         time.Time // until when no other process gets it
	Ready          bool      // it waits for its approval, and its workflow knows that
	FilingFacts              // as of the lease, or later
}

// Events of the calendar of a filing.
const (
	EventFilingDueSoon = "filing.due_soon"
	EventFilingOverdue = "filing.overdue"
)

// FilingTransition is a change of status that staff request in the Temporal UI.
type FilingTransition struct {
	To     FilingStatus  `json:"to"`
	By     string        `json:"by,omitempty"`     // the requesting person
	Actor  Actor         `json:"-"`                // the same person in the audit trail; zero: only By is known
	Until  calendar.Date `json:"until,omitempty"`  // of a pause; zero: until it is resumed
	Reason string        `json:"reason,omitempty"` // of SKIPPED and CANCELLED
	// ExcludeUnresolved approves without the transactions that cannot be processed.
	ExcludeUnresolved bool `json:"exclude_unresolved,omitempty"`
	// Expected is the amount that the approver has seen; "" for none.
	Expected string `json:"expected_amount,omitempty"`
}

// ExpectedAmount returns the expected amount of an approval; nil for none. Errors: those of money.ParseTotal.
func (t FilingTransition) ExpectedAmount() (*money.Total, error) {
	if t.Expected == "" {
		return nil, nil
	}
	expected, err := money.ParseTotal(t.Expected)
	return &expected, err
}
