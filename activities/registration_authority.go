package activities

import (
	"context"

	"levy/models"
)

// DecisionInput is what the authority decided.
type DecisionInput struct {
	RegistrationInput
	Answer models.AuthorityAnswer `json:"answer"`
}

// QuestionInput asks the adapter that took a submission.
type QuestionInput struct {
	RegistrationInput
	Kind      models.AuthorityKind `json:"kind"`
	Authority string               `json:"authority"`
}

func (in RegistrationInput) attempt() models.Attempt {
	return models.Attempt{RecordID: in.RegistrationID, Number: in.Attempt}
}

// SubmitRegistration submits a registration, or its end, to the authority and records the adapter. The authority
// receives an attempt once, however often it is submitted. Errors: ChangedMeanwhile if that attempt is over.
func (r *Registration) SubmitRegistration(
	ctx context.Context, in RegistrationInput,
) (answer models.AuthorityAnswer, err error) {
	err = r.ask(ctx, in, func(ctx context.Context) error {
		submission, err := r.store.SubmissionOfRegistration(ctx, in.scope(), in.attempt())
		if err != nil {
			return err
		}
		answer, err = r.authorities.Submit(ctx, submission)
		if err = heard(ctx, err, r.noting(ctx, in)); err != nil {
			return err
		}
		return r.store.HandOverRegistration(ctx, in.scope(), in.attempt(), answer.Authority, in.Now)
	})
	return answer, err
}

// AskAboutRegistration asks what became of what the authority has received. While that
// is open it fails with ErrTypePending and is retried when the authority says so.
func (r *Registration) AskAboutRegistration(
	ctx context.Context, in QuestionInput,
) (answer models.AuthorityAnswer, err error) {
	err = r.ask(ctx, in.RegistrationInput, func(ctx context.Context) (err error) {
		answer, err = decided(ctx, r.authorities, in.Authority, models.AuthorityKey{
			OrganizationID: in.OrganizationID, Kind: in.Kind, RecordID: in.RegistrationID, Attempt: in.Attempt,
		})
		return heard(ctx, err, r.noting(ctx, in.RegistrationInput))
	})
	return answer, err
}

// noting notes whether the authority has answered.
func (r *Registration) noting(ctx context.Context, in RegistrationInput) func(answered bool) error {
	return func(answered bool) error {
		return r.store.NoteRegistrationContact(ctx, in.scope(), in.attempt(), answered)
	}
}

// SettleRegistration writes what the authority decided.
func (r *Registration) SettleRegistration(ctx context.Context, in DecisionInput) error {
	return r.do(ctx, in.RegistrationInput, func(ctx context.Context) error {
		return r.store.SettleRegistration(ctx, in.scope(), in.attempt(), in.Answer, in.Now)
	})
}
