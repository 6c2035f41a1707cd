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

// DueFilings leases the filings that are due.
type DueFilings interface {
	// LeaseFilings returns up to limit due filings. No other process gets them for a minute.
	LeaseFilings(ctx context.Context, limit int) ([]models.FilingDue, error)
	// PutOffFilings puts filings off for a day that have not changed since they were leased, because their workflows
	// know them. It announces those that wait for an approval.
	PutOffFilings(ctx context.Context, seen []models.FilingDue) error
}

// NewFilingSweeper returns the sweeper that starts the workflows of new filings and signals those of changed ones.
// Nothing else starts them. On the first of a month all new filings start together. Therefore a start carries the facts
// of the record, and a run that has to wait need not read them.
func NewFilingSweeper(
	client sdkclient.Client, records DueFilings, policy rules.FilingPolicy, log *slog.Logger,
) *Sweeper {
	n := &filingNotifier{client: client, records: records, policy: policy, log: log}
	return &Sweeper{
		kind: "filings", tick: time.Second, rows: 200, calls: 8, budget: rate.NewLimiter(200, 8), log: log,
		due: tasks(records.LeaseFilings, n.notify), swept: n.putOff,
	}
}

// filingNotifier notifies the workflows of filings.
type filingNotifier struct {
	client  sdkclient.Client
	records DueFilings
	policy  rules.FilingPolicy
	log     *slog.Logger

	mu   sync.Mutex
	seen []models.FilingDue // known to their workflows, since the last sweep
}

// notify starts or signals the workflow of a filing.
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

// filingStart returns the argument of the workflow of a filing. It has the facts of the record only if the run has to
// wait; otherwise the run reads them, even for a reminder.
func filingStart(f models.FilingDue, now time.Time, policy rules.FilingPolicy) workflows.FileReturnInput {
	in := workflows.FileReturnInput{
		OrganizationID: f.OrganizationID, FilingID: f.ID, Jurisdiction: f.Country + "-" + f.State,
		Period: f.Period.Start.String() + "/" + f.Period.End.String(), Category: string(f.Category), Status: f.Status,
	}
	step := rules.NextFilingAction(f.FilingFacts, now, policy)
	if step.Action == rules.FilingWaits && step.Reminders <= f.Reminders {
		in.Seen = &workflows.FilingObservation{
			At: now, FilingSnapshot: rules.FilingSnapshot{FilingFacts: f.FilingFacts, FilingStep: step},
		}
	}
	return in
}

// putOff puts off the filings whose workflow knows that it has to wait. If that fails, they are signalled once more.
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
