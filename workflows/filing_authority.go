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
	f.refusal = "" // of the attempt before
	if f.manual == f.now.Attempt {
		return f.wait(ctx, f.now.Next, nothing) // until the confirmation is entered
	}
	in := activities.SubmitInput{FilingInput: f.at(ctx), Attempt: f.now.Attempt}
	if err := f.document(ctx, in); err != nil {
		if filingChanged(err) {
			return ctx.Err()
		}
		return err
	}
	answer, err := f.submit(ctx, in)
	switch {
	case filingChanged(err):
		return ctx.Err()
	case err != nil:
		return err
	case answer.Outcome == models.AuthorityManual:
		f.manual = f.now.Attempt
		f.show(ctx)
		return nil
	}
	summary := "Filed: the authority confirmed it"
	if f.refusal = answer.Message; answer.Outcome == models.AuthorityRejected {
		summary = inWords("Not filed: "+answer.Reason, f.refusal)
	}
	in.Now = workflow.Now(ctx).UTC()
	settle := activities.SettleInput{SubmitInput: in, Answer: answer}
	return onRecord(ctx, summary, filings.SettleFiling, settle, nil)
}

// document has the document of the attempt built, which the authority gets byte for byte however often it is handed over.
func (f *filing) document(ctx workflow.Context, in activities.SubmitInput) error {
	// guard: filings: the document is stored before anything is handed over
	if !f.now.Document || !buildsDocument(ctx) {
		return nil
	}
	summary := fmt.Sprintf("Build the document of the return, attempt %d", in.Attempt)
	return onRecord(ctx, summary, filings.BuildDocument, in, nil)
}

// submit returns what the authority decided, or that people hand the return over. An
// authority that cannot be reached, or does not decide, for too long counts as a
// rejection.
func (f *filing) submit(ctx workflow.Context, in activities.SubmitInput) (models.AuthorityAnswer, error) {
	attempt := f.attempt(ctx)
	summary := fmt.Sprintf("Hand the return to the authority, attempt %d", in.Attempt)
	answer, err := attempt.submit(ctx, summary, filings.SubmitReturn, in)
	if err != nil || answer.Outcome != models.AuthorityPending {
		return answer, err
	}
	return attempt.ask(ctx, filings.AskAuthority, activities.AskInput{SubmitInput: in, Authority: answer.Authority})
}

// attempt is the one that the record is at.
func (f *filing) attempt(ctx workflow.Context) attempt {
	number := f.now.Attempt
	return attempt{
		wait:    func(answered func() bool) error { return f.wait(ctx, f.now.Next, answered) },
		refresh: f.refresh,
		over:    func() bool { return f.now.Action != rules.FilingSubmits || f.now.Attempt != number },
		changed: filingChanged,
		reasons: issues,
	}
}
