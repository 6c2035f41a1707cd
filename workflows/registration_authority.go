package workflows

import (
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
	"levy/rules"
)

// unclear is what a registration asks to have clarified.
var unclear = noAnswer{
	unreachable: "The authority could not be reached.",
	undecided:   "The authority has not decided for too long.",
	unknown:     "The authority knows nothing of it, though it had taken it.",
	defect:      "The registration could not be handed over.",
}

// submit hands the registration, or its end, to the authority and writes down what it
// decides. A change of the registration meanwhile takes precedence.
func (r *registration) submit(ctx workflow.Context) error {
	r.refusal = "" // of the attempt before
	in := r.at(ctx)
	answer, err := r.ask(ctx, in)
	switch {
	case registrationChanged(err):
		return ctx.Err() // the next refresh says what is next
	case err != nil:
		return err
	case answer.Outcome == models.AuthorityManual:
		r.run.Manual = in.Attempt
		return nil
	case r.now.Status == models.RegistrationDeregistering && answer.Outcome == models.AuthorityAccepted:
		r.run.Confirmed = true
		return nil
	}
	summary := "Registered: the authority confirmed it"
	if answer.Outcome == models.AuthorityRejected {
		r.refusal = inWords(answer.Reason, answer.Message)
		summary = "To be clarified: " + r.refusal
		r.run.Refused = r.now.Status == models.RegistrationDeregistering
	}
	in.Now = workflow.Now(ctx).UTC()
	decision := activities.DecisionInput{RegistrationInput: in, Answer: answer}
	return onRecord(ctx, summary, registering.SettleRegistration, decision, nil)
}

// ask returns what the authority decided, or that people hand it over. An authority
// that cannot be reached, or does not decide, for too long counts as a rejection.
func (r *registration) ask(ctx workflow.Context, in activities.RegistrationInput) (models.AuthorityAnswer, error) {
	attempt, kind := r.attempt(ctx), r.now.Kind
	summary := fmt.Sprintf("Hand the registration to the authority, attempt %d", in.Attempt)
	if kind == models.AuthorityDeregistration {
		summary = "Hand the end of the registration to the authority"
	}
	answer, err := attempt.submit(ctx, summary, registering.SubmitRegistration, in)
	if err != nil || answer.Outcome != models.AuthorityPending {
		return answer, err
	}
	in.Now = workflow.Now(ctx).UTC()
	question := activities.QuestionInput{RegistrationInput: in, Kind: kind, Authority: answer.Authority}
	return attempt.ask(ctx, registering.AskAboutRegistration, question)
}

// attempt is the one that the record is at.
func (r *registration) attempt(ctx workflow.Context) attempt {
	number, kind := r.now.Attempt, r.now.Kind
	return attempt{
		wait:    func(answered func() bool) error { return r.wait(ctx, answered) },
		refresh: r.refresh,
		over: func() bool {
			return r.now.Action != rules.RegistrationSubmits || r.now.Attempt != number || r.now.Kind != kind
		},
		changed: registrationChanged,
		reasons: unclear,
	}
}

// registrationChanged reports whether an error says that the record is not as the run thought.
func registrationChanged(err error) bool {
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	return ok && app.Type() == activities.ErrTypeChangedMeanwhile || temporal.IsCanceledError(err)
}
