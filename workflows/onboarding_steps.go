package workflows

import (
	"unicode/utf8"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

var onboardings *activities.Onboarding

// doing is the activity behind each step, by its number.
var doing = map[int]any{
	models.StepOrganization:        onboardings.CreateOrganization,
	models.StepAPIKey:              onboardings.CreateAPIKey,
	models.StepBusinessDetails:     onboardings.SaveBusinessDetails,
	models.StepBusinessAddress:     onboardings.SaveBusinessAddress,
	models.StepBusinessInformation: onboardings.SaveBusinessInformation,
	models.StepBusinessContact:     onboardings.SaveBusinessContact,
	models.StepBusinessOwners:      onboardings.SaveBusinessOwners,
	models.StepBankDetails:         onboardings.SaveBankDetails,
}

// CancelInput is the argument of CancelUpdate.
type CancelInput struct {
	Recorded  int    `json:"recorded,omitempty"` // steps that are done, as the record says
	Reason    string `json:"reason,omitempty"`
	APIKeyID  string `json:"api_key_id,omitempty"`
	RequestID string `json:"request_id,omitempty"`
	UserID    string `json:"user_id,omitempty"` // of a person with a session
	UserName  string `json:"user_name,omitempty"`
}

// ConfirmationInput is the argument of ConfirmCancellationUpdate.
type ConfirmationInput struct {
	OrganizationID string `json:"organization_id"` // the organization of the onboarding
	Reason         string `json:"reason,omitempty"`
	// Proof identifies the sender: see models.Proof.
	Proof string `json:"proof,omitempty"`

	unknown string // the name of an argument that the Update does not have; empty for none
}

// UnmarshalJSON reads a confirmation, and remembers an argument that it does not have.
func (c *ConfirmationInput) UnmarshalJSON(raw []byte) (err error) {
	type plain ConfirmationInput
	c.unknown, err = readArguments(raw, (*plain)(c))
	return err
}

// Statement is what the proof of a confirmation signs: what is sent to which workflow.
func (c ConfirmationInput) Statement(workflowID, update string) string {
	return statement(workflowID, update, c.content())
}

// content is all of a confirmation but its proof.
func (c ConfirmationInput) content() string {
	c.Proof = ""
	return string(encoded(c))
}

// CancelResult is empty: the record has the status of the onboarding.
type CancelResult struct{}

// longestReason is how many characters may say why an onboarding is cancelled.
const longestReason = 500

// accepts refuses a step that may not be done now, before anything is written to
// the history. Steps that were done may be done again.
func (o *onboarding) accepts(in models.StepSubmission) error {
	switch {
	case in.Step < models.StepOrganization || in.Step > models.LastStep ||
		in.OrganizationID != o.in.OrganizationID || in.ID == "":
		return invalidInput("this is not a step of this onboarding")
	case o.status.Undone() || o.refused:
		return activities.Refusal(&models.OnboardingInactiveError{Status: o.status})
	case in.Step > max(o.completed, in.Recorded)+1:
		return activities.Refusal(&models.StepOrderError{Next: o.completed + 1})
	}
	return nil
}

// submit does a step. The undo is noted before the step is tried, so that a step whose
// outcome is unknown is undone as well.
func (o *onboarding) submit(ctx workflow.Context, in models.StepSubmission) (activities.StepResult, error) {
	ctx = settled(ctx)
	if err := o.lock.Lock(ctx); err != nil {
		return activities.StepResult{}, err
	}
	defer o.lock.Unlock()
	if err := o.accepts(in); err != nil { // much may have happened while it waited
		return activities.StepResult{}, err
	}
	o.adopt(in.Recorded)
	step := models.StepOf(in.Step)
	o.saga.push(undoOf[in.Step])
	o.working = in.Step
	o.show(ctx)
	err := execute(ctx, summarized(stepOptions, "Step "+stepName(in.Step)), doing[step.Number], in, nil)
	o.working = 0
	if err != nil {
		err = o.notDone(ctx, in.Step, err)
	} else {
		o.completed = max(o.completed, in.Step)
		if o.completed == models.LastStep {
			o.status = models.OnboardingCompleted
		} else if o.status == models.OnboardingNotStarted {
			o.status = models.OnboardingInProgress
		}
	}
	o.show(ctx)
	return activities.StepResult{}, err
}

// adopt brings a run that was reset to an earlier point to where the record is.
func (o *onboarding) adopt(completed int) {
	for ; o.completed < completed; o.completed++ {
		o.saga.push(undoOf[o.completed+1])
	}
}

// notDone decides what it means that a step was not done: a refusal changes
// nothing, work that failed for good fails the onboarding.
func (o *onboarding) notDone(ctx workflow.Context, step int, err error) error {
	refused := activities.Refused(err)
	if refused == nil {
		return unexpected(err)
	}
	if step > o.completed {
		o.saga.drop(undoOf[step]) // refused: nothing was written
	}
	if step == models.StepOrganization && o.completed == 0 {
		o.refused = true
	}
	o.settle(ctx, step, refused)
	return activities.Refusal(refused)
}

// settle brings the run in line with what the record said when it refused a step.
func (o *onboarding) settle(ctx workflow.Context, step int, refused error) {
	switch refusal := refused.(type) { //nolint:errorlint // Refused returns these types themselves
	case *models.OnboardingInactiveError:
		o.status = refusal.Status
	case *models.StepFailedError:
		if o.in.Root {
			return // a partner of its own tries again
		}
		o.saga.push(undoOf[step])
		o.failed = refusal
		_ = o.end(ctx, activities.EndInput{
			Status: models.OnboardingFailed, Reason: refusal.Reason, Step: step,
		}) // or there is no such onboarding
	}
}

// acceptsCancel refuses to cancel an onboarding that cannot be cancelled. One that has ended may be cancelled again
// without effect. The record may know the first step before the run does, because its activity may have lost an answer.
func (o *onboarding) acceptsCancel(in CancelInput) error {
	// guard: cancelling: a first step that only the record knows of counts
	if o.in.Root || max(o.completed, in.Recorded) == 0 || o.status == models.OnboardingCompleted {
		return activities.Refusal(&models.OnboardingInactiveError{Status: o.status})
	}
	return nil
}

// cancel ends the onboarding because the client or its partner asks for it. The undoing
// begins after the answer.
func (o *onboarding) cancel(ctx workflow.Context, in CancelInput) (CancelResult, error) {
	ctx = settled(ctx)
	if err := o.lock.Lock(ctx); err != nil {
		return CancelResult{}, err
	}
	defer o.lock.Unlock()
	if o.over() {
		return CancelResult{}, o.acceptsCancel(in)
	}
	o.adopt(in.Recorded)
	_ = o.end(ctx, activities.EndInput{
		Status: models.OnboardingCancelled, Reason: in.Reason, APIKeyID: in.APIKeyID, RequestID: in.RequestID,
		UserID: in.UserID, UserName: in.UserName,
	}) // if it did not end, acceptsCancel refuses
	return CancelResult{}, o.acceptsCancel(in)
}

// settled is a context that survives a request to cancel the run: only a confirmation ends the onboarding.
func settled(ctx workflow.Context) workflow.Context {
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	return ctx
}

// acceptsConfirmation refuses a confirmation whose sender is not proven, that was not asked for, or that is about
// another organization.
func (o *onboarding) acceptsConfirmation(ctx workflow.Context, in ConfirmationInput) error {
	if in.unknown != "" {
		return unknownArgument(in.unknown, "organization_id and reason")
	}
	err := proven(ctx, ConfirmCancellationUpdate, in.Proof, in.content())
	// guard: onboarding: a confirmation in Temporal says by its proof who sent it
	if err != nil {
		return err
	}
	switch {
	case utf8.RuneCountInString(in.Reason) > longestReason:
		return invalidInput("reason has more than 500 characters")
	case !o.asked():
		return invalidInput("nothing is to be confirmed: ask the run to cancel first")
	case in.OrganizationID != o.in.OrganizationID:
		return invalidInput("organization_id is not that of this onboarding")
	}
	return o.acceptsCancel(CancelInput{})
}

// confirm ends the onboarding because staff asked the run to cancel, and the operator whose proof it is confirmed
// it. Without that the onboarding goes on.
func (o *onboarding) confirm(ctx workflow.Context, in ConfirmationInput) (CancelResult, error) {
	ctx = settled(ctx)
	if err := o.lock.Lock(ctx); err != nil {
		return CancelResult{}, err
	}
	defer o.lock.Unlock()
	if o.over() {
		return CancelResult{}, o.acceptsCancel(CancelInput{})
	}
	err := o.end(ctx, activities.EndInput{Status: models.OnboardingCancelled, Reason: in.Reason, Proof: in.Proof})
	if err != nil {
		return CancelResult{}, err
	}
	return CancelResult{}, o.acceptsCancel(CancelInput{})
}
