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
}

// filingsPause is the time between two looks at filings that are to end.
const filingsPause = 6 * time.Hour

// Look decides how the registration goes on, on a day.
func (r Registration) Look(facts RegistrationFacts, run RegistrationRun, now time.Time) RegistrationLook {
	look := RegistrationLook{Status: r.Status, Attempt: r.Attempt, Kind: r.SubmissionKind(), OpenFilings: facts.OpenFilings, Action: RegistrationWaits}
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

// lookAtEnd decides how the end goes on: the authority confirms it, the last period
// comes to its end, and its filings do.
func (r Registration) lookAtEnd(look *RegistrationLook, run RegistrationRun, now time.Time) {
	last := r.LastDay()
	switch {
	case run.Refused:
		look.Waits = RegistrationWaitsForClarification
	case !run.Confirmed:
		look.submits(run)
	case tax.DateOf(now.UTC()) <= last:
		look.Waits, look.Next = RegistrationWaitsForLastDay, last.AddDays(1).Time().Sub(now)
	case look.OpenFilings > 0:
		look.Waits, look.Next = RegistrationWaitsForFilings, filingsPause
	default:
		look.Action = RegistrationCloses
	}
}

// LastDay is the end of the period that the last day of a registration lies in:
// until then its filings cannot all be over. Zero for one that goes on.
func (r Registration) LastDay() tax.Date {
	if r.DeregistrationDate == nil {
		return 0
	}
	day := tax.DateOf(*r.DeregistrationDate)
	frequency, _ := r.FrequencyOn(day)
	if period, ok := frequency.PeriodOn(day, r.FiscalYearEnd); ok && !r.DoNotFile {
		return period.End
	}
	return day
}
