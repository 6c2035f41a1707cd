package worker

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"golang.org/x/time/rate"

	"levy/models"
	"levy/workflows"
)

// DueRegistrations are the registrations whose workflow has something to do.
type DueRegistrations interface {
	// LeaseRegistrations takes up to limit registrations whose time has come; no
	// other process gets them until their next time.
	LeaseRegistrations(ctx context.Context, limit int) ([]models.Registration, error)
}

// NewRegistrationSweeper signals the workflows of registrations that their record has
// changed, and starts those of registrations that the API and the nexus have written:
// nothing else starts them. The history of a run that only waits does not grow.
func NewRegistrationSweeper(client sdkclient.Client, records DueRegistrations, log *slog.Logger) *Sweeper {
	return &Sweeper{
		kind: "registrations", tick: time.Second, rows: 100, calls: 4, budget: rate.NewLimiter(100, 4), log: log,
		due: tasks(records.LeaseRegistrations, func(ctx context.Context, reg models.Registration) (err error) {
			in := workflows.RegistrationInput{
				OrganizationID: reg.OrganizationID, RegistrationID: reg.ID,
				Jurisdiction: reg.CountryCode + "-" + reg.StateCode, Status: reg.Status,
			}
			start := workflows.RegistrationStart(in)
			if reg.Changed {
				_, err = client.SignalWithStartWorkflow(
					ctx, start.ID, workflows.RecordChangedSignal, nil, start, workflows.RegistrationName, in,
				)
			} else {
				_, err = client.ExecuteWorkflow(ctx, start, workflows.RegistrationName, in)
			}
			if err != nil {
				return fmt.Errorf("registration %s: %w", reg.ID, err)
			}
			return nil
		}),
	}
}
