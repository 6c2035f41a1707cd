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

// answer is the rejection that stands for an answer when an activity has been given
// up, with the reason that the kind of call gives unless the error says more. An error
// that says that the record has changed since stays one.
func (n noAnswer) answer(err error, reason string, changed func(error) bool) (models.AuthorityAnswer, error) {
	if changed(err) {
		return models.AuthorityAnswer{}, err
	}
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		switch app.Type() {
		case activities.ErrTypeUnexpected:
			reason = n.defect
		case activities.ErrTypeNotFound:
			reason = n.unknown
		}
	}
	return models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: reason}, nil
}

// attempt is one to have a record decided by the authority, while the record may change.
type attempt struct {
	wait    func(answered func() bool) error // until it has answered, or the record has changed or is due
	refresh func(workflow.Context) error
	over    func() bool // as of the last refresh
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
