package models

import (
	"time"

	"levy/tax/calendar"
	"levy/tax/money"
)

// FilingFacts is what decides how a filing goes on by itself, as its records stand.
type FilingFacts struct {
	Status FilingStatus
	Period calendar.Period
	// ConvertedOn is the last day of the whole period, by whose rates a return in euro is converted that ends before it.
	// Zero: it is not converted.
	ConvertedOn  calendar.Date `json:"converted_on,omitzero"`
	Due          calendar.Date // zero: none is known
	PausedUntil  calendar.Date // zero: until somebody resumes it
	BlockApprove bool
	AutoFile     bool // the organization lets returns be approved by themselves
	Special      bool // but not this one, by its settings
	Lookback     int  // units from the end of the period, or from LateSince, to the automatic approval
	// LateSince is when a filing was made for what came late: an amendment, or one for a period that was skipped. Zero:
	// it is the return of its period.
	LateSince time.Time `json:"late_since,omitzero"`
	// AmendsUnfiled says that the return that it amends is not FILED.
	AmendsUnfiled bool `json:"amends_unfiled,omitempty"`
	Attempt       int  // the submission that is or was under way; 0 before the first
	Country       string
	State         string
	// Reminders is how many of those before Due, and of its passing, were noted; a step says how many are due.
	Reminders int    `json:"-"`
	Reason    string // of an ISSUE
	Locked    bool   // of a FILED one: its report is stored, its transactions are locked
}

// FilingDue is a filing whose workflow is to be started, or notified that the record has
// changed.
type FilingDue struct {
	OrganizationID string
	ID             string
	Category       calendar.FilingCategory
	Leased         time.Time // until when nobody else gets it
	Ready          bool      // it waits for its approval, as its workflow was told
	FilingFacts              // as the record stood when it was leased, or later
}

// Events of the calendar of a filing.
const (
	EventFilingDueSoon = "filing.due_soon"
	EventFilingOverdue = "filing.overdue"
)

// FilingTransition is a change of status as staff ask for it, from the Temporal UI.
type FilingTransition struct {
	To     FilingStatus  `json:"to"`
	By     string        `json:"by,omitempty"`     // who asks for it
	Actor  Actor         `json:"-"`                // likewise, as the audit trail has it; zero: By is all that is known
	Until  calendar.Date `json:"until,omitempty"`  // of a pause; zero: until it is resumed
	Reason string        `json:"reason,omitempty"` // of SKIPPED and CANCELLED
	// ExcludeUnresolved approves without the transactions that cannot be processed.
	ExcludeUnresolved bool `json:"exclude_unresolved,omitempty"`
	// Expected is the amount that By has seen, of an approval; empty for none.
	Expected string `json:"expected_amount,omitempty"`
}

// ExpectedAmount is the amount that an approval expects; nil for none. Errors: those of
// money.ParseTotal.
func (t FilingTransition) ExpectedAmount() (*money.Total, error) {
	if t.Expected == "" {
		return nil, nil
	}
	expected, err := money.ParseTotal(t.Expected)
	return &expected, err
}
