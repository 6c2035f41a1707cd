package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"golang.org/x/time/rate"

	"levy/models"
	"levy/models/failpoint"
	"levy/workflows"
)

const (
	filingTick = time.Second
	filingRows = 200
	// filingCalls go out at once, filingStarts in a second at most: on the first of a
	// month all filings begin together, and transactions want to be processed meanwhile.
	filingCalls  = 8
	filingStarts = 200
)

// FilingPromises are the filings whose workflow has something to do.
type FilingPromises interface {
	// LeaseFilings takes up to limit filings whose time has come; nobody else gets them
	// until their next time.
	LeaseFilings(ctx context.Context, limit int) ([]models.Filing, error)
}

// FilingRelay tells the workflows of filings that their record has changed, and makes
// sure that there is one: it starts what the plan and the API have written, and what
// was terminated or lost with Temporal's data. Nobody else starts one.
type FilingRelay struct {
	client   sdkclient.Client
	promises FilingPromises
	budget   *rate.Limiter
	log      *slog.Logger
}

// NewFilingRelay makes a relay; Run makes it work. Every process may have one.
func NewFilingRelay(client sdkclient.Client, promises FilingPromises, log *slog.Logger) *FilingRelay {
	return &FilingRelay{client: client, promises: promises, budget: rate.NewLimiter(filingStarts, filingCalls), log: log}
}

// Run looks about once a second until ctx ends.
func (r *FilingRelay) Run(ctx context.Context) {
	for {
		if more := r.look(ctx); more {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(jittered(filingTick)):
		}
	}
}

// look takes what is due once. It reports whether more is to be expected at once.
func (r *FilingRelay) look(ctx context.Context) (more bool) {
	due, err := r.promises.LeaseFilings(ctx, filingRows)
	if err != nil {
		if ctx.Err() == nil {
			r.log.WarnContext(ctx, "filings not read", "error", err.Error())
		}
		return false
	}
	failed := make(chan error, len(due))
	next := make(chan models.Filing)
	var calls sync.WaitGroup
	for range min(filingCalls, len(due)) {
		calls.Go(func() {
			for f := range next {
				if err := r.tell(ctx, f); err != nil {
					failed <- err
				}
			}
		})
	}
	for _, f := range due {
		// Once Temporal is away, the others are due again in a minute.
		if len(failed) > 0 || r.budget.Wait(ctx) != nil {
			break
		}
		next <- f
	}
	close(next)
	calls.Wait()
	select {
	case err := <-failed:
		r.log.WarnContext(ctx, "workflows of filings not told", "filings", len(due), "error", err.Error())
		return false
	default:
		return len(due) == filingRows && ctx.Err() == nil
	}
}

// tell starts the workflow of a filing or, while it runs, has it look at its record.
func (r *FilingRelay) tell(ctx context.Context, f models.Filing) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	in := workflows.FileReturnInput{
		OrganizationID: f.OrganizationID, FilingID: f.ID, Jurisdiction: f.CountryCode + "-" + f.StateCode,
		Period:   f.StartDate.Format(time.DateOnly) + "/" + f.EndDate.Format(time.DateOnly),
		Category: string(f.FilingCategory), Status: f.Status,
	}
	_ = failpoint.Hit("before_filing_told")
	_, err := r.client.SignalWithStartWorkflow(ctx, workflows.FilingID(f.ID), workflows.RecordChangedSignal, nil,
		workflows.FileReturnStart(in), workflows.FileReturnName, in)
	_ = failpoint.Hit("after_filing_told")
	return err
}
