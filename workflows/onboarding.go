package workflows

import (
	"cmp"
	"errors"
	"strconv"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// OnboardingInput says where an onboarding is according to its record, so that
// a run that was lost goes on in a new one.
type OnboardingInput struct {
	OrganizationID string                  `json:"organization_id"`
	Status         models.OnboardingStatus `json:"status"`
	Completed      int                     `json:"completed"`      // the steps 1 to Completed are done
	Root           bool                    `json:"root,omitempty"` // a partner: its onboarding never ends by itself
	// Asked says that staff asked an earlier run, of which this one is the continuation, to cancel.
	Asked bool `json:"asked,omitempty"`
}

// OnboardingResult says how the onboarding ended. One that failed, or is not undone, ends
// the run with an error instead.
type OnboardingResult struct {
	Status models.OnboardingStatus `json:"status"` // empty when the organization was never created
	Undone []string                `json:"undone,omitempty"`
}

// Onboarding onboards an organization in eight steps, which arrive as Updates
// strictly in their order. It reminds, it expires without progress, and an
// onboarding that ends before its last step is undone, newest step first. Errors:
// OnboardingFailed when the work behind a step failed for good, or an undo was given up.
func Onboarding(ctx workflow.Context, in OnboardingInput) (OnboardingResult, error) {
	o := newOnboarding(ctx, in)
	mark(ctx, confirmCancellation)
	o.cancelling = func() bool { return ctx.Err() != nil }
	if err := o.listen(ctx); err != nil {
		return OnboardingResult{}, err
	}
	o.show(ctx)
	if err := o.await(ctx); err != nil {
		return OnboardingResult{}, err // continued as a new run
	}
	if o.status.Undone() {
		o.compensate(ctx)
	}
	o.show(ctx)
	return o.result()
}

// onboarding is the state of a run.
type onboarding struct {
	in        OnboardingInput
	lock      workflow.Mutex // one step or cancellation at a time
	status    models.OnboardingStatus
	completed int
	working   int // the step whose work is under way; 0 for none
	reminders int
	refused   bool // the first step was: there is nothing to onboard
	reason    string
	// cancelling reports whether staff have asked this run to cancel. A request to an earlier run changes no commands.
	cancelling func() bool
	failed     *models.StepFailedError
	saga       saga
	shown      [2]string // the values of the search attributes
}

func newOnboarding(ctx workflow.Context, in OnboardingInput) *onboarding {
	o := &onboarding{in: in, lock: workflow.NewMutex(ctx), status: in.Status, completed: in.Completed}
	o.shown = [2]string{strconv.Itoa(in.Completed + 1), string(in.Status)} // as the start says it
	for step := range in.Completed {
		o.saga.push(undoOf[step+1])
	}
	return o
}

// listen registers the messages. It must come before anything that waits.
func (o *onboarding) listen(ctx workflow.Context) error {
	if err := answerProgress(ctx, o.progress); err != nil {
		return err
	}
	err := workflow.SetUpdateHandlerWithOptions(ctx, SubmitStepUpdate, o.submit, workflow.UpdateHandlerOptions{
		Validator: o.accepts, Description: "A call of one of the eight steps",
	})
	if err != nil {
		return err
	}
	err = workflow.SetUpdateHandlerWithOptions(ctx, ConfirmCancellationUpdate, o.confirm, workflow.UpdateHandlerOptions{
		Validator:   o.acceptsConfirmation,
		Description: "Confirms that this onboarding is to be cancelled and undone, after the run was asked to cancel",
	})
	if err != nil {
		return err
	}
	return workflow.SetUpdateHandlerWithOptions(ctx, CancelUpdate, o.cancel, workflow.UpdateHandlerOptions{
		Validator: o.acceptsCancel, Description: "Ends the onboarding and undoes what was done",
	})
}

// await returns when the onboarding is over and every Update has been answered, or
// with the error that continues it as a new run.
func (o *onboarding) await(ctx workflow.Context) error {
	next := firstCheck
	if o.completed == 0 {
		next = firstStepTimeout
	}
	ctx = settled(ctx)
	answered := false
	tooLong := func() bool {
		return workflow.GetInfo(ctx).GetContinueAsNewSuggested() && workflow.AllHandlersFinished(ctx)
	}
	asks := func() bool { return o.cancelling() && !answered }
	for !o.over() {
		options := workflow.AwaitOptions{
			Timeout: next, TimerOptions: workflow.TimerOptions{Summary: "Next check of the progress"},
		}
		happened, err := workflow.AwaitWithOptions(ctx, options, func() bool { return o.over() || tooLong() || asks() })
		switch {
		case err == nil && asks() && o.completed == 0 && o.working == 0:
			o.refused = true // nothing to undo
		case err == nil && asks():
			answered = true
			o.show(ctx)
		case err != nil:
			return err
		case !happened:
			next = o.check(ctx)
		case !o.over():
			return workflow.NewContinueAsNewError(ctx, OnboardingName, OnboardingInput{
				OrganizationID: o.in.OrganizationID, Status: o.status, Completed: o.completed, Root: o.in.Root,
				Asked: o.asked(),
			})
		}
	}
	return workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) })
}

