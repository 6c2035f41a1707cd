package workflows

import (
	"cmp"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
	"levy/rules"
)

// FileReturnInput names the filing. Its other fields are for people who search for the run.
type FileReturnInput struct {
	OrganizationID string              `json:"organization_id"`
	FilingID       string              `json:"filing_id"`
	Jurisdiction   string              `json:"jurisdiction"` // US-NV
	Period         string              `json:"period"`       // 2026-01-01/2026-01-31
	Category       string              `json:"category"`
	Status         models.FilingStatus `json:"status"`
	// Seen is the record when the run was started, if the run has nothing to do but to wait. The run then begins without a
	// refresh.
	Seen *FilingObservation `json:"seen,omitempty"`
}

// FilingObservation is what another process saw of the record, and when.
type FilingObservation struct {
	rules.FilingSnapshot
	At time.Time `json:"at"`
}

// FileReturnResult says how the filing ended.
type FileReturnResult struct {
	Status models.FilingStatus `json:"status"`
}

var filings *activities.Filing

// FileReturn carries a filing to its end, for years if needed. It waits for the approval or approves automatically,
// submits the return to the authority and records the answer. The record decides: the run reads it, does the next
// action, and reads it again when the time has come or the record has changed.
func FileReturn(ctx workflow.Context, in FileReturnInput) (FileReturnResult, error) {
	f := newFiling(in)
	in.Seen = nil // a run that goes on from this one reads the record
	if err := f.listen(ctx); err != nil {
		return FileReturnResult{}, err
	}
	for {
		if err := f.refresh(ctx); err != nil || f.now.Action == rules.FilingEnds {
			return f.end(ctx, err)
		}
		if err := f.proceed(ctx); err != nil {
			return f.end(ctx, err)
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() && workflow.AllHandlersFinished(ctx) {
			in.Status = f.now.Status
			return FileReturnResult{}, workflow.NewContinueAsNewError(ctx, FileReturnName, in)
		}
	}
}

// proceed does what is next, according to the record.
func (f *filing) proceed(ctx workflow.Context) error {
	switch f.now.Action {
	case rules.FilingWaits:
		return f.wait(ctx, f.now.Next, nothing)
	case rules.FilingApproves:
		return f.approve(ctx)
	case rules.FilingResumes:
		return onRecord(ctx, "The pause is over", filings.ResumeFiling, f.at(ctx), nil)
	case rules.FilingSubmits:
		return f.file(ctx)
	case rules.FilingLocks:
		return onRecord(ctx, "Lock the transactions", filings.LockFiling, f.at(ctx), nil)
	case rules.FilingEnds:
	}
	return nil
}

// filing is the state of a run.
type filing struct {
	in      FileReturnInput
	now     rules.FilingSnapshot      // the result of the last refresh
	changed workflow.ReceiveChannel   // receives a signal when the record has
	updated bool                      // staff have changed it since the last refresh
	pending int                       // transactions in processing that hold up the approval
	left    activities.ApprovalResult // the result of the last attempt to approve
	pause   time.Duration             // between the last two tries to approve
	manual  int                       // the attempt that people hand over
	refusal string                    // why the authority rejected it, in its own words
	shown   [2]string                 // the values of the search attributes
	overdue bool                      // likewise
}

func newFiling(in FileReturnInput) *filing {
	f := &filing{in: in, shown: [2]string{string(in.Status), ""}} // as the start says it
	// The status decides which Updates are accepted before the first refresh.
	f.now.Status = in.Status
	if in.Seen != nil {
		f.shown[1] = in.Seen.Waits
	}
	return f
}

// end ends the run when every Update has been answered, also those of a run that is cancelled or fails.
func (f *filing) end(ctx workflow.Context, cause error) (FileReturnResult, error) {
	settled, _ := workflow.NewDisconnectedContext(ctx)
	err := workflow.Await(settled, func() bool { return workflow.AllHandlersFinished(settled) })
	return FileReturnResult{Status: f.now.Status}, cmp.Or(cause, err)
}

// refresh reads the record, and shows staff what it found.
func (f *filing) refresh(ctx workflow.Context) error {
	if seen := f.in.Seen; seen != nil {
		f.in.Seen = nil
		if f.begin(ctx, *seen) {
			return nil
		}
	}
	for f.changed.ReceiveAsync(nil) { // the next refresh reads later changes
	}
	f.updated = false
	mark(ctx, refreshActivities)
	err := onRecord(ctx, "Read the record", filings.RefreshFiling, f.at(ctx), &f.now)
	if err == nil {
		f.show(ctx)
	}
	return err
}

// begin takes over what was seen before the start, unless its time has passed. The
// signal that comes with the start is about that; any other one about a change since.
func (f *filing) begin(ctx workflow.Context, seen FilingObservation) bool {
	if seen.Next > 0 {
		if seen.Next = seen.At.Add(seen.Next).Sub(workflow.Now(ctx)); seen.Next <= 0 {
			return false
		}
	}
	f.changed.ReceiveAsync(nil)
	f.now = seen.FilingSnapshot
	f.show(ctx)
	return true
}

// nothing never happens.
func nothing() bool { return false }

// wait returns when the record has changed, when the time has passed (0: never by
// itself) or when something has happened.
func (f *filing) wait(ctx workflow.Context, atMost time.Duration, happened func() bool) error {
	woken := func() bool { return f.updated || f.changed.Len() > 0 || happened() }
	if atMost <= 0 {
		return workflow.Await(ctx, woken)
	}
	options := workflow.AwaitOptions{Timeout: atMost, TimerOptions: workflow.TimerOptions{Summary: f.timerSummary()}}
	_, err := workflow.AwaitWithOptions(ctx, options, woken)
	return err
}

// approve claims the transactions of the period. While some of them are still being
// processed, or cannot be, it tries again: it never leaves one out.
func (f *filing) approve(ctx workflow.Context) error {
	var result activities.ApprovalResult
	err := onRecord(ctx, "Approve and claim the transactions of the period", filings.ApproveFiling, f.at(ctx), &result)
	if err != nil {
		return err
	}
	if (result.Unresolved > 0) != (f.left.Unresolved > 0) {
		f.pause = 0 // it waits for something else now: what was resolved is processed within seconds
	}
	f.pending, f.left = result.Pending, result
	if result.Approved {
		f.pause = 0
		return nil
	}
	f.now.Waits = rules.WaitsForTransactions
	longest := outagePause
	// A person has to resolve what keeps the document from being made, too. Results of earlier releases name nothing of it.
	if result.Unresolved > 0 || len(result.Refused) > 0 {
		f.now.Waits = rules.WaitsForResolution
		if result.Pending == 0 {
			longest = approvalPauseUnresolved
		}
	}
	f.show(ctx)
	f.pause = min(max(2*f.pause, approvalPauseFirst), longest)
	pause := f.pause
	if f.now.Next > 0 {
		pause = min(pause, f.now.Next)
	}
	return f.wait(ctx, pause, nothing)
}

// at names the filing, at this moment.
func (f *filing) at(ctx workflow.Context) activities.FilingInput {
	return activities.FilingInput{
		OrganizationID: f.in.OrganizationID, FilingID: f.in.FilingID, Now: workflow.Now(ctx).UTC(),
	}
}

// filingChanged reports whether an error says that the record is not as the run thought:
// it refreshes.
func filingChanged(err error) bool {
	return activities.IsFilingRefusal(err) || temporal.IsCanceledError(err)
}
