package models

import (
	"time"

	"levy/tax/calendar"
)

// AuthorityKind is the type of a submission to an authority.
type AuthorityKind string

// Kinds of submissions.
const (
	AuthorityReturn         AuthorityKind = "RETURN"
	AuthorityRegistration   AuthorityKind = "REGISTRATION"
	AuthorityDeregistration AuthorityKind = "DEREGISTRATION"
)

// SimulatedConfirmation is the prefix of every confirmation of the simulated authority, which files nothing.
const SimulatedConfirmation = "SIM-"

// AuthorityKey identifies a submission permanently: however often it is submitted, the authority receives it once.
// A record that is submitted again after a rejection has a new attempt.
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

// RegistrationRead is a registration that an activity reads. Reader names the activity; its executions share the name.
type RegistrationRead struct {
	RegistrationID string
	Reader         string
}

// Whole reports whether all parts of the key are set.
func (k AuthorityKey) Whole() bool {
	return k.OrganizationID != "" && k.Kind != "" && k.RecordID != "" && k.Attempt > 0
}

// AuthoritySubmission is a submission to an authority.
type AuthoritySubmission struct {
	Key     AuthorityKey
	Test    bool // of a test organization: no real authority gets it
	Country string
	State   string
	Return  *TaxReturn // of a RETURN
	// Document is what the authority gets of a RETURN, byte for byte; nil if no file of it is known.
	Document *FilingDocument
	// Automatic means that the timer approved the RETURN, and no person.
	Automatic bool
	// Unsure means that an earlier call for the attempt was not answered: the authority may have the RETURN.
	Unsure bool
	// Notes are the notes of the record, for the staff who work for an adapter.
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

// AuthorityOutcome is the result of a submission.
type AuthorityOutcome string

// Outcomes.
const (
	AuthorityAccepted AuthorityOutcome = "ACCEPTED"
	AuthorityRejected AuthorityOutcome = "REJECTED"
	// AuthorityPending: received but not decided. Ask again after AuthorityAnswer.Again.
	AuthorityPending AuthorityOutcome = "PENDING"
	// AuthorityManual: no adapter exists. People submit the return and enter the confirmation.
	AuthorityManual AuthorityOutcome = "BY_HAND"
)

// PaymentRefused is the reason of an accepted return whose payment its authority refused: nothing is paid.
const PaymentRefused = "PAYMENT_REFUSED"

// PaymentNotTaken is the reason of an accepted return for which its authority debits no account: it is paid in another way.
const PaymentNotTaken = "PAYMENT_NOT_TAKEN"

// Unpaid reports whether the return was accepted and nothing was paid with it.
func (a *AuthorityAnswer) Unpaid() bool {
	return a.Reason == PaymentRefused || a.Reason == PaymentNotTaken
}

// AuthorityGrant is what an organization has granted to Levy at an authority: tokens of OAuth 2.0, which are secrets.
type AuthorityGrant struct {
	Access  string    `json:"access"`
	Refresh string    `json:"refresh,omitempty"`
	Expires time.Time `json:"expires"` // of the access token
	// Consented means that a person granted it, or has ended it: a sandbox does not grant anew without one.
	Consented bool `json:"consented,omitempty"`
}

// Names of the adapters of the Streamlined states: StreamlinedPrefix, the state, and StreamlinedLive for a real one. Answers are kept
// and asked for by name, so the sandbox of a state has another one.
const (
	StreamlinedPrefix = "streamlined-"
	StreamlinedLive   = "-live"
)

// StreamlinedAuthority returns the name of the adapter by which the returns of an organization reach a state, such as "MI".
func StreamlinedAuthority(state string, test bool) string {
	if test {
		return StreamlinedPrefix + state
	}
	return StreamlinedPrefix + state + StreamlinedLive
}

// ReturnOwner is the authority of a filing, and whether its organization is for tests.
type ReturnOwner struct {
	Country, State string
	Test           bool
}

// ManualAuthority is the adapter for manual submissions.
const ManualAuthority = "manual"

// AuthorityAnswer is the answer of an authority to a submission.
type AuthorityAnswer struct {
	Authority           string           `json:"authority"` // the adapter
	Outcome             AuthorityOutcome `json:"outcome"`
	Confirmation        string           `json:"confirmation,omitempty"`
	PaymentConfirmation string           `json:"payment_confirmation,omitempty"`
	Reason              string           `json:"reason,omitempty"`  // of a rejection, its code; at most 50 characters
	Message             string           `json:"message,omitempty"` // of a rejection, the text of the authority
	Again               time.Duration    `json:"again,omitempty"`   // of PENDING
}

// SandboxReceipt is the receipt of a submission by the simulated authority.
type SandboxReceipt struct {
	Key AuthorityKey
	// Digest of the content: a repetition has the same one, another return for an accepted period has not.
	Digest  string
	Answer  AuthorityAnswer // once it is decided
	Decides time.Duration   // the time from the first contact to the decision
	// Age is the time since the first contact, Contacts their number. The store of receipts sets both.
	Age      time.Duration
	Contacts int
	// HandedOut is how many acknowledgements of it were handed out.
	HandedOut int
}
