package rules

import (
	"time"

	"levy/models"
	"levy/tax/calendar"
)

// RegistrationAction is the next action of the workflow of a registration.
type RegistrationAction string

// The actions.
const (
	RegistrationPrepares RegistrationAction = "PREPARE" // the default products are missing
	RegistrationProceeds RegistrationAction = "PROCEED" // UNREGISTERED becomes PROCESSING
	RegistrationSubmits  RegistrationAction = "SUBMIT"  // hands it over to the authority
	RegistrationSettles  RegistrationAction = "SETTLE"  // applies the effects of the status
	RegistrationWaits    RegistrationAction = "WAIT"
	RegistrationCloses   RegistrationAction = "CLOSE" // DEREGISTERING becomes DEREGISTERED
	RegistrationEnds     RegistrationAction = "END"   // nothing is left to do
)

// Conditions that a registration waits for.
const (
	RegistrationWaitsForOnboarding    = "ONBOARDING"
	RegistrationWaitsForAuthority     = "AUTHORITY"
	RegistrationWaitsForConfirmation  = "CONFIRMATION" // that people enter
	RegistrationWaitsForClarification = "CLARIFICATION"
	RegistrationWaitsForLastDay       = "LAST_DAY"
	RegistrationWaitsForFilings       = "FILINGS"
)

// RegistrationRun is the memory of a run between two refreshes.
type RegistrationRun struct {
	// Settled: the effects of the status were applied, and nothing has changed since.
	Settled bool `json:"settled,omitempty"`
	// Confirmed: the authority has confirmed the end.
	Confirmed bool `json:"confirmed,omitempty"`
	// Refused: the authority refused the end; people have to see to it.
	Refused bool `json:"refused,omitempty"`
	// Manual is the attempt that people hand over; 0 for none.
	Manual int `json:"by_hand,omitempty"`
}

// RegistrationSnapshot is the next step of a registration. Its JSON has every field, also an empty one, because a run
// decodes it over the snapshot before.
type RegistrationSnapshot struct {
	Status      models.RegistrationStatus `json:"status"`
	Action      RegistrationAction        `json:"action"`
	Waits       string                    `json:"waits"` // for what, or what the submission waits for
	Attempt     int                       `json:"attempt"`
	Kind        models.AuthorityKind      `json:"kind"` // of what is handed over
	OpenFilings int                       `json:"open_filings"`
	Next        time.Duration             `json:"next"` // until it is refreshed; 0: when something changes
	Run         RegistrationRun           `json:"run,omitzero"`
}

// openFilingsRecheck is the time between two refreshes while filings are to end.
const openFilingsRecheck = 6 * time.Hour

// NextRegistrationAction decides what the workflow of a registration does next. A changed record discards that its
// effects were applied, and that its end was refused.
func NextRegistrationAction(
	r models.Registration, facts models.RegistrationFacts, run RegistrationRun, now time.Time,
) RegistrationSnapshot {
	if r.Changed {
		run.Settled, run.Refused = false, false
	}
	next := RegistrationSnapshot{
		Run: run, Status: r.Status, Attempt: r.Attempt, Kind: r.SubmissionKind(), OpenFilings: facts.OpenFilings,
		Action: RegistrationWaits,
	}
	switch {
	case facts.MissingProducts && !r.Status.Over():
		next.Action = RegistrationPrepares
	case r.Status == models.RegistrationUnregistered && facts.Onboarded:
		next.Action = RegistrationProceeds
	case r.Status == models.RegistrationUnregistered:
		next.Waits = RegistrationWaitsForOnboarding
	case r.Status == models.RegistrationClarification:
		next.Waits = RegistrationWaitsForClarification
	case r.Status == models.RegistrationProcessing || r.Status == models.RegistrationValidating:
		next.submit(run)
	case !run.Settled:
		next.Action = RegistrationSettles
	case r.Status == models.RegistrationDeregistering:
		endRegistration(r, &next, run, now)
	default:
		next.Action = RegistrationEnds
	}
	return next
}

// submit hands the attempt over, unless people do.
func (s *RegistrationSnapshot) submit(run RegistrationRun) {
	s.Action, s.Waits = RegistrationSubmits, RegistrationWaitsForAuthority
	if run.Manual == s.Attempt {
		s.Action, s.Waits = RegistrationWaits, RegistrationWaitsForConfirmation
	}
}

// endRegistration decides the next step of a deregistration. The authority confirms it, the last day passes, and the
// filings up to it end.
func endRegistration(r models.Registration, next *RegistrationSnapshot, run RegistrationRun, now time.Time) {
	planned := calendar.DateOf(*r.DeregistrationDate).AddDays(lastDayOver).Time()
	switch {
	case run.Refused:
		next.Waits = RegistrationWaitsForClarification
	case !run.Confirmed:
		next.submit(run)
	case now.Before(planned):
		next.Waits, next.Next = RegistrationWaitsForLastDay, planned.Sub(now)
	case next.OpenFilings > 0:
		next.Waits, next.Next = RegistrationWaitsForFilings, openFilingsRecheck
	default:
		next.Action = RegistrationCloses
	}
}

// lastDayOver is the number of days after the last day of a registration until its last filing can be planned. By then,
// that day has ended everywhere.
const lastDayOver = 2
