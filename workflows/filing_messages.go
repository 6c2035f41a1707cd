package workflows

import (
	"unicode/utf8"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// FilingMessage is the argument of the Updates by which staff change a filing from
// the Temporal UI.
type FilingMessage struct {
	By     string `json:"by,omitempty"`     // the name of who signed it; may be left out
	Until  string `json:"until,omitempty"`  // of pause: 2026-01-31; empty until it is resumed
	Reason string `json:"reason,omitempty"` // of skip and cancel
	// ExcludeUnresolved approves without the transactions that cannot be processed.
	ExcludeUnresolved bool `json:"exclude_unresolved,omitempty"`
	// ExpectedAmount approves only if the amount is still that: "1045.12".
	ExpectedAmount string `json:"expected_amount,omitempty"`
	// FilingID is of the filing that is meant; may be left out. With it a proof that the Temporal UI has
	// attached is good for no other filing.
	FilingID string `json:"filing_id,omitempty"`
	// Proof identifies the sender: see models.Proof.
	Proof string `json:"proof,omitempty"`

	unknown string // the name of an argument that the Update does not have; empty for none
}

// UnmarshalJSON reads a message, and remembers an argument that no Update has, so that it is named to its sender.
func (m *FilingMessage) UnmarshalJSON(raw []byte) (err error) {
	type plain FilingMessage
	m.unknown, err = readArguments(raw, (*plain)(m))
	return err
}

// Statement is what the proof of a message signs: what is sent to which workflow.
func (m FilingMessage) Statement(workflowID, update string) string {
	return statement(workflowID, update, m.content())
}

// content is all of a message but its proof.
func (m FilingMessage) content() string {
	m.Proof = ""
	return string(encoded(m))
}

// filingUpdate is an Update, and the status it leads to.
type filingUpdate struct {
	name, description string
	to                models.FilingStatus
}

// filingUpdates are the Updates, and the status each leads to.
var filingUpdates = []filingUpdate{
	{ApproveUpdate, "Claims the transactions of the period and files the return", models.FilingFiling},
	{PauseUpdate, "Waits until a day, or until it is resumed", models.FilingPaused},
	{ResumeUpdate, "Ends the pause; after an issue, gives the transactions back", models.FilingUnfiled},
	{SkipUpdate, "Ends a filing for which nothing is owed; reason is needed", models.FilingSkipped},
	{CancelUpdate, "Ends the filing; reason is needed", models.FilingCancelled},
	{RetryUpdate, "Hands the return to the authority once more", models.FilingFiling},
}

// listen registers the messages. It must come before anything that waits.
func (f *filing) listen(ctx workflow.Context) error {
	if err := answerProgress(ctx, f.progress); err != nil {
		return err
	}
	for _, m := range filingUpdates {
		handle := func(ctx workflow.Context, message FilingMessage) (activities.TransitionResult, error) {
			return f.transition(ctx, m.to, message)
		}
		accepts := func(ctx workflow.Context, message FilingMessage) error {
			if message.unknown != "" { // it has no proof either, because the codec adds none to what it does not know
				return unknownArgument(message.unknown, "expected_amount, exclude_unresolved, until, reason, by and filing_id")
			}
			if err := proven(ctx, m.name, message.Proof, message.content()); err != nil {
				return err
			}
			return f.accepts(m.name, m.to, message)
		}
		options := workflow.UpdateHandlerOptions{Validator: accepts, Description: m.description}
		err := workflow.SetUpdateHandlerWithOptions(ctx, m.name, handle, options)
		if err != nil {
			return err
		}
	}
	f.changed = signals(ctx, RecordChangedSignal, "The record has changed: the run reads it again")
	return nil
}

// longestName is how many characters the name of an actor may have.
const longestName = 100

// accepts refuses what the status does not allow, before anything is written to the
// history. The record has the last word all the same.
func (f *filing) accepts(name string, to models.FilingStatus, message FilingMessage) error {
	if name == RetryUpdate && f.now.Status != models.FilingIssue ||
		name == ApproveUpdate && f.now.Status == models.FilingIssue ||
		!models.FilingTransitions.CanTransition(string(f.now.Status), string(to)) {
		return activities.FilingRefusal(models.FilingTransitions.Refuse(string(f.now.Status), string(to)))
	}
	if message.FilingID != "" && message.FilingID != f.in.FilingID {
		return invalidInput("filing_id is that of another filing")
	}
	if utf8.RuneCountInString(message.By) > longestName {
		return invalidInput("by has more than 100 characters")
	}
	if (to == models.FilingSkipped || to == models.FilingCancelled) && message.Reason == "" {
		return invalidInput("a reason is needed")
	}
	if message.ExcludeUnresolved && name != ApproveUpdate {
		return invalidInput("exclude_unresolved is for approve alone")
	}
	if message.ExpectedAmount != "" && name != ApproveUpdate {
		return invalidInput("expected_amount is for approve alone")
	}
	// guard: filings: staff approve the amount that they have seen
	if message.ExpectedAmount == "" && name == ApproveUpdate {
		return invalidInput("expected_amount is needed: what is to be paid, as the page of the return shows it, such as 1045.12")
	}
	if _, err := (models.FilingTransition{Expected: message.ExpectedAmount}).ExpectedAmount(); err != nil {
		return invalidInput("expected_amount is not an amount with two decimals, such as 1045.12")
	}
	return nil
}

// transition changes the status of the record, where its guards are, and lets the run read the record. A request to
// cancel the run does not cancel the transition.
func (f *filing) transition(
	ctx workflow.Context, to models.FilingStatus, message FilingMessage,
) (activities.TransitionResult, error) {
	change := models.FilingTransition{
		To: to, By: message.By, Reason: message.Reason,
		ExcludeUnresolved: message.ExcludeUnresolved, Expected: message.ExpectedAmount,
	}
	if err := change.Until.UnmarshalText([]byte(message.Until)); err != nil {
		return activities.TransitionResult{}, invalidInput("until is not a day")
	}
	var result activities.TransitionResult
	in := activities.TransitionInput{FilingInput: f.at(ctx), Transition: change, Proof: message.Proof}
	settled, _ := workflow.NewDisconnectedContext(ctx)
	err := onRecord(settled, "Staff: "+string(to), filings.MoveFiling, in, &result)
	f.updated = true
	return result, err
}
