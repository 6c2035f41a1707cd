package models

import (
	"time"

	"levy/tax/calendar"
)

// Approve lets a filing be filed: its members are claimed. A repeat changes nothing.
// Errors: *TransitionError, *FilingPeriodOpenError, ErrFilingBlocked,
// *FilingNotReadyError, *FilingUnresolvedError. Whether the amount is the expected one is
// known when the members are claimed.
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
	// The claim looks once more: this spares it the work.
	if err := f.checkReady(a.ExcludeUnresolved); err != nil {
		return err
	}
	f.Status, f.Attempt, f.IssueReason = FilingFiling, f.Attempt+1, nil
	f.UnansweredSince, f.ManualSince = nil, nil
	f.ApprovedBy, f.ApprovedAt, f.AutoApproved = &a.By, &now, a.Auto
	return nil
}

// CheckPeriodOver refuses what needs the period to have ended. Errors:
// *FilingPeriodOpenError.
func (f Filing) CheckPeriodOver() error {
	if f.periodOpen() {
		return &FilingPeriodOpenError{AvailableAt: f.EndDate.AddDate(0, 0, 1)}
	}
	return nil
}

// checkReady refuses what needs every transaction of the period. Errors: *FilingNotReadyError, *FilingUnresolvedError.
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

// UnderWay reports whether an attempt to file it is the one that is with the authority.
func (f Filing) UnderWay(attempt int) bool { return f.Status == FilingFiling && f.Attempt == attempt }

// Retry hands a return that had an issue over once more, with the same members; if it
// has none, they are claimed now. Errors: *TransitionError; *FilingPeriodOpenError,
// *FilingNotReadyError and *FilingUnresolvedError while there is nothing to claim yet.
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

// Enter sets a status for which nothing else has to be done. What held in the one before
// and no longer does is cleared: the day on which a pause ends, and of a filing that waits
// again its approval and its issue. Whoever does so checks the status before.
func (f *Filing) Enter(to FilingStatus) {
	f.Status = to
	if to != FilingPaused {
		f.PausedUntilDate = nil
	}
	if to == FilingUnfiled {
		f.IssueReason, f.ApprovedBy, f.ApprovedAt, f.AutoApproved = nil, nil, nil, false
	}
}

// File notes that the return is filed. Confirmations that are empty leave what is
// there; a zero day is today. Whoever does so checks the status before.
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
