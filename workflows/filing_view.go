package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"levy/models"
	"levy/rules"
)

// FilingProgress is the answer to ProgressQuery of a filing.
type FilingProgress struct {
	Status   models.FilingStatus `json:"status"`
	WaitsFor string              `json:"waits_for,omitempty"`
	Attempt  int                 `json:"attempt,omitempty"`
	Pending  int                 `json:"pending_transactions,omitempty"`
	// Unresolved are transactions that cannot be processed and hold up the automatic approval.
	Unresolved       int    `json:"unresolved_transactions,omitempty"`
	UnresolvedAmount string `json:"unresolved_amount,omitempty"`
	Reminders        int    `json:"reminders,omitempty"`
	Due              string `json:"due_date,omitempty"`
	Reason           string `json:"reason,omitempty"`
}

func (f *filing) progress() (FilingProgress, error) {
	return FilingProgress{
		Unresolved: f.left.Unresolved, UnresolvedAmount: f.left.Amount,
		Status: f.now.Status, WaitsFor: f.waitsFor(), Attempt: f.now.Attempt, Pending: f.pending,
		Reminders: f.now.FilingStep.Reminders,
		Due:       f.now.Due.String(), Reason: f.now.Reason,
	}, nil
}

// waitsFor says in one word what has to happen.
func (f *filing) waitsFor() string {
	if f.now.Action != rules.FilingSubmits {
		return f.now.Waits
	}
	if f.manual == f.now.Attempt {
		return rules.WaitsForConfirmation
	}
	return rules.WaitsForAuthority
}

// show shows staff where the filing is: in the current details, and in the search
// attributes by which they find those that wait for them.
func (f *filing) show(ctx workflow.Context) {
	workflow.SetCurrentDetails(ctx, f.details(ctx))
	f.showOverdue(ctx)
	shown := [2]string{string(f.now.Status), f.waitsFor()}
	if shown == f.shown {
		return
	}
	f.shown = shown
	setAttributes(ctx, filingStatus.ValueSet(shown[0]), waitsFor.ValueSet(shown[1]))
}

// isOverdue reports whether the due day is over. The run wakes up on the day after it, for the last reminder.
func (f *filing) isOverdue() bool {
	return f.now.Overdue() && !f.now.Status.Over()
}

// showOverdue lets staff find the returns that are overdue.
func (f *filing) showOverdue(ctx workflow.Context) {
	if f.isOverdue() == f.overdue {
		return
	}
	mark(ctx, showOverdue)
	f.overdue = f.isOverdue()
	setAttributes(ctx, overdue.ValueSet(f.overdue))
}

// filingWaits is what a filing waits for, in the words of staff.
var filingWaits = map[string]string{
	rules.WaitsForPeriodEnd:    "the end of its period",
	rules.WaitsForAutoApproval: "the time of its automatic approval",
	rules.WaitsForApproval:     "approval: its period is over",
	rules.WaitsForUnblocking:   "block_approval to be lifted",
	rules.WaitsForReturn:       "the return that it amends to be filed",
	rules.WaitsForTransactions: "transactions of the period that are still being processed, " +
		"or an obligation that is being decided",
	rules.WaitsForResolution: "transactions of the period that cannot be processed: " +
		"correct them, or approve without them",
	rules.WaitsForResumption:   "the end of its pause",
	rules.WaitsForAuthority:    "the authority",
	rules.WaitsForConfirmation: "people to file it and to enter the confirmation",
	rules.WaitsForRetry:        "a person to correct it and to retry",
}

func (f *filing) details(ctx workflow.Context) string {
	lines := []string{fmt.Sprintf("**%s**", f.now.Status)}
	waits := filingWaits[f.waitsFor()]
	if f.now.Waits == rules.WaitsForResolution && len(f.left.Refused) > 0 {
		waits = "what its document lacks: " + strings.Join(f.left.Refused, ", ")
	}
	if waits != "" {
		lines[0] += ", waiting for " + waits
	}
	if f.pending > 0 && f.now.Waits == rules.WaitsForTransactions {
		lines = append(lines, count(f.pending, "transaction")+" in processing")
	}
	if f.left.Unresolved > 0 && f.now.Waits == rules.WaitsForResolution {
		lines = append(lines, count(f.left.Unresolved, "transaction")+" unresolved, "+f.left.Amount+" in all")
	}
	if f.now.Status == models.FilingIssue {
		lines = append(lines, inWords("Reason: "+f.now.Reason, f.refusal))
	}
	if f.now.Attempt > 0 {
		lines = append(lines, fmt.Sprintf("Attempt %d", f.now.Attempt))
	}
	switch {
	case f.isOverdue():
		lines = append(lines, "**Overdue**: it was due on "+f.now.Due.String())
	case f.now.Due != 0 && !f.now.Status.Over():
		lines = append(lines, "Due on "+f.now.Due.String())
	}
	return strings.Join(append(lines, nextCheck(ctx, f.now.Next)...), "\n\n")
}

// timerSummary says what a timer is for.
func (f *filing) timerSummary() string {
	switch {
	case f.waitsFor() == rules.WaitsForAutoApproval:
		return "Automatic approval, or a reminder"
	case f.waitsFor() == rules.WaitsForResumption:
		return "End of the pause, or a reminder"
	case f.waitsFor() == rules.WaitsForTransactions, f.waitsFor() == rules.WaitsForResolution:
		return "Next try to approve"
	}
	return "Next reminder"
}
