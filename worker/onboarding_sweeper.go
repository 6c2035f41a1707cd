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

// OnboardingPromises are the onboardings for which there is something left to do.
type OnboardingPromises interface {
	// LeaseOnboardings takes up to limit onboardings whose time has come; nobody else
	// gets them until their next time.
	LeaseOnboardings(ctx context.Context, limit int) ([]models.Onboarding, error)
}

// NewOnboardingSweeper makes sure that every onboarding under way has a workflow: one
// that was lost is started again from the record, where it goes on or undoes what is
// left. A workflow that runs is joined without effect.
func NewOnboardingSweeper(client sdkclient.Client, promises OnboardingPromises, log *slog.Logger) *Sweeper {
	return &Sweeper{
		what: "onboardings", tick: 2 * time.Second, rows: 100, calls: 1, budget: rate.NewLimiter(40, 1), log: log,
		due: errands(promises.LeaseOnboardings, func(ctx context.Context, o models.Onboarding) error {
			in := workflows.OnboardingInput{OrganizationID: o.OrganizationID, Status: o.Status, Completed: o.Completed}
			if _, err := client.ExecuteWorkflow(ctx, workflows.OnboardingStart(in), workflows.OnboardingName, in); err != nil {
				return fmt.Errorf("onboarding of %s: %w", o.OrganizationID, err)
			}
			return nil
		}),
	}
}
