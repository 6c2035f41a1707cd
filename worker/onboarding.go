package worker

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"

	"levy/activities"
	"levy/models"
	"levy/workflows"
)

const (
	// stepTimeout bounds the time that a client waits for a step.
	stepTimeout = 10 * time.Second
	// healthTimeout bounds a health check of Temporal.
	healthTimeout = 2 * time.Second
)

// Onboardings sends the steps of onboardings to their workflows.
type Onboardings struct {
	client sdkclient.Client
	log    *slog.Logger
}

// NewOnboardings returns a sender that uses a Temporal client, which may be a lazy one.
func NewOnboardings(client sdkclient.Client, log *slog.Logger) *Onboardings {
	return &Onboardings{client: client, log: log}
}

// Submit sends a step to its workflow and returns when the step is committed. It starts a missing workflow from the
// record. Errors: the refusals of a step by its record; models.ErrUnavailable if nothing was sent;
// models.ErrOutcomeUnknown if the step may still take effect.
func (o *Onboardings) Submit(ctx context.Context, record models.Onboarding, sub models.StepSubmission) error {
	var names map[string]string
	if sub.Organization != nil { // the first step: the name is not stored yet
		names = map[string]string{record.OrganizationID: sub.Organization.Name}
	}
	return o.update(ctx, record, names, sdkclient.UpdateWorkflowOptions{
		UpdateName: workflows.SubmitStepUpdate, UpdateID: sub.ID, Args: []any{sub},
	})
}

// Cancel cancels an onboarding and returns when that is committed. Errors: those of Submit.
func (o *Onboardings) Cancel(ctx context.Context, record models.Onboarding, actor models.Actor, reason string) error {
	in := workflows.CancelInput{
		Recorded: record.Completed, Reason: reason, APIKeyID: actor.APIKeyID, RequestID: actor.RequestID,
		UserID: actor.UserID, UserName: actor.UserName,
	}
	return o.update(ctx, record, nil, sdkclient.UpdateWorkflowOptions{
		UpdateName: workflows.CancelUpdate, UpdateID: models.NewID(models.PrefixSubmission), Args: []any{in},
	})
}

// update sends an Update to the workflow of an onboarding, and starts the workflow if it is missing.
func (o *Onboardings) update(
	ctx context.Context, record models.Onboarding, names map[string]string, update sdkclient.UpdateWorkflowOptions,
) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	// If this call fails, nothing has been sent.
	if err := o.checkHealth(ctx); err != nil {
		return fmt.Errorf("%w: Temporal does not answer", models.ErrUnavailable)
	}
	in := workflows.OnboardingInput{
		OrganizationID: record.OrganizationID, Status: record.Status, Completed: record.Completed,
		Root: record.Root,
	}
	start := workflows.OnboardingStart(in)
	workflows.Named(&start, names)
	update.WaitForStage = sdkclient.WorkflowUpdateStageCompleted
	handle, err := o.client.UpdateWithStartWorkflow(ctx, sdkclient.UpdateWithStartWorkflowOptions{
		StartWorkflowOperation: o.client.NewWithStartWorkflowOperation(start, workflows.OnboardingName, in),
		UpdateOptions:          update,
	})
	if err == nil {
		err = handle.Get(ctx, nil)
	}
	return o.outcome(ctx, err)
}

// checkHealth returns nil if Temporal answers.
func (o *Onboardings) checkHealth(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	_, err := o.client.CheckHealth(ctx, &sdkclient.CheckHealthRequest{})
	return err
}

// outcome returns the error for the client: nil, a refusal, or models.ErrOutcomeUnknown.
func (o *Onboardings) outcome(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if refused := activities.Refused(err); refused != nil {
		return refused
	}
	// The error "too many calls" is no refusal: the SDK has retried the call, and an earlier attempt may have taken
	// effect.
	o.log.WarnContext(ctx, "step of an onboarding not answered", "error", err.Error())
	return fmt.Errorf("%w: step of an onboarding", models.ErrOutcomeUnknown)
}
