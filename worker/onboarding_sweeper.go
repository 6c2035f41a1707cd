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

// DueOnboardings are the onboardings for which there is something left to do.
type DueOnboardings interface {
	// LeaseOnboardings takes up to limit onboardings whose time has come; no other
	// process gets them until their next time.
	LeaseOnboardings(ctx context.Context, limit int) ([]models.Onboarding, error)
}

// NewOnboardingSweeper makes sure that every onboarding under way has a workflow: one
// that was lost is started again from the record, where it goes on or undoes what is
// left. Thousands that wait are asked for a hundred at a time, and cost no start each.
func NewOnboardingSweeper(client sdkclient.Client, records DueOnboardings, log *slog.Logger) *Sweeper {
	return &Sweeper{
		kind: "onboardings", tick: 2 * time.Second, rows: 100, calls: 1, budget: rate.NewLimiter(40, 1), log: log,
		due: func(ctx context.Context, limit int) ([]task, error) {
			due, err := records.LeaseOnboardings(ctx, limit)
			if err != nil || len(due) == 0 {
				return nil, err
			}
			running, err := runningOnboardings(ctx, client, due)
			if err != nil {
				running = nil // a run that is there is joined
			}
			list := make([]task, len(due))
			for i, o := range due {
				if !running[workflows.OnboardingID(o.OrganizationID)] {
					list[i] = func(ctx context.Context) error { return startOnboarding(ctx, client, o) }
				}
			}
			return list, nil
		},
	}
}

func startOnboarding(ctx context.Context, client sdkclient.Client, o models.Onboarding) error {
	in := workflows.OnboardingInput{OrganizationID: o.OrganizationID, Status: o.Status, Completed: o.Completed}
	if _, err := client.ExecuteWorkflow(ctx, workflows.OnboardingStart(in), workflows.OnboardingName, in); err != nil {
		return fmt.Errorf("onboarding of %s: %w", o.OrganizationID, err)
	}
	return nil
}

// runningOnboardings are the ids of those workflows that run by what Temporal lists.
func runningOnboardings(
	ctx context.Context, client sdkclient.Client, all []models.Onboarding,
) (map[string]bool, error) {
	ids := make([]string, len(all))
	for i, o := range all {
		ids[i] = workflows.OnboardingID(o.OrganizationID)
	}
	return openAmong(ctx, client, ids)
}
