package worker

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"golang.org/x/time/rate"

	"levy/models"
	"levy/models/failpoint"
	"levy/workflows"
)

// FilingPromises are the filings whose workflow has something to do.
type FilingPromises interface {
	// LeaseFilings takes up to limit filings whose time has come; nobody else gets them
	// until their next time, a minute later.
	LeaseFilings(ctx context.Context, limit int) ([]models.FilingDue, error)
	// PutOffFilings makes that a day for filings that have not changed since they were
	// leased: their workflows know them.
	PutOffFilings(ctx context.Context, seen []models.FilingDue) error
}

// NewFilingSweeper tells the workflows of filings that their record has changed, and
// starts those of filings that the plan and the API have written: nobody else does. On
// the first of a month all of them begin together, so a start carries what is known of
// the record: a run that only has to wait needs no look of its own.
func NewFilingSweeper(client sdkclient.Client, promises FilingPromises, rules models.FilingRules, log *slog.Logger) *Sweeper {
	t := &filingTeller{client: client, promises: promises, rules: rules, log: log}
	return &Sweeper{
		what: "filings", tick: time.Second, rows: 200, calls: 8, budget: rate.NewLimiter(200, 8), log: log,
		due: errands(promises.LeaseFilings, t.tell), swept: t.putOff,
	}
}

type filingTeller struct {
	client   sdkclient.Client
	promises FilingPromises
	rules    models.FilingRules
	log      *slog.Logger

	mu   sync.Mutex
	seen []models.FilingDue // by their workflows, since the last sweep ended
}

func (t *filingTeller) tell(ctx context.Context, f models.FilingDue) error {
	in := filingStart(f, time.Now().UTC(), t.rules)
	_ = failpoint.Hit("before_filing_told")
	_, err := t.client.SignalWithStartWorkflow(ctx, workflows.FilingID(f.ID), workflows.RecordChangedSignal, nil,
		workflows.FileReturnStart(in), workflows.FileReturnName, in)
	_ = failpoint.Hit("after_filing_told")
	if err != nil {
		return fmt.Errorf("filing %s: %w", f.ID, err)
	}
	if in.Seen != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.seen = append(t.seen, f)
	}
	return nil
}

// filingStart is the argument of the workflow of a filing. What is to be done, be it
// only a reminder, the run finds out by itself.
func filingStart(f models.FilingDue, now time.Time, rules models.FilingRules) workflows.FileReturnInput {
	in := workflows.FileReturnInput{
		OrganizationID: f.OrganizationID, FilingID: f.ID, Jurisdiction: f.Country + "-" + f.State,
		Period: f.Period.Start.String() + "/" + f.Period.End.String(), Category: string(f.Category), Status: f.Status,
	}
	if step := f.Step(now, rules); step.Action == models.FilingWaits && step.Reminders <= f.Reminders {
		in.Seen = &workflows.FilingSeen{At: now, FilingLook: models.FilingLook{FilingWatch: f.FilingWatch, FilingStep: step}}
	}
	return in
}

// putOff is for filings whose workflow waits, and knows it. Where it fails they are told
// once more.
func (t *filingTeller) putOff(ctx context.Context) {
	t.mu.Lock()
	seen := t.seen
	t.seen = nil
	t.mu.Unlock()
	if seen == nil {
		return
	}
	if err := t.promises.PutOffFilings(ctx, seen); err != nil {
		t.log.WarnContext(ctx, "filings are told again", "filings", len(seen), "error", err.Error())
	}
}
