package rules

import (
	"errors"
	"time"

	"levy/models"
	"levy/tax/calendar"
)

// The steps of the workflow of a filing, and of staff. Each gets the filing under its lock: what the workflow read may
// have changed since.

// ErrFilingStays is the error of a step for which nothing is left to do: it was done, or another step came first.
var ErrFilingStays = errors.New("filing stays as it is")

// AutoApproveFiling approves a filing whose time for the automatic approval has come. w are its facts as they are now.
// Errors: ErrFilingStays when it is approved; models.ErrChangedMeanwhile when the organization does not want it any
// more; those of models.Filing.Approve.
func AutoApproveFiling(f *models.Filing, w models.FilingFacts, now time.Time, policy FilingPolicy) error {
	if f.Status == models.FilingFiling {
		return ErrFilingStays
	}
	// guard: filing: an organization that changed its mind has its return not approved
	if NextFilingAction(w, now, policy).Action != FilingApproves {
		return models.ErrChangedMeanwhile
	}
	return f.Approve(models.FilingApproval{By: models.ApprovedByTimer, Auto: true}, now)
}

// ApplyAuthorityAnswer makes of a filing what the authority decided about an attempt: FILED with its confirmations, or
// ISSUE with its reason. Errors: ErrFilingStays when the attempt is over.
func ApplyAuthorityAnswer(f *models.Filing, attempt int, answer models.AuthorityAnswer, now time.Time) error {
	// guard: filing: an answer to an attempt that is over changes nothing
	if !f.UnderWay(attempt) {
		return ErrFilingStays
	}
	f.Answer = &answer
	if answer.Outcome == models.AuthorityAccepted {
		day := DayOfAuthority(f.CountryCode, f.StateCode, now) // it decides about discounts
		f.File(answer.Confirmation, answer.PaymentConfirmation, day, false, now)
		return nil
	}
	f.Status, f.IssueReason = models.FilingIssue, &answer.Reason
	return nil
}

// ResumeFiling ends a pause whose day has come. Errors: ErrFilingStays when it has not, or there is no pause.
func ResumeFiling(f *models.Filing, now time.Time) error {
	if f.Status != models.FilingPaused || f.PausedUntilDate == nil ||
		calendar.DateOf(*f.PausedUntilDate) > calendar.DateOf(now.UTC()) {
		return ErrFilingStays
	}
	f.Enter(models.FilingUnfiled)
	return nil
}

// TransitionFiling changes the status as staff ask for it. Staff cannot decide for the authority. Errors:
// *models.TransitionError; those of models.Filing.Approve and Retry.
func TransitionFiling(f *models.Filing, change models.FilingTransition, now time.Time) error {
	if err := models.FilingTransitions.Check(string(f.Status), string(change.To)); err != nil {
		return err
	}
	switch change.To {
	case models.FilingFiling:
		if f.Status == models.FilingIssue {
			return f.Retry()
		}
		expected, err := change.ExpectedAmount()
		if err != nil {
			return err // the workflow has read it
		}
		approval := models.FilingApproval{By: change.By, ExcludeUnresolved: change.ExcludeUnresolved, Expected: expected}
		return f.Approve(approval, now)
	case models.FilingPaused:
		if change.Until != 0 {
			until := change.Until.Time()
			f.PausedUntilDate = &until
		}
	case models.FilingUnfiled:
	case models.FilingSkipped:
		f.SkipReason = &change.Reason
	case models.FilingCancelled:
		f.CancelledReason = &change.Reason
	case models.FilingFiled, models.FilingIssue:
		return models.FilingTransitions.Refuse(string(f.Status), string(change.To))
	}
	f.Enter(change.To)
	return nil
}

// CancelLaterFiling cancels a filing that its registration, as it is now, does not need any more. The one that takes
// its place waits for people too, if this one did.
func CancelLaterFiling(f *models.Filing, reason string) {
	if f.Status == models.FilingCancelled {
		return
	}
	// guard: filing: what takes the place of one that waited for people waits for them
	f.BlockApproval = f.BlockApproval || f.Status == models.FilingPaused || f.Entered()
	f.Enter(models.FilingCancelled)
	f.CancelledReason = &reason
}

// CancelEmptyAmendment cancels an amendment for which nothing is left. Errors: models.ErrChangedMeanwhile if people
// asked for it or have entered amounts, if a transaction of its period is in processing, or if it is over.
func CancelEmptyAmendment(f *models.Filing) error {
	// guard: filing: an amendment in which people entered amounts stays
	if !f.Status.Live() || f.OnDemand || f.Entered() || f.Pending > 0 {
		return models.ErrChangedMeanwhile
	}
	reason := models.NothingToAmend
	f.Enter(models.FilingCancelled)
	f.CancelledReason = &reason
	return nil
}
