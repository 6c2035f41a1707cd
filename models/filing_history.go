package models

import (
	"time"

	"levy/tax/money"
)

// ActorType is the type of an actor.
type ActorType string

// Kinds of actors.
const (
	ActorAPIKey ActorType = "API_KEY"
	ActorUser   ActorType = "USER"   // a person with a session
	ActorStaff  ActorType = "STAFF"  // from the Temporal UI
	ActorSystem ActorType = "SYSTEM" // Levy itself: a timer, a plan, an answer of the authority
)

// FilingActor is the actor of a change of a filing.
type FilingActor struct {
	Type ActorType
	ID   string // of the API key or the person; empty for others
	Name string // of the person or the key; "" if it is unknown
}

// FilingAction is an action on a filing.
type FilingAction string

// Actions in the history of a filing. All are transitions except the submission, the entries, the recorded payments and
// the end of the second person.
const (
	FilingWasCreated   FilingAction = "CREATED"
	FilingWasApproved  FilingAction = "APPROVED"
	FilingWasSubmitted FilingAction = "SUBMITTED"
	FilingWasFiled     FilingAction = "FILED"
	FilingWasRejected  FilingAction = "REJECTED"
	FilingWasRetried   FilingAction = "RETRIED"
	FilingWasPaused    FilingAction = "PAUSED"
	FilingWasResumed   FilingAction = "RESUMED"
	FilingWasReleased  FilingAction = "RELEASED" // after an issue: its transactions are free again
	FilingWasSkipped   FilingAction = "SKIPPED"
	FilingWasCancelled FilingAction = "CANCELLED"

	FilingEntryAdded   FilingAction = "ENTRY_ADDED"
	FilingEntryDeleted FilingAction = "ENTRY_DELETED"

	FilingPaymentRecorded FilingAction = "PAYMENT_RECORDED"
	FilingPaymentDeleted  FilingAction = "PAYMENT_DELETED"

	FilingSecondPersonEnded FilingAction = "SECOND_PERSON_ENDED" // by two admins: one person may do both from then on
)

// FilingTransitioned returns the action of an existing transition. from is "" for a new filing.
func FilingTransitioned(from, to FilingStatus) FilingAction {
	if from == "" {
		return FilingWasCreated
	}
	switch to {
	case FilingFiling:
		if from == FilingIssue {
			return FilingWasRetried
		}
		return FilingWasApproved
	case FilingUnfiled:
		if from == FilingIssue {
			return FilingWasReleased
		}
		return FilingWasResumed
	case FilingIssue:
		return FilingWasRejected
	case FilingFiled, FilingPaused, FilingSkipped, FilingCancelled:
	}
	return FilingAction(to)
}

// FilingEvent is an entry of the history of a filing.
type FilingEvent struct {
	At        time.Time
	From      FilingStatus // "" for a new filing
	To        FilingStatus
	Action    FilingAction
	Actor     FilingActor
	Reason    string
	Attempt   int              // the attempt to file it; 0 before the first
	Authority *FilingAuthority // the authority with its answer
	Excluded  *FilingExclusion // of an approval with excluded transactions
	// Attestation is the statement that the approver signed; "" for none.
	Attestation string
}

// FilingAuthority is the answer of an authority about an attempt. Missing parts are empty.
type FilingAuthority struct {
	Name           string // the adapter
	Code           string // of a rejection
	Message        string
	ConfirmationID string
}

// FilingExclusion are the transactions that an approval excluded.
type FilingExclusion struct {
	Transactions   int
	Amount         money.Total // in the currency of the filing, of those that have a rate
	TransactionIDs []string    // in their order
}

// UnresolvedTransactions are the transactions of a period that cannot be processed and may belong to its return.
// Their effect on it is unknown.
type UnresolvedTransactions struct {
	Transactions int
	// Amount is their net amount, credit notes negative, in the currency of the filing. A transaction in another currency
	// without a reference rate is only counted.
	Amount money.Total
}
