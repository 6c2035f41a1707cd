package workflows

import (
	"fmt"
	"strconv"
	"strings"

	"go.temporal.io/sdk/workflow"

	"levy/models"
)

// OnboardingProgress is the answer to ProgressQuery of an onboarding.
type OnboardingProgress struct {
	Status    models.OnboardingStatus `json:"status"`
	Completed int                     `json:"completed"`
	Next      int                     `json:"next,omitempty"`
	Working   int                     `json:"working,omitempty"` // the step whose work is under way
	Reminders int                     `json:"reminders,omitempty"`
	Undoing   int                     `json:"undoing,omitempty"` // the step that is being undone
	Undone    []string                `json:"undone,omitempty"`
	Reason    string                  `json:"reason,omitempty"`
}

func (o *onboarding) progress() (OnboardingProgress, error) {
	return OnboardingProgress{
		Status: o.status, Completed: o.completed, Next: o.next(), Working: o.working, Reminders: o.reminders,
		Undoing: o.saga.at, Undone: o.saga.done, Reason: o.reason,
	}, nil
}

// next is the step that is awaited; 0 for none.
func (o *onboarding) next() int {
	if o.over() || o.completed == models.LastStep {
		return 0
	}
	return o.completed + 1
}

// show shows staff where the onboarding is: in the current details, and in the
// search attributes by which they find those that are stuck.
func (o *onboarding) show(ctx workflow.Context) {
	at := o.next()
	if o.saga.at > 0 {
		at = o.saga.at
	}
	workflow.SetCurrentDetails(ctx, o.details())
	shown := [2]string{strconv.Itoa(at), string(o.status)}
	if shown == o.shown {
		return
	}
	o.shown = shown
	setAttributes(ctx, stepNumber.ValueSet(shown[0]), onboardingStatus.ValueSet(shown[1]))
}

func (o *onboarding) details() string {
	var lines []string
	switch {
	case o.refused:
		lines = append(lines, "**Nothing was created.**")
	case o.status == models.OnboardingCompleted:
		lines = append(lines, "**All eight steps are done.**")
	case o.status.Undone() && o.saga.at > 0:
		lines = append(lines, fmt.Sprintf("**%s**, undoing step %s", o.status, stepName(o.saga.at)))
	case o.saga.over:
		lines = append(lines, fmt.Sprintf("**%s**, and all is undone", o.status))
	case o.status.Undone():
		lines = append(lines, fmt.Sprintf("**%s**, to be undone", o.status))
	case o.working > 0:
		lines = append(lines, fmt.Sprintf("**Step %s** is being done", stepName(o.working)))
	default:
		lines = append(lines, fmt.Sprintf("Waiting for **step %s**", stepName(o.completed+1)))
	}
	if o.asked() && !o.in.Root && !o.over() {
		lines = append(lines, "**A person asked to cancel this run, and nothing was cancelled.** The onboarding goes on. "+
			"If it is to be undone, send the Update "+ConfirmCancellationUpdate+" with {\"organization_id\": "+
			"\""+o.in.OrganizationID+"\"}.")
	}
	if o.reason != "" {
		lines = append(lines, "Reason: "+o.reason)
	}
	if o.reminders > 0 && o.status == models.OnboardingInProgress {
		lines = append(lines, count(o.reminders, "reminder")+" sent")
	}
	for _, title := range o.saga.done {
		lines = append(lines, "- done: "+title)
	}
	return strings.Join(lines, "\n\n")
}

func stepName(step int) string { return fmt.Sprintf("%d of 8 (%s)", step, models.StepOf(step).Title) }
