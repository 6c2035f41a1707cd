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

// DueRegistrations leases the registrations that are due.
type DueRegistrations interface {
	// LeaseRegistrations returns up to limit due registrations. No other process gets them until they are due again.
	LeaseRegistrations(ctx context.Context, limit int) ([]models.Registration, error)
}

// NewRegistrationSweeper returns the sweeper that starts the workflows of new registrations and signals those of
// changed ones. Nothing else starts them. It does not signal a run without a change, so that the history of a waiting
// run does not grow.
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