// asked reports whether staff have asked this run, or one that it continues, to cancel.
func (o *onboarding) asked() bool { return o.in.Asked || o.cancelling() }

// over reports whether there is nothing more to wait for.
func (o *onboarding) over() bool {
	return o.refused || o.status.Undone() || o.status == models.OnboardingCompleted
}

// check asks the record for progress after a time without any news, and returns when
// the next check is due. The record sends reminders and lets the onboarding expire.
func (o *onboarding) check(ctx workflow.Context) time.Duration {
	if o.completed == 0 {
		o.refused = true // the first step got lost
		return 0
	}
	if o.in.Root {
		return firstCheck
	}
	var check models.ProgressCheck
	err := execute(ctx, summarized(undoOptions, "Check the progress"), onboardings.CheckProgress,
		activities.UndoInput{OrganizationID: o.in.OrganizationID}, &check)
	if err != nil {
		return firstCheck // the record is gone; staff see the failed activity
	}
	if o.over() {
		return 0 // it ended meanwhile; what the record said may be from before
	}
	o.status, o.reminders = check.Status, check.Reminders
	if check.Status == models.OnboardingExpired {
		o.reason = "no progress for too long"
	}
	o.show(ctx)
	return max(check.Next, time.Second)
}

// end ends the onboarding on its record, which has the last word: a step that was
// committed before counts. Errors: there is no such onboarding, or the proof is none.
func (o *onboarding) end(ctx workflow.Context, how activities.EndInput) error {
	how.OrganizationID = o.in.OrganizationID
	var result activities.EndResult
	summary := "End the onboarding: " + string(how.Status)
	if err := execute(ctx, summarized(undoOptions, summary), onboardings.EndOnboarding, how, &result); err != nil {
		return err
	}
	o.adopt(result.Completed)
	o.status, o.reason = result.Status, cmp.Or(result.Reason, how.Reason)
	o.show(ctx)
	return nil
}

func (o *onboarding) result() (OnboardingResult, error) {
	if o.refused {
		return OnboardingResult{}, nil
	}
	result := OnboardingResult{Status: o.status, Undone: o.saga.done}
	left := errors.Join(o.saga.errs...)
	if o.status != models.OnboardingFailed {
		if left != nil {
			left = temporal.NewNonRetryableApplicationError("not all is undone", activities.ErrTypeOnboardingFailed, left)
		}
		return result, left
	}
	failed := o.failed
	if failed == nil { // another run saw it fail
		failed = &models.StepFailedError{}
	}
	return result, temporal.NewNonRetryableApplicationError(
		"onboarding failed: "+o.reason, activities.ErrTypeOnboardingFailed,
		left, failed.Step, failed.Reason)
}
