package models

import (
	"time"

	"levy/tax/money"
)

// ActorType says what kind of somebody did something.
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
	Name string // of the person or the key; empty where nobody said one
}

// FilingAction is what was done to a filing.
type FilingAction string

// Actions of the history of a filing. A submission is the one that is no transition.
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
)

// FilingTransitioned is the action of a transition that exists. from is empty for a filing that is made.
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

// FilingEvent is one line of the history of a filing.
type FilingEvent struct {
	At        time.Time
	From      FilingStatus // empty when it was made
	To        FilingStatus
	Action    FilingAction
	Actor     FilingActor
	Reason    string
	Attempt   int              // at filing it; 0 before the first
	Authority *FilingAuthority // what it said, or got
	Excluded  *FilingExclusion // of an approval that left something out
}

// FilingAuthority is what an authority said of an attempt. Empty parts were not said.
type FilingAuthority struct {
	Name           string // the adapter
	Code           string // of a rejection
	Message        string
	ConfirmationID string
}

// FilingExclusion is what an approval left out by decision.
type FilingExclusion struct {
	Transactions   int
	Amount         money.Total // in the currency of the filing, of those that have a rate
	TransactionIDs []string    // in their order
}

// UnresolvedTransactions are those of a period that cannot be processed and may belong to
// its return: what they would add is not known.
type UnresolvedTransactions struct {
	Transactions int
	// Amount is their net, credit notes negative, in the currency of the filing. One in
	// another currency without a reference rate is only counted.
	Amount money.Total
}
