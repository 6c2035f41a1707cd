package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
	"levy/rules"
)

// issues are the reasons of an ISSUE that the run finds by itself.
var issues = noAnswer{
	unreachable: "AUTHORITY_UNREACHABLE",
	undecided:   "AUTHORITY_DOES_NOT_DECIDE",
	unknown:     "AUTHORITY_KNOWS_NOTHING_OF_IT",
	defect:      "SUBMISSION_FAILED",
}

// file hands the return to the authority and writes down what it decides. A change
// of the filing meanwhile takes precedence.
func (f *filing) file(ctx workflow.Context) error {
	if f.manual == f.now.Attempt {
		return f.wait(ctx, f.now.Next, nothing) // until the confirmation is entered
	}
	attempt := activities.SubmitInput{FilingInput: f.at(ctx), Attempt: f.now.Attempt}
	answer, err := f.submit(ctx, attempt)
	switch {
	case overtaken(err):
		return ctx.Err()
	case err != nil:
		return err
	case answer.Outcome == models.AuthorityManual:
		f.manual = f.now.Attempt
		f.show(ctx)
		return nil
	}
	summary := "Filed: the authority confirmed it"
	if answer.Outcome == models.AuthorityRejected {
		summary = "Not filed: " + answer.Reason
	}
	attempt.Now = workflow.Now(ctx).UTC()
	settle := activities.SettleInput{SubmitInput: attempt, Answer: answer}
	return f.record(ctx, summary, filings.SettleFiling, settle, nil)
}

// submit returns what the authority decided, or that people hand the return over. An
// authority that cannot be reached, or does not decide, for too long counts as a
// rejection.
func (f *filing) submit(ctx workflow.Context, attempt activities.SubmitInput) (models.AuthorityAnswer, error) {
	var answer models.AuthorityAnswer
	options := submitOptions
	options.Summary = fmt.Sprintf("Hand the return to the authority, attempt %d", attempt.Attempt)
	err := f.ask(ctx, options, filings.SubmitReturn, attempt, &answer)
	if err != nil {
		return issues.answer(err, issues.unreachable, overtaken)
	}
	if answer.Outcome != models.AuthorityPending {
		return answer, nil
	}
	options = askOptions
	options.Summary = "Ask the authority whether it has decided"
	question := activities.AskInput{SubmitInput: attempt, Authority: answer.Authority}
	err = f.ask(ctx, options, filings.AskAuthority, question, &answer)
	if err != nil {
		return issues.answer(err, issues.undecided, overtaken)
	}
	return answer, nil
}

// ask talks to the authority about the attempt.
func (f *filing) ask(ctx workflow.Context, options workflow.ActivityOptions, activity, in, out any) error {
	attempt := f.now.Attempt
	return talk(
		ctx, options, activity, in, out,
		func(answered func() bool) error { return f.wait(ctx, f.now.Next, answered) }, f.refresh,
		func() bool { return f.now.Action != rules.FilingSubmits || f.now.Attempt != attempt },
	)
}
