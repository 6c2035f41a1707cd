package workflows

import (
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// FilingMessage is the argument of the Updates by which staff change a filing from
// the Temporal UI.
type FilingMessage struct {
	By     string `json:"by,omitempty"`     // who asks for it, for the audit trail
	Until  string `json:"until,omitempty"`  // of pause: 2026-01-31; empty until it is resumed
	Reason string `json:"reason,omitempty"` // of skip and cancel
}

// filingUpdates are the Updates, and the status each leads to.
var filingUpdates = []struct {
	name, description string
	to                models.FilingStatus
}{
	{ApproveUpdate, "Claims the transactions of the period and files the return", models.FilingFiling},
	{PauseUpdate, "Waits until a day, or until it is resumed", models.FilingPaused},
	{ResumeUpdate, "Ends the pause; after an issue, gives the transactions back", models.FilingUnfiled},
	{SkipUpdate, "Ends a filing for which nothing is owed; reason is needed", models.FilingSkipped},
	{CancelUpdate, "Ends the filing; reason is needed", models.FilingCancelled},
	{RetryUpdate, "Hands the return to the authority once more", models.FilingFiling},
}

// listen registers the messages. It must come before anything that waits.
func (f *filing) listen(ctx workflow.Context) error {
	if err := workflow.SetQueryHandler(ctx, ProgressQuery, f.progress); err != nil {
		return err
	}
	for _, m := range filingUpdates {
		handle := func(ctx workflow.Context, message FilingMessage) (activities.TransitionResult, error) {
			return f.transition(ctx, m.to, message)
		}
		accepts := func(message FilingMessage) error { return f.accepts(m.name, m.to, message) }
		options := workflow.UpdateHandlerOptions{Validator: accepts, Description: m.description}
		err := workflow.SetUpdateHandlerWithOptions(ctx, m.name, handle, options)
		if err != nil {
			return err
		}
	}
	f.changed = workflow.GetSignalChannel(ctx, RecordChangedSignal)
	return nil
}

// accepts refuses what the status does not allow, before anything is written to the
// history. The record has the last word all the same.
func (f *filing) accepts(name string, to models.FilingStatus, message FilingMessage) error {
	if name == RetryUpdate && f.now.Status != models.FilingIssue ||
		name == ApproveUpdate && f.now.Status == models.FilingIssue ||
		!models.FilingTransitions.CanTransition(string(f.now.Status), string(to)) {
		return activities.FilingRefusal(models.FilingTransitions.Refuse(string(f.now.Status), string(to)))
	}
	if (to == models.FilingSkipped || to == models.FilingCancelled) && message.Reason == "" {
		return invalidInput("a reason is needed")
	}
	return nil
}

// transition changes the status on the record, where its guards are, and has the run
// read what has become of it.
func (f *filing) transition(
	ctx workflow.Context, to models.FilingStatus, message FilingMessage,
) (activities.TransitionResult, error) {
	change := models.FilingTransition{To: to, By: message.By, Reason: message.Reason}
	if err := change.Until.UnmarshalText([]byte(message.Until)); err != nil {
		return activities.TransitionResult{}, invalidInput("until is not a day")
	}
	var result activities.TransitionResult
	in := activities.TransitionInput{FilingInput: f.at(ctx), Transition: change}
	err := f.record(ctx, "Staff: "+string(to), filings.MoveFiling, in, &result)
	f.updated = true
	return result, err
}
