package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// FileReturnInput names the filing. What else it says is for those who search for it.
type FileReturnInput struct {
	OrganizationID string              `json:"organization_id"`
	FilingID       string              `json:"filing_id"`
	Jurisdiction   string              `json:"jurisdiction"` // US-NV
	Period         string              `json:"period"`       // 2026-01-01/2026-01-31
	Category       string              `json:"category"`
	Status         models.FilingStatus `json:"status"`
	// Seen is the record as it was when the run was started, if all there is to do is to
	// wait: the run begins with it and not with a look of its own.
	Seen *FilingSeen `json:"seen,omitempty"`
}

// FilingSeen is what somebody else saw of the record, and when.
type FilingSeen struct {
	models.FilingLook
	At time.Time `json:"at"`
}

// FileReturnResult says how the filing ended.
type FileReturnResult struct {
	Status models.FilingStatus `json:"status"`
}

var filings *activities.Filing

// FileReturn carries a filing to its end, for as many years as that takes: it waits
// for the approval or approves by itself, hands the return to the authority and writes
// down what the authority says. Its record decides: the run looks at it, does what is
// next, and looks again when the time has come or somebody changed it.
func FileReturn(ctx workflow.Context, in FileReturnInput) (FileReturnResult, error) {
	f := newFiling(in)
	in.Seen = nil // a run that goes on from this one looks by itself
	if err := f.listen(ctx); err != nil {
		return FileReturnResult{}, err
	}
	for {
		if err := f.look(ctx); err != nil {
			return FileReturnResult{}, err
		}
		var err error
		switch f.now.Action {
		case models.FilingEnds:
			return f.result(ctx)
		case models.FilingWaits:
			err = f.wait(ctx, f.now.Next, nothing)
		case models.FilingApproves:
			err = f.approve(ctx)
		case models.FilingResumes:
			err = f.record(ctx, "The pause is over", filings.ResumeFiling, f.at(ctx), nil)
		case models.FilingSubmits:
			err = f.file(ctx)
		case models.FilingLocks:
			err = f.record(ctx, "Lock the transactions", filings.LockFiling, f.at(ctx), nil)
		}
		if err != nil {
			return FileReturnResult{}, err
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() && workflow.AllHandlersFinished(ctx) {
			in.Status = f.now.Status
			return FileReturnResult{}, workflow.NewContinueAsNewError(ctx, FileReturnName, in)
		}
	}
}

// filing is the state of a run.
type filing struct {
	in      FileReturnInput
	now     models.FilingLook       // what the last look found
	changed workflow.ReceiveChannel // somebody says that the record has
	moved   bool                    // staff have changed it since the last look
	pending int                     // transactions that hold up the approval
	pause   time.Duration           // between the last two tries to approve
	byHand  int                     // the attempt that people hand over
	shown   [2]string               // the values of the search attributes
}

func newFiling(in FileReturnInput) *filing {
	f := &filing{in: in, shown: [2]string{string(in.Status), ""}} // as the start says it
	f.now.Status = in.Status                                      // what may be asked of it is known before the first look
	if in.Seen != nil {
		f.shown[1] = in.Seen.Waits
	}
	return f
}

func (f *filing) result(ctx workflow.Context) (FileReturnResult, error) {
	err := workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) })
	return FileReturnResult{Status: f.now.Status}, err
}

// look reads the record, and shows staff what it found.
func (f *filing) look(ctx workflow.Context) error {
	if seen := f.in.Seen; seen != nil {
		f.in.Seen = nil
		if f.begin(ctx, *seen) {
			return nil
		}
	}
	for f.changed.ReceiveAsync(nil) { // what comes from now on is looked at again
	}
	f.moved = false
	err := f.record(ctx, "Look at the record", filings.LookAtFiling, f.at(ctx), &f.now)
	if err == nil {
		f.show(ctx)
	}
	return err
}

// begin takes over what was seen before the start, unless its time has passed. The
// signal that comes with the start tells of that; any other one of a change since.
func (f *filing) begin(ctx workflow.Context, seen FilingSeen) bool {
	if seen.Next > 0 {
		if seen.Next = seen.At.Add(seen.Next).Sub(workflow.Now(ctx)); seen.Next <= 0 {
			return false
		}
	}
	f.changed.ReceiveAsync(nil)
	f.now = seen.FilingLook
	f.show(ctx)
	return true
}

// nothing never happens.
func nothing() bool { return false }

// wait returns when the record has changed, when the time has passed (0: never by
// itself) or when something has happened.
func (f *filing) wait(ctx workflow.Context, atMost time.Duration, happened func() bool) error {
	woken := func() bool { return f.moved || f.changed.Len() > 0 || happened() }
	if atMost <= 0 {
		return workflow.Await(ctx, woken)
	}
	options := workflow.AwaitOptions{Timeout: atMost, TimerOptions: workflow.TimerOptions{Summary: f.timerSummary()}}
	_, err := workflow.AwaitWithOptions(ctx, options, woken)
	return err
}

// A filing whose transactions are still being processed is tried again soon, for most
// of them take seconds, and ever less often.
const (
	approvalPauseFirst = 2 * time.Second
	approvalPauseMost  = 10 * time.Minute
)

// approve claims the transactions of the period. While some of them are still being
// processed it tries again.
func (f *filing) approve(ctx workflow.Context) error {
	var result activities.ApprovalResult
	if err := f.record(ctx, "Approve and claim the transactions of the period", filings.ApproveFiling, f.at(ctx), &result); err != nil {
		return err
	}
	f.pending = result.Pending
	if result.Approved {
		f.pause = 0
		return nil
	}
	f.now.Waits = models.WaitsForTransactions
	f.show(ctx)
	f.pause = min(max(2*f.pause, approvalPauseFirst), approvalPauseMost)
	pause := f.pause
	if f.now.Next > 0 {
		pause = min(pause, f.now.Next)
	}
	return f.wait(ctx, pause, nothing)
}

// at names the filing, at this moment.
func (f *filing) at(ctx workflow.Context) activities.FilingInput {
	return activities.FilingInput{OrganizationID: f.in.OrganizationID, FilingID: f.in.FilingID, Now: workflow.Now(ctx).UTC()}
}

// record does something with the record of the filing. It is never given up.
func (f *filing) record(ctx workflow.Context, summary string, activity, in, out any) error {
	options := recordOptions
	options.Summary = summary
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), activity, in).Get(ctx, out)
}

// overtaken reports whether an error says that the record is not as the run thought:
// it looks again.
func overtaken(err error) bool {
	return activities.IsFilingRefusal(err) || temporal.IsCanceledError(err)
}
