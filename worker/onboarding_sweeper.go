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

// DueOnboardings leases the onboardings that are due.
type DueOnboardings interface {
	// LeaseOnboardings returns up to limit due onboardings. No other process gets them until they are due again.
	LeaseOnboardings(ctx context.Context, limit int) ([]models.Onboarding, error)
}

// NewOnboardingSweeper returns the sweeper that starts the missing workflows of onboardings in progress. A workflow
// continues from the record, or undoes the steps of an onboarding that has ended. The sweeper reads a hundred open
// workflows at a time, so thousands of waiting onboardings cost no start each.
func NewOnboardingSweeper(client sdkclient.Client, records DueOnboardings, log *slog.Logger) *Sweeper {
	return &Sweeper{
		kind: "onboardings", tick: 2 * time.Second, rows: 100, calls: 1, budget: rate.NewLimiter(40, 1), log: log,
		due: func(ctx context.Context, limit int) ([]task, error) {
			due, err := records.LeaseOnboardings(ctx, limit)
			if err != nil || len(due) == 0 {
				return nil, err
			}
			open, _ := openAmong(ctx, client, onboardingIDs(due)) // after an error each start joins an open run
			list := make([]task, len(due))
			for i, o := range due {
				if !open[workflows.OnboardingID(o.OrganizationID)] {
					list[i] = func(ctx context.Context) error { return startOnboarding(ctx, client, o) }
				}
			}
			return list, nil
		},
	}
}

// startOnboarding starts the workflow of an onboarding from its record.
func startOnboarding(ctx context.Context, client sdkclient.Client, o models.Onboarding) error {
	in := workflows.OnboardingInput{OrganizationID: o.OrganizationID, Status: o.Status, Completed: o.Completed}
	if _, err := client.ExecuteWorkflow(ctx, workflows.OnboardingStart(in), workflows.OnboardingName, in); err != nil {
		return fmt.Errorf("onboarding of %s: %w", o.OrganizationID, err)
	}
	return nil
}

// onboardingIDs returns the ids of the workflows of onboardings.
func onboardingIDs(all []models.Onboarding) []string {
	ids := make([]string, len(all))
	for i, o := range all {
		ids[i] = workflows.OnboardingID(o.OrganizationID)
	}
	return ids
}
