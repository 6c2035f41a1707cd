package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// EvaluateNexusInput says whose nexus may have changed.
type EvaluateNexusInput struct {
	Organizations []string `json:"organizations"`
}

// EvaluateNexusResult says what was done.
type EvaluateNexusResult struct {
	Evaluated   int `json:"evaluated"`
	Changed     int `json:"changed"`
	Obligations int `json:"obligations"` // that began, changed or ended
}

var nexus *activities.Nexus

// EvaluateNexus evaluates the records of some organizations that something happened
// to: sales, refunds, a presence, a disregard. Where an obligation changed, another
// workflow has the liability of the sales follow.
func EvaluateNexus(ctx workflow.Context, in EvaluateNexusInput) (EvaluateNexusResult, error) {
	var found activities.EvaluateNexusResult
	options := summarized(nexusOptions, "Nexus of "+count(len(in.Organizations), "organization"))
	options.ScheduleToCloseTimeout = evaluationTimeout
	err := execute(ctx, options, nexus.EvaluateNexus,
		activities.EvaluateNexusInput{Organizations: in.Organizations, Today: today(ctx)}, &found)
	if err != nil {
		return EvaluateNexusResult{}, err
	}
	if err := applyObligations(ctx, found.Obligations); err != nil {
		return EvaluateNexusResult{}, err
	}
	return EvaluateNexusResult{
		Evaluated: found.Evaluated, Changed: found.Changed, Obligations: len(found.Obligations),
	}, nil
}

// today is the day in UTC by the clock of the workflow.
func today(ctx workflow.Context) string { return workflow.Now(ctx).UTC().Format(time.DateOnly) }

// applyObligations starts the workflow of each record whose obligation changed. They
// live on by themselves; one that is under way does the work of both.
func applyObligations(ctx workflow.Context, changed []models.ChangedObligation) error {
	for _, c := range changed {
		child := workflow.WithChildOptions(ctx, obligationOptions(c))
		err := workflow.ExecuteChildWorkflow(child, ApplyObligationName, c.NexusRef).GetChildWorkflowExecution().Get(ctx, nil)
		if err != nil && !temporal.IsWorkflowExecutionAlreadyStartedError(err) {
			return err
		}
	}
	return nil
}

// EvaluateAllNexusInput says where to go on. The schedule starts with an empty one.
type EvaluateAllNexusInput struct {
	Today     string `json:"today,omitempty"` // 2006-01-02; the day of the start unless given
	After     string `json:"after,omitempty"` // organization behind which to go on
	Ensured   bool   `json:"ensured,omitempty"`
	Evaluated int    `json:"evaluated,omitempty"`
	Changed   int    `json:"changed,omitempty"`
}

// EvaluateAllNexusResult says what was done.
type EvaluateAllNexusResult struct {
	Today     string `json:"today"`
	Evaluated int    `json:"evaluated"` // records that say something new, the day included
	Changed   int    `json:"changed"`
}

// EvaluateAllNexus evaluates all records of all organizations for the new day: periods
// end, presences begin and end, and so do disregards. First every organization gets
// the records of jurisdictions that are new. A run that comes late does the same work.
func EvaluateAllNexus(ctx workflow.Context, in EvaluateAllNexusInput) (EvaluateAllNexusResult, error) {
	if in.Today == "" {
		in.Today = today(ctx)
	}
	for range stepsPerRun {
		step, err := nexusPage(ctx, in)
		if err != nil {
			return EvaluateAllNexusResult{}, err
		}
		if !in.Ensured {
			if in.After, in.Ensured = step.Next, step.Done; in.Ensured {
				in.After = ""
			}
			continue
		}
		if err := applyObligations(ctx, step.Obligations); err != nil {
			return EvaluateAllNexusResult{}, err
		}
		in.After, in.Evaluated, in.Changed = step.Next, in.Evaluated+step.Evaluated, in.Changed+step.Changed
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("**%s**: %s evaluated, %d changed",
			in.Today, count(in.Evaluated, "record"), in.Changed))
		if step.Done {
			return EvaluateAllNexusResult{Today: in.Today, Evaluated: in.Evaluated, Changed: in.Changed}, nil
		}
	}
	return EvaluateAllNexusResult{}, workflow.NewContinueAsNewError(ctx, EvaluateAllNexusName, in)
}

func nexusPage(ctx workflow.Context, in EvaluateAllNexusInput) (step activities.NexusPageResult, err error) {
	activity, summary := nexus.EvaluateNexusPage, "Nexus on "+in.Today
	if !in.Ensured {
		activity, summary = nexus.EnsureNexusRecords, "Records of new jurisdictions"
	}
	if in.After != "" {
		summary += ", organizations after " + in.After
	}
	err = executeNexus(ctx, summary, activity, activities.NexusPageInput{Today: in.Today, After: in.After}, &step)
	return step, err
}
