package worker

import (
	"context"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"golang.org/x/time/rate"

	"levy/models"
	"levy/workflows"
)

const (
	sweepTick = 2 * time.Second
	sweepRows = 100
	// sweepStarts is the budget of starts per second: most of them only join a run.
	sweepStarts = 40
)

// OnboardingPromises are the onboardings for which there is something left to do.
type OnboardingPromises interface {
	// LeaseOnboardings takes up to limit onboardings whose time has come; nobody else
	// gets them until their next time.
	LeaseOnboardings(ctx context.Context, limit int) ([]models.Onboarding, error)
}

// Sweeper makes sure that every onboarding under way has a workflow: one that was
// terminated, or lost with Temporal's data, is started again from the record, where
// it goes on or undoes what is left. A workflow that runs is joined without effect.
type Sweeper struct {
	client   sdkclient.Client
	promises OnboardingPromises
	budget   *rate.Limiter
	log      *slog.Logger
}

// NewSweeper makes a sweeper; Run makes it work. Every process may have one.
func NewSweeper(client sdkclient.Client, promises OnboardingPromises, log *slog.Logger) *Sweeper {
	return &Sweeper{client: client, promises: promises, budget: rate.NewLimiter(sweepStarts, 1), log: log}
}

// Run sweeps until ctx ends.
func (s *Sweeper) Run(ctx context.Context) {
	for {
		if more := s.sweep(ctx); more {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(jittered(sweepTick)):
		}
	}
}

// sweep takes what is due once. It reports whether more is to be expected at once.
func (s *Sweeper) sweep(ctx context.Context) (more bool) {
	due, err := s.promises.LeaseOnboardings(ctx, sweepRows)
	if err != nil {
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "onboardings not read", "error", err.Error())
		}
		return false
	}
	for _, o := range due {
		if s.budget.Wait(ctx) != nil {
			return false
		}
		if err := s.start(ctx, o); err != nil {
			s.log.WarnContext(ctx, "onboarding not started", "organization_id", o.OrganizationID, "error", err.Error())
			return false // Temporal is away: the others are due again later
		}
	}
	return len(due) == sweepRows && ctx.Err() == nil
}

func (s *Sweeper) start(ctx context.Context, o models.Onboarding) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	in := workflows.OnboardingInput{OrganizationID: o.OrganizationID, Status: o.Status, Completed: o.Completed}
	_, err := s.client.ExecuteWorkflow(ctx, workflows.OnboardingStart(in), workflows.OnboardingName, in)
	return err
}
