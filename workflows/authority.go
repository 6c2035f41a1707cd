package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// noAnswer is why there is no answer of an authority, in the words of a record.
type noAnswer struct {
	unreachable string
	undecided   string
	unknown     string // though it had taken it
	defect      string // of ours
}

// because is why, when an activity was given up with this error; otherwise unless the error says more.
func (n noAnswer) because(err error, otherwise string) string {
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		switch app.Type() {
		case activities.ErrTypeUnexpected:
			return n.defect
		case activities.ErrTypeNotFound:
			return n.unknown
		}
	}
	return otherwise
}

// attempt is one to have a record decided by the authority, while the record may change.
type attempt struct {
	wait    func(answered func() bool) error // until it has answered, or the record has changed or is due
	refresh func(workflow.Context) error
	over    func() bool      // as of the last refresh
	changed func(error) bool // whether an error says that the record is not as the run thought
	reasons noAnswer
}

// submit hands the record over. Where that is given up, a rejection stands for the answer.
func (a attempt) submit(ctx workflow.Context, summary string, activity, in any) (models.AuthorityAnswer, error) {
	return a.call(ctx, summarized(submitOptions, summary), a.reasons.unreachable, activity, in)
}

// ask asks for the decision. Where that is given up, a rejection stands for it.
func (a attempt) ask(ctx workflow.Context, activity, in any) (models.AuthorityAnswer, error) {
	options := summarized(askOptions, "Ask the authority whether it has decided")
	return a.call(ctx, options, a.reasons.undecided, activity, in)
}

// call returns what the authority answers to an activity. An error that says that the
// record has changed since stays one; for any other a rejection stands.
func (a attempt) call(
	ctx workflow.Context, options workflow.ActivityOptions, otherwise string, activity, in any,
) (models.AuthorityAnswer, error) {
	var answer models.AuthorityAnswer
	err := a.execute(ctx, options, activity, in, &answer)
	if err == nil || a.changed(err) {
		return answer, err
	}
	return models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: a.reasons.because(err, otherwise)}, nil
}

// execute does an activity that calls the authority. Meanwhile it refreshes whenever the
// record changes or is due, and stops when the attempt is over.
func (a attempt) execute(ctx workflow.Context, options workflow.ActivityOptions, activity, in, out any) error {
	calling, stop := workflow.WithCancel(workflow.WithActivityOptions(ctx, options))
	defer stop()
	answer := workflow.ExecuteActivity(calling, activity, in)
	for {
		if err := a.wait(answer.IsReady); err != nil {
			return err
		}
		if answer.IsReady() {
			return answer.Get(ctx, out)
		}
		if err := a.refresh(ctx); err != nil {
			return err
		}
		if a.over() {
			return temporal.NewCanceledError("the attempt is over")
		}
	}
}

// inWords is a reason, and what the authority said of it, if anything.
func inWords(reason, words string) string {
	if words == "" {
		return reason
	}
	return reason + ". " + words
}
