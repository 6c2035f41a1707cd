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
	// stepTimeout is how long a client waits for a step.
	stepTimeout = 10 * time.Second
	// healthTimeout is how long Temporal may take to say that it is there.
	healthTimeout = 2 * time.Second
)

// Onboardings sends the steps of onboardings to their workflows.
type Onboardings struct {
	client sdkclient.Client
	log    *slog.Logger
}

// NewOnboardings sends through a Temporal client, which may be a lazy one.
func NewOnboardings(client sdkclient.Client, log *slog.Logger) *Onboardings {
	return &Onboardings{client: client, log: log}
}

// Submit has a step done and returns once it is committed. A workflow that was lost
// is started again from the record. Errors: the refusals of a step, as the record
// returns them; models.ErrUnavailable when nothing was sent; models.ErrOutcomeUnknown
// when the step may be done all the same, now or later.
func (o *Onboardings) Submit(ctx context.Context, record models.Onboarding, sub models.StepSubmission) error {
	var names map[string]string
	if sub.Organization != nil { // of the first step: the name is not stored yet
		names = map[string]string{record.OrganizationID: sub.Organization.Name}
	}
	return o.update(ctx, record, names, sdkclient.UpdateWorkflowOptions{
		UpdateName: workflows.SubmitStepUpdate, UpdateID: sub.ID, Args: []any{sub},
	})
}

// Cancel ends an onboarding and returns once that is committed. Errors: as for Submit.
func (o *Onboardings) Cancel(ctx context.Context, record models.Onboarding, actor models.Actor, reason string) error {
	in := workflows.CancelInput{
		Recorded: record.Completed, Reason: reason, APIKeyID: actor.APIKeyID, RequestID: actor.RequestID,
		UserID: actor.UserID, UserName: actor.UserName,
	}
	return o.update(ctx, record, nil, sdkclient.UpdateWorkflowOptions{
		UpdateName: workflows.CancelUpdate, UpdateID: models.NewID(models.PrefixSubmission), Args: []any{in},
	})
}

func (o *Onboardings) update(
	ctx context.Context, record models.Onboarding, names map[string]string, update sdkclient.UpdateWorkflowOptions,
) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	// Asked first, so that what fails here is known not to have been sent.
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

func (o *Onboardings) checkHealth(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	_, err := o.client.CheckHealth(ctx, &sdkclient.CheckHealthRequest{})
	return err
}

// outcome derives from an error what became of the step.
func (o *Onboardings) outcome(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if refused := activities.Refused(err); refused != nil {
		return refused
	}
	// Too many calls at once are no refusal either: the client has tried before, and the outcome
	// of that is not known.
	o.log.WarnContext(ctx, "step of an onboarding not answered", "error", err.Error())
	return fmt.Errorf("%w: step of an onboarding", models.ErrOutcomeUnknown)
}
