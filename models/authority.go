package models

import (
	"time"

	"levy/tax/calendar"
)

// AuthorityKind is what an authority is asked for.
type AuthorityKind string

// Kinds of submissions.
const (
	AuthorityReturn         AuthorityKind = "RETURN"
	AuthorityRegistration   AuthorityKind = "REGISTRATION"
	AuthorityDeregistration AuthorityKind = "DEREGISTRATION"
)

// SimulatedConfirmation is how every confirmation of the simulated authority begins: nothing was
// filed with anybody.
const SimulatedConfirmation = "SIM-"

// AuthorityKey names a submission for ever: however often it is handed over, the
// authority receives it once. A record that is handed over anew after a rejection
// has a new attempt.
type AuthorityKey struct {
	OrganizationID string        `json:"organization_id"`
	Kind           AuthorityKind `json:"kind"`
	RecordID       string        `json:"record_id"` // of the filing or registration
	Attempt        int           `json:"attempt"`   // from 1
}

// Attempt is one attempt of a filing or registration at its authority, from 1.
type Attempt struct {
	RecordID string
	Number   int
}

// Whole reports whether no part of the key is missing.
func (k AuthorityKey) Whole() bool {
	return k.OrganizationID != "" && k.Kind != "" && k.RecordID != "" && k.Attempt > 0
}

// AuthoritySubmission is what is handed over to an authority.
type AuthoritySubmission struct {
	Key     AuthorityKey
	Test    bool // of an organization for tests: no real authority ever sees it
	Country string
	State   string
	Return  *TaxReturn // of a RETURN
	// Notes are those of the record, for the staff behind an adapter.
	Notes string
}

// TaxReturn is the content of a return. Amounts are decimal texts in Currency, with
// two decimals.
type TaxReturn struct {
	Category       string
	Start, End     calendar.Date
	Currency       string
	Sales          string // net, credit notes negative
	Taxable        string
	Tax            string // the liability
	Amount         string // to be paid
	Transactions   int    // with those of marketplaces
	AmendsFilingID string // of an AMENDMENT: the filing it corrects
	Jurisdictions  []TaxReturnLine
}

// TaxReturnLine is the part of one jurisdiction.
type TaxReturnLine struct {
	Type, Name, Code string
	Taxable, Tax     string
}

// AuthorityOutcome says what an authority made of a submission.
type AuthorityOutcome string

// Outcomes.
const (
	AuthorityAccepted AuthorityOutcome = "ACCEPTED"
	AuthorityRejected AuthorityOutcome = "REJECTED"
	// AuthorityPending: received, not decided; ask again after AuthorityAnswer.Again.
	AuthorityPending AuthorityOutcome = "PENDING"
	// AuthorityManual: nobody answers; people hand it over and enter the confirmation.
	AuthorityManual AuthorityOutcome = "BY_HAND"
)

// ManualAuthority is the adapter of what people hand over.
const ManualAuthority = "manual"

// AuthorityAnswer is what an authority says to a submission.
type AuthorityAnswer struct {
	Authority           string           `json:"authority"` // the adapter
	Outcome             AuthorityOutcome `json:"outcome"`
	Confirmation        string           `json:"confirmation,omitempty"`
	PaymentConfirmation string           `json:"payment_confirmation,omitempty"`
	Reason              string           `json:"reason,omitempty"`  // of a rejection, its code; at most 50 characters
	Message             string           `json:"message,omitempty"` // of a rejection, in the words of the authority
	Again               time.Duration    `json:"again,omitempty"`   // of PENDING
}

// SandboxReceipt is what the simulated authority remembers of a submission.
type SandboxReceipt struct {
	Key AuthorityKey
	// Digest of the content: the same return twice is the same, another one for an
	// accepted period is not.
	Digest  string
	Answer  AuthorityAnswer // once it is decided
	Decides time.Duration   // after the first contact
	// Age is the time since the first contact, Contacts how many there were. Both are
	// set by who keeps the receipts.
	Age      time.Duration
	Contacts int
}
