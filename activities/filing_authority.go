package activities

import (
	"cmp"
	"context"
	"errors"
	"time"

	"levy/internal/failpoint"
	"levy/models"
)

// SubmitInput names one attempt at a filing.
type SubmitInput struct {
	FilingInput
	Attempt int `json:"attempt"`
}

// AskInput asks the adapter that took a submission.
type AskInput struct {
	SubmitInput
	Authority string `json:"authority"`
}

// SettleInput is what an authority decided.
type SettleInput struct {
	SubmitInput
	Answer models.AuthorityAnswer `json:"answer"`
}

// SubmitReturn hands the return to its authority, which receives an attempt once,
// however often it is handed over.
func (f *Filing) SubmitReturn(ctx context.Context, in SubmitInput) (answer models.AuthorityAnswer, err error) {
	err = f.ask(ctx, in, func(ctx context.Context) error {
		submission, err := f.store.SubmissionOfFiling(ctx, in.scope(), in.attempt())
		if err != nil {
			return err
		}
		answer, err = f.authorities.Submit(ctx, submission)
		if err = heard(ctx, err, f.noting(ctx, in)); err != nil {
			return err
		}
		if answer.Outcome == models.AuthorityManual { // people hand it over later, and say so themselves
			err = f.store.NoteManualFiling(ctx, in.scope(), in.attempt())
		} else {
			err = f.store.NoteSubmission(ctx, in.scope(), in.attempt(), answer.Authority)
		}
		if err != nil {
			return err
		}
		return failpoint.Hit("after_submission")
	})
	return answer, err
}

// AskAuthority asks what became of a return that the authority has received. While
// that is open it fails with ErrTypePending and is retried when the authority says
// so: that costs no history, however long it takes.
func (f *Filing) AskAuthority(ctx context.Context, in AskInput) (answer models.AuthorityAnswer, err error) {
	err = f.ask(ctx, in.SubmitInput, func(ctx context.Context) error {
		answer, err = decided(ctx, f.authorities, in.Authority, in.key())
		return heard(ctx, err, f.noting(ctx, in.SubmitInput))
	})
	return answer, err
}

// SettleFiling writes what the authority decided.
func (f *Filing) SettleFiling(ctx context.Context, in SettleInput) error {
	return f.do(ctx, in.FilingInput, func(ctx context.Context) error {
		return f.store.SettleFiling(ctx, in.scope(), in.attempt(), in.Answer, in.Now)
	})
}

// noting notes whether the authority has answered.
func (f *Filing) noting(ctx context.Context, in SubmitInput) func(answered bool) error {
	return func(answered bool) error { return f.store.NoteFilingContact(ctx, in.scope(), in.attempt(), answered) }
}

func (in SubmitInput) attempt() models.Attempt {
	return models.Attempt{RecordID: in.FilingID, Number: in.Attempt}
}

func (in SubmitInput) key() models.AuthorityKey {
	return models.AuthorityKey{
		OrganizationID: in.OrganizationID, Kind: models.AuthorityReturn, RecordID: in.FilingID,
		Attempt: in.Attempt,
	}
}

// decided is what an authority has decided about a submission that one of its adapters took. Errors: *pendingError while
// that is open.
func decided(
	ctx context.Context, authorities Authorities, adapter string, key models.AuthorityKey,
) (models.AuthorityAnswer, error) {
	answer, err := authorities.Check(ctx, adapter, key)
	if err == nil && answer.Outcome == models.AuthorityPending {
		return answer, &pendingError{again: answer.Again}
	}
	return answer, err
}

// heard is how a call of an authority ended, and notes on the record whether it was answered. A defect and an outage of
// our own say neither.
func heard(ctx context.Context, err error, note func(answered bool) error) error {
	var noted error
	_, lost := errors.AsType[*models.UnansweredError](err)
	switch {
	case ctx.Err() != nil: // the process ends: the result is unknown
	case lost || notCalled(err):
		noted = note(false)
	case err == nil || undecided(err) || errors.Is(err, models.ErrNotFound):
		noted = note(true)
	}
	return cmp.Or(noted, err) // a failed record is repeated, although the authority may need time
}

// pendingError says that the authority has not decided yet.
type pendingError struct{ again time.Duration }

func (*pendingError) Error() string { return "the authority has not decided yet" }

// askAgain is when an authority that gives no time is asked again. It is long, because people there decide no sooner
// for frequent questions.
const askAgain = time.Hour

// pause is the time until the authority is asked again. It is always given, because the retry
// policy of the activity is for outages and repeats it every minute.
func (e *pendingError) pause() time.Duration {
	if e.again <= 0 {
		return askAgain
	}
	return e.again
}

func undecided(err error) bool {
	_, pending := errors.AsType[*pendingError](err)
	return pending
}

// notCalled reports whether an authority was not called because another call has just found it down.
func notCalled(err error) bool {
	_, down := errors.AsType[*models.AuthorityDownError](err)
	return down
}

// ask talks to an authority: an outage is waited for, a defect is given up after
// MaxDefects.
func (f *Filing) ask(ctx context.Context, in SubmitInput, work func(context.Context) error) error {
	if !in.key().Whole() {
		return invalidInput("no attempt at a filing given")
	}
	names := append(in.names(), "submission", in.Attempt)
	return onRecord(ctx, f.log, record{of: ofFiling, givesUp: true, names: names}, work)
}
