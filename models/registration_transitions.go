package models

import (
	"slices"
	"time"

	"levy/tax/calendar"
)

// Transition changes the status of the registration for a client. It refuses statuses that only the workflow,
// or another call, can set. Errors: *TransitionError.
func (r *Registration) Transition(to RegistrationStatus, now time.Time) error {
	if to == r.Status {
		return nil
	}
	if allowed := r.transitionsOfClients(); !slices.Contains(allowed, string(to)) {
		return &TransitionError{From: string(r.Status), To: string(to), Allowed: allowed}
	}
	r.Enter(to, now)
	return nil
}

// transitionsOfClients returns the statuses that a change of the record can set.
func (r *Registration) transitionsOfClients() []string {
	return slices.DeleteFunc(RegistrationTransitions.After(string(r.Status)), func(s string) bool {
		return s == string(RegistrationValidating) || s == string(RegistrationDeregistering)
	})
}

// Enter sets the status and the fields that depend on it. It does not check the transition: the database does.
func (r *Registration) Enter(to RegistrationStatus, now time.Time) {
	r.Status = to
	r.Clarification = nil
	switch to {
	case RegistrationRegistered:
		r.KeepDate(now)
		setOnce(&r.RegistrationCompleted, now)
	case RegistrationProcessing:
		r.nextAttempt()
	case RegistrationDeregistering:
		r.nextAttempt()
		setOnce(&r.DeregistrationRequested, now)
	case RegistrationDeregistered:
		setOnce(&r.DeregistrationCompleted, now)
	case RegistrationUnregistered, RegistrationValidating, RegistrationClarification, RegistrationCancelled:
	}
}

// nextAttempt begins a new attempt, which no authority knows yet.
func (r *Registration) nextAttempt() {
	r.Attempt++
	r.Authority, r.UnansweredSince = nil, nil
}

// Unanswered returns since when the authority of the registration does not answer; nil if it does.
func (r Registration) Unanswered() *time.Time {
	if r.SubmissionKind() == "" {
		return nil
	}
	return r.UnansweredSince
}

// Manual reports whether people have to submit the registration, or its end, and enter the confirmation.
func (r Registration) Manual() bool {
	return r.SubmissionKind() != "" && textOf(r.Authority) == ManualAuthority
}

// KeepDate sets today as the registration date, unless there is one.
func (r *Registration) KeepDate(now time.Time) {
	setOnce(&r.RegistrationDate, calendar.DateOf(now.UTC()).Time())
}

func setOnce(at **time.Time, value time.Time) {
	if *at == nil {
		*at = &value
	}
}

// Deregister begins the end of a REGISTERED registration, with its last day. Errors: *TransitionError.
func (r *Registration) Deregister(last time.Time, reason *string, now time.Time) error {
	if r.Status != RegistrationRegistered {
		return &TransitionError{
			From: string(r.Status), To: string(RegistrationDeregistering), Allowed: r.transitionsOfClients(),
		}
	}
	r.Enter(RegistrationDeregistering, now)
	r.DeregistrationDate, r.DeregistrationReason = &last, reason
	return nil
}

// Mark sets whether the organization collects tax there.
func (r *Registration) Mark(collecting bool, now time.Time) {
	switch {
	case !collecting:
		r.MarkedCollectingDate = nil
	case !r.MarkedCollecting:
		r.MarkedCollectingDate = &now
	}
	r.MarkedCollecting = collecting
}

// SubmissionKind returns the type of the current submission to the authority; "" for none.
func (r Registration) SubmissionKind() AuthorityKind {
	switch r.Status {
	case RegistrationProcessing, RegistrationValidating:
		return AuthorityRegistration
	case RegistrationDeregistering:
		return AuthorityDeregistration
	case RegistrationUnregistered, RegistrationClarification, RegistrationRegistered, RegistrationDeregistered,
		RegistrationCancelled:
	}
	return ""
}

// HandOver records the adapter that took the current attempt.
func (r *Registration) HandOver(authority string, now time.Time) {
	if r.Status == RegistrationProcessing {
		r.Enter(RegistrationValidating, now)
		setOnce(&r.RegistrationRequested, now)
	}
	r.Authority = &authority
}

// SameStatusAs reports whether the registration has the same status, authority and clarification as before.
func (r Registration) SameStatusAs(before Registration) bool {
	return r.Status == before.Status && textOf(r.Authority) == textOf(before.Authority) &&
		textOf(r.Clarification) == textOf(before.Clarification)
}

// Decide applies the decision of the authority about the current attempt. A confirmed end of a registration changes
// nothing yet: its filings must end, too.
func (r *Registration) Decide(answer AuthorityAnswer, now time.Time) {
	ending := r.Status == RegistrationDeregistering
	switch {
	case answer.Outcome == AuthorityRejected:
		if !ending {
			r.Enter(RegistrationClarification, now)
		}
		r.Clarification = &answer.Reason
	case answer.Outcome == AuthorityAccepted && !ending:
		r.Enter(RegistrationRegistered, now)
		r.AuthorityReference = &answer.Confirmation
		if r.SalesTaxID == nil && answer.Confirmation != "" {
			r.SalesTaxID = &answer.Confirmation
		}
	}
}
