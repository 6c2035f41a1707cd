package models

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"levy/tax/money"
)

// FilingNotReadyError refuses to approve a filing whose transactions are not all ready. They are in processing, wait for
// a reference rate, or may be recalculated by a changed obligation. It has all known reasons.
type FilingNotReadyError struct {
	Pending            int // transactions in processing
	Unresolved         int // transactions that cannot be processed and that no person has excluded
	WaitsForRate       bool
	WaitsForObligation bool
}

func (e *FilingNotReadyError) Error() string {
	var why []string
	say := func(when bool, sentence string) {
		if when {
			why = append(why, sentence)
		}
	}
	say(e.Pending == 1, "One transaction of the period is still being processed.")
	say(e.Pending > 1, fmt.Sprintf("%d transactions of the period are still being processed.", e.Pending))
	say(e.WaitsForRate, "Transactions in other currencies wait for the euro reference rate of the last day of the period, "+
		"or of the next day that has one.")
	say(e.WaitsForObligation, "What obliges you to collect there has just changed, such as a registration or a presence: "+
		"which transactions of the period it concerns is being decided. That ends by itself.")
	say(e.Unresolved == 1, "One transaction of the period cannot be processed until it is corrected.")
	say(e.Unresolved > 1, fmt.Sprintf("%d transactions of the period cannot be processed until they are corrected.",
		e.Unresolved))
	return strings.Join(why, " ")
}

// FilingUnresolvedError refuses to approve a filing while transactions that may belong to it cannot be processed and no
// person has excluded them.
type FilingUnresolvedError struct{ UnresolvedTransactions }

func (e *FilingUnresolvedError) Error() string {
	return fmt.Sprintf("%d transactions of the period, %s in all, cannot be processed", e.Transactions, e.Amount.String())
}

// FilingDocumentError means that a filing has no file for its authority. Findings are the codes of those that say why; none
// where the authority takes no file.
type FilingDocumentError struct {
	Said     string
	Findings []string
}

func (e *FilingDocumentError) Error() string { return e.Said }

// FilingAmountError refuses to approve a filing whose amount is not the expected one.
type FilingAmountError struct{ Expected, Amount money.Total }

func (e *FilingAmountError) Error() string {
	return fmt.Sprintf("the amount is %s, not %s", e.Amount.String(), e.Expected.String())
}

// FilingPeriodOpenError refuses to approve a filing before its period has ended.
type FilingPeriodOpenError struct{ AvailableAt time.Time }

func (e *FilingPeriodOpenError) Error() string {
	return "period is open until " + e.AvailableAt.Format(time.RFC3339)
}

// FilingLiabilityError refuses to skip a filing for which tax is owed.
type FilingLiabilityError struct{ Liability money.Total }

func (e *FilingLiabilityError) Error() string { return "filing has a tax liability" }

// RegistrationNotActiveError refuses a filing of a registration that has ended.
type RegistrationNotActiveError struct{ CurrentStatus RegistrationStatus }

func (e *RegistrationNotActiveError) Error() string {
	return fmt.Sprintf("registration is %s", e.CurrentStatus)
}

// FilingImmutableError refuses to change fields that are fixed in the current status.
type FilingImmutableError struct{ Fields []string } // the fields that would change

func (e *FilingImmutableError) Error() string { return "filing cannot change any more" }

// ErrSecondPersonNeeded refuses a decision about a filing by an actor who is no second person, if the organization
// requires one.
var ErrSecondPersonNeeded = errors.New("another person has to decide about the filing")

// SecondPersonAfter is how long a user may not decide about the work of the person who gave that user access.
const SecondPersonAfter = 7 * 24 * time.Hour

// AccessSource names the maker of a key, or the actor who gave a user access within SecondPersonAfter. Access is an
// invitation, a link, or the reset of a second factor.
type AccessSource struct {
	To string // the id of the user or the key
	By Actor
}

// SecondPersonReason is why an actor is no second person.
type SecondPersonReason string

// Why an actor is no second person.
const (
	SecondPersonIsKey   SecondPersonReason = "KEY"   // a key does not prove which person uses it
	SecondPersonIsMaker SecondPersonReason = "MAKER" // the actor made what the filing rests on
	SecondPersonIsTwin  SecondPersonReason = "TWIN"  // the actor has access from the maker, or from the same person

	SecondPersonIsAdminsTwin SecondPersonReason = "ADMINS_TWIN" // as a twin of the admin who asked to end the setting
)

// SecondPersonError is ErrSecondPersonNeeded with its reason.
type SecondPersonError struct{ Reason SecondPersonReason }

func (e *SecondPersonError) Error() string {
	switch e.Reason {
	case SecondPersonIsKey:
		return "Two people have to see this filing, and a key does not prove who uses it: a person has to sign in and decide."
	case SecondPersonIsTwin:
		return "Within the last 7 days you got your access from the person who made what this filing rests on, or gave it to " +
			"that person, or the same admin gave it to both of you: another person has to decide."
	case SecondPersonIsAdminsTwin:
		return "Within the last 7 days you got your access from the admin who asked to end the second person, or gave it to " +
			"that admin, or another admin gave it to both of you: another admin has to end it, or the operator."
	case SecondPersonIsMaker:
	}
	return "You made what this filing rests on, such as the filing, its registration or sales of its period: another " +
		"person has to decide."
}

// Is makes the error one of ErrSecondPersonNeeded.
func (*SecondPersonError) Is(target error) bool { return target == ErrSecondPersonNeeded }

// ErrFilingBlocked refuses the approval of a filing that is blocked.
var ErrFilingBlocked = errors.New("approval of the filing is blocked")

// IsFilingRefusal reports whether an error refuses a change because of the state of the filing: nothing was written.
func IsFilingRefusal(err error) bool {
	var notReady *FilingNotReadyError
	var open *FilingPeriodOpenError
	var liability *FilingLiabilityError
	var immutable *FilingImmutableError
	var unresolved *FilingUnresolvedError
	var amount *FilingAmountError
	return errors.As(err, &unresolved) || errors.As(err, &amount) || errors.As(err, &notReady) ||
		errors.As(err, &open) || errors.As(err, &liability) || errors.As(err, &immutable) ||
		errors.Is(err, ErrFilingBlocked) || errors.Is(err, ErrSecondPersonNeeded)
}
