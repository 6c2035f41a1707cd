package models

import (
	"strings"
	"time"

	"levy/tax/calendar"
)

// Approve sets a filing to FILING: its lines are claimed. A repetition changes nothing. Errors: *TransitionError,
// *FilingPeriodOpenError, ErrFilingBlocked, *FilingNotReadyError, *FilingUnresolvedError, *FilingDocumentError. The claim
// checks the expected amount.
func (f *Filing) Approve(a FilingApproval, now time.Time) error {
	a.ExcludeUnresolved = a.ExcludeUnresolved && !a.Auto
	f.Approval = &a
	if f.Status == FilingFiling {
		return nil
	}
	if f.Status != FilingUnfiled {
		return FilingTransitions.Refuse(string(f.Status), string(FilingFiling))
	}
	if err := f.CheckPeriodOver(); err != nil {
		return err
	}
	if f.BlockApproval {
		return ErrFilingBlocked
	}
	// The claim checks again. This check spares it the work.
	if err := f.checkReady(a.ExcludeUnresolved); err != nil {
		return err
	}
	// guard: filing: a return that an adapter cannot send is not approved
	if len(f.ReturnRefusals) > 0 {
		return &FilingDocumentError{
			Said:     "Levy sends this return to its authority, and has no document of it: " + strings.Join(f.ReturnRefusals, ", ") + ".",
			Findings: f.ReturnRefusals,
		}
	}
	f.Status, f.Attempt, f.IssueReason = FilingFiling, f.Attempt+1, nil
	f.UnansweredSince, f.ManualSince = nil, nil
	f.ApprovedBy, f.ApprovedAt, f.AutoApproved = &a.By, &now, a.Auto
	return nil
}

// CheckPeriodOver returns an error if the period has not ended. Errors: *FilingPeriodOpenError.
func (f Filing) CheckPeriodOver() error {
	if f.periodOpen() {
		return &FilingPeriodOpenError{AvailableAt: OverEverywhere(calendar.DateOf(f.EndDate))}
	}
	return nil
}

// checkReady returns an error if a transaction of the period is missing. Errors: *FilingNotReadyError,
// *FilingUnresolvedError.
func (f Filing) checkReady(excludeUnresolved bool) error {
	unresolved := f.Unresolved
	if excludeUnresolved {
		unresolved = UnresolvedTransactions{}
	}
	switch {
	case f.Pending > 0:
		return &FilingNotReadyError{Pending: f.Pending, Unresolved: unresolved.Transactions}
	case unresolved.Transactions > 0:
		return &FilingUnresolvedError{unresolved}
	}
	return nil
}

// UnderWay reports whether the attempt is the current one at the authority.
func (f Filing) UnderWay(attempt int) bool { return f.Status == FilingFiling && f.Attempt == attempt }

// Retry submits a return with an issue again, with the same lines. Without any, they are claimed now. Errors:
// *TransitionError; *FilingPeriodOpenError, *FilingNotReadyError and *FilingUnresolvedError if they cannot be claimed
// yet.
func (f *Filing) Retry() error {
	if f.Status != FilingIssue {
		return FilingTransitions.Refuse(string(f.Status), string(FilingFiling))
	}
	if f.ClaimedAt == nil {
		if err := f.CheckPeriodOver(); err != nil {
			return err
		}
		if err := f.checkReady(false); err != nil {
			return err
		}
	}
	f.Status, f.Attempt, f.IssueReason = FilingFiling, f.Attempt+1, nil
	f.UnansweredSince, f.ManualSince = nil, nil
	return nil
}

// Enter sets a status without further effects. It clears fields that no longer apply: the end of a pause,
// and for a filing that waits again its approval and its issue. The caller has checked the transition.
func (f *Filing) Enter(to FilingStatus) {
	f.Status = to
	if to != FilingPaused {
		f.PausedUntilDate = nil
	}
	if to == FilingUnfiled {
		f.IssueReason, f.ApprovedBy, f.ApprovedAt, f.AutoApproved = nil, nil, nil, false
	}
}

// File marks the return as filed. Empty confirmations leave the stored ones; a zero day is today. The caller has
// checked the transition.
func (f *Filing) File(returnConfirmation, paymentConfirmation string, on calendar.Date, manual bool, now time.Time) {
	if on.IsZero() {
		on = f.Today
	}
	filed := on.Time()
	f.Status, f.DateFiled, f.FiledAt, f.IsManual = FilingFiled, &filed, &now, &manual
	if returnConfirmation != "" {
		f.ReturnConfirmationID = &returnConfirmation
	}
	if paymentConfirmation != "" {
		f.PaymentConfirmationID = &paymentConfirmation
	}
}
