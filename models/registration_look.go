package models

import (
	"time"

	"levy/tax"
)

// RegistrationAction is what the workflow of a registration does next.
type RegistrationAction string

// The actions.
const (
	RegistrationPrepares RegistrationAction = "PREPARE" // the default products are missing
	RegistrationProceeds RegistrationAction = "PROCEED" // UNREGISTERED becomes PROCESSING
	RegistrationSubmits  RegistrationAction = "SUBMIT"  // hands it over to the authority
	RegistrationSettles  RegistrationAction = "SETTLE"  // does what follows from the status
	RegistrationWaits    RegistrationAction = "WAIT"
	RegistrationCloses   RegistrationAction = "CLOSE" // DEREGISTERING becomes DEREGISTERED
	RegistrationEnds     RegistrationAction = "END"   // nothing is left to do
)

// What a registration waits for.
const (
	RegistrationWaitsForOnboarding    = "ONBOARDING"
	RegistrationWaitsForAuthority     = "AUTHORITY"
	RegistrationWaitsForConfirmation  = "CONFIRMATION" // that people enter
	RegistrationWaitsForClarification = "CLARIFICATION"
	RegistrationWaitsForLastDay       = "LAST_DAY"
	RegistrationWaitsForFilings       = "FILINGS"
)

// RegistrationRun is what a run remembers of a registration between two looks.
type RegistrationRun struct {
	// Settled: what follows from the status was done, and nothing has changed since.
	Settled bool `json:"settled,omitempty"`
	// Confirmed: the authority has confirmed the end.
	Confirmed bool `json:"confirmed,omitempty"`
	// Refused: the authority refused the end; people have to see to it.
	Refused bool `json:"refused,omitempty"`
	// ByHand is the attempt that people hand over; 0 for none.
	ByHand int `json:"by_hand,omitempty"`
}

// RegistrationFacts are what a look reads beside the registration.
type RegistrationFacts struct {
	Onboarded       bool // the onboarding of the organization is COMPLETED
	MissingProducts bool
	OpenFilings     int // that are not over
}

// RegistrationLook is how a registration goes on.
type RegistrationLook struct {
	Status      RegistrationStatus `json:"status"`
	Action      RegistrationAction `json:"action"`
	Waits       string             `json:"waits,omitempty"` // for what, or what the submission waits for
	Attempt     int                `json:"attempt,omitempty"`
	Kind        AuthorityKind      `json:"kind,omitempty"` // of what is handed over
	OpenFilings int                `json:"open_filings,omitempty"`
	Next        time.Duration      `json:"next,omitempty"` // until the next look; 0: when something changes
	Run         RegistrationRun    `json:"run,omitzero"`
}

// filingsPause is the time between two looks at filings that are to end.
const filingsPause = 6 * time.Hour

// Look decides how the registration goes on. What followed from it, or was refused,
// counts no more once it has changed.
func (r Registration) Look(facts RegistrationFacts, run RegistrationRun, now time.Time) RegistrationLook {
	if r.Changed {
		run.Settled, run.Refused = false, false
	}
	look := RegistrationLook{Run: run, Status: r.Status, Attempt: r.Attempt, Kind: r.SubmissionKind(), OpenFilings: facts.OpenFilings, Action: RegistrationWaits}
	switch {
	case facts.MissingProducts && !r.Status.Over():
		look.Action = RegistrationPrepares
	case r.Status == RegistrationUnregistered && facts.Onboarded:
		look.Action = RegistrationProceeds
	case r.Status == RegistrationUnregistered:
		look.Waits = RegistrationWaitsForOnboarding
	case r.Status == RegistrationClarification:
		look.Waits = RegistrationWaitsForClarification
	case r.Status == RegistrationProcessing || r.Status == RegistrationValidating:
		look.submits(run)
	case !run.Settled:
		look.Action = RegistrationSettles
	case r.Status == RegistrationDeregistering:
		r.lookAtEnd(&look, run, now)
	default:
		look.Action = RegistrationEnds
	}
	return look
}

func (l *RegistrationLook) submits(run RegistrationRun) {
	l.Action, l.Waits = RegistrationSubmits, RegistrationWaitsForAuthority
	if run.ByHand == l.Attempt {
		l.Action, l.Waits = RegistrationWaits, RegistrationWaitsForConfirmation
	}
}

// lookAtEnd decides how the end goes on: the authority confirms it, the last day
// passes, and the filings up to it come to their end.
func (r Registration) lookAtEnd(look *RegistrationLook, run RegistrationRun, now time.Time) {
	planned := tax.DateOf(*r.DeregistrationDate).AddDays(lastDayOver).Time()
	switch {
	case run.Refused:
		look.Waits = RegistrationWaitsForClarification
	case !run.Confirmed:
		look.submits(run)
	case now.Before(planned):
		look.Waits, look.Next = RegistrationWaitsForLastDay, planned.Sub(now)
	case look.OpenFilings > 0:
		look.Waits, look.Next = RegistrationWaitsForFilings, filingsPause
	default:
		look.Action = RegistrationCloses
	}
}

// lastDayOver is how many days after its last day a registration's last filing can be
// planned: that day has ended everywhere by then.
const lastDayOver = 2
