package worker

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"golang.org/x/time/rate"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
	"levy/workflows"
)

// DueFilings are the filings whose workflow has something to do.
type DueFilings interface {
	// LeaseFilings takes up to limit filings whose time has come; no other process
	// gets them until their next time, a minute later.
	LeaseFilings(ctx context.Context, limit int) ([]models.FilingDue, error)
	// PutOffFilings makes that a day for filings that have not changed since they were
	// leased: their workflows know them. It announces those that wait for their approval.
	PutOffFilings(ctx context.Context, seen []models.FilingDue) error
}

// NewFilingSweeper signals the workflows of filings that their record has changed, and
// starts those of filings that the plan and the API have written: nothing else starts
// them. On the first of a month all of them begin together, so a start carries what is
// known of the record: a run that only has to wait need not read it again.
func NewFilingSweeper(
	client sdkclient.Client, records DueFilings, policy rules.FilingPolicy, log *slog.Logger,
) *Sweeper {
	n := &filingNotifier{client: client, records: records, policy: policy, log: log}
	return &Sweeper{
		kind: "filings", tick: time.Second, rows: 200, calls: 8, budget: rate.NewLimiter(200, 8), log: log,
		due: tasks(records.LeaseFilings, n.notify), swept: n.putOff,
	}
}

type filingNotifier struct {
	client  sdkclient.Client
	records DueFilings
	policy  rules.FilingPolicy
	log     *slog.Logger

	mu   sync.Mutex
	seen []models.FilingDue // by their workflows, since the last sweep ended
}

func (n *filingNotifier) notify(ctx context.Context, f models.FilingDue) error {
	in := filingStart(f, time.Now().UTC(), n.policy)
	_ = failpoint.Hit("before_filing_notified")
	_, err := n.client.SignalWithStartWorkflow(ctx, workflows.FilingID(f.ID), workflows.RecordChangedSignal, nil,
		workflows.FileReturnStart(in), workflows.FileReturnName, in)
	_ = failpoint.Hit("after_filing_notified")
	if err != nil {
		return fmt.Errorf("filing %s: %w", f.ID, err)
	}
	if in.Seen != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		f.Ready = in.Seen.Waits == rules.WaitsForApproval
		n.seen = append(n.seen, f)
	}
	return nil
}

// filingStart is the argument of the workflow of a filing. What is to be done, be it
// only a reminder, the run finds out by itself.
func filingStart(f models.FilingDue, now time.Time, policy rules.FilingPolicy) workflows.FileReturnInput {
	in := workflows.FileReturnInput{
		OrganizationID: f.OrganizationID, FilingID: f.ID, Jurisdiction: f.Country + "-" + f.State,
		Period: f.Period.Start.String() + "/" + f.Period.End.String(), Category: string(f.Category), Status: f.Status,
	}
	step := rules.NextFilingAction(f.FilingFacts, now, policy)
	if step.Action == rules.FilingWaits && step.Reminders <= f.Reminders {
		in.Seen = &workflows.FilingSeen{
			At: now, FilingSnapshot: rules.FilingSnapshot{FilingFacts: f.FilingFacts, FilingStep: step},
		}
	}
	return in
}

// putOff is for filings whose workflow waits, and knows it. Where it fails they are
// signalled once more.
func (n *filingNotifier) putOff(ctx context.Context) {
	n.mu.Lock()
	seen := n.seen
	n.seen = nil
	n.mu.Unlock()
	if seen == nil {
		return
	}
	if err := n.records.PutOffFilings(ctx, seen); err != nil {
		n.log.WarnContext(ctx, "filings are notified again", "filings", len(seen), "error", err.Error())
	}
}
