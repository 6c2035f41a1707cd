package worker

import (
	"context"
	"fmt"
	"log/slog"
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
	// until their next time.
	LeaseFilings(ctx context.Context, limit int) ([]models.Filing, error)
}

// NewFilingSweeper tells the workflows of filings that their record has changed, and
// starts those of filings that the plan and the API have written: nobody else does. On
// the first of a month all of them begin together.
func NewFilingSweeper(client sdkclient.Client, promises FilingPromises, log *slog.Logger) *Sweeper {
	return &Sweeper{
		what: "filings", tick: time.Second, rows: 200, calls: 8, budget: rate.NewLimiter(200, 8), log: log,
		due: errands(promises.LeaseFilings, func(ctx context.Context, f models.Filing) error {
			in := workflows.FileReturnInput{
				OrganizationID: f.OrganizationID, FilingID: f.ID, Jurisdiction: f.CountryCode + "-" + f.StateCode,
				Period:   f.StartDate.Format(time.DateOnly) + "/" + f.EndDate.Format(time.DateOnly),
				Category: string(f.FilingCategory), Status: f.Status,
			}
			_ = failpoint.Hit("before_filing_told")
			_, err := client.SignalWithStartWorkflow(ctx, workflows.FilingID(f.ID), workflows.RecordChangedSignal, nil,
				workflows.FileReturnStart(in), workflows.FileReturnName, in)
			_ = failpoint.Hit("after_filing_told")
			if err != nil {
				return fmt.Errorf("filing %s: %w", f.ID, err)
			}
			return nil
		}),
	}
}
