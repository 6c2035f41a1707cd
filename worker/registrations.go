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
	registrationTick = time.Second
	registrationRows = 100
	// registrationStarts is the budget of calls per second.
	registrationStarts = 40
)

// RegistrationPromises are the registrations whose workflow has something to do.
type RegistrationPromises interface {
	// LeaseRegistrations takes up to limit registrations whose time has come; nobody
	// else gets them until their next time.
	LeaseRegistrations(ctx context.Context, limit int) ([]models.Registration, error)
}

// RegistrationRelay tells the workflows of registrations that their record has
// changed, and makes sure that there is one: it starts what the API and the nexus have
// written, and what was terminated or lost with Temporal's data. Nobody else does.
type RegistrationRelay struct {
	client   sdkclient.Client
	promises RegistrationPromises
	budget   *rate.Limiter
	log      *slog.Logger
}

// NewRegistrationRelay makes a relay; Run makes it work. Every process may have one.
func NewRegistrationRelay(client sdkclient.Client, promises RegistrationPromises, log *slog.Logger) *RegistrationRelay {
	return &RegistrationRelay{client: client, promises: promises, budget: rate.NewLimiter(registrationStarts, registrationStarts), log: log}
}

// Run looks about once a second until ctx ends.
func (r *RegistrationRelay) Run(ctx context.Context) {
	for {
		if more := r.look(ctx); more {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(jittered(registrationTick)):
		}
	}
}

// look takes what is due once. It reports whether more is to be expected at once.
func (r *RegistrationRelay) look(ctx context.Context) (more bool) {
	due, err := r.promises.LeaseRegistrations(ctx, registrationRows)
	if err != nil {
		if ctx.Err() == nil {
			r.log.WarnContext(ctx, "registrations not read", "error", err.Error())
		}
		return false
	}
	for _, reg := range due {
		if r.budget.Wait(ctx) != nil {
			return false
		}
		if err := r.tell(ctx, reg); err != nil {
			r.log.WarnContext(ctx, "workflow of a registration not told", "organization_id", reg.OrganizationID, "registration_id", reg.ID, "error", err.Error())
			return false // Temporal is away: the others are due again soon
		}
	}
	return len(due) == registrationRows && ctx.Err() == nil
}

// tell starts the workflow of a registration or, while it runs, has it look at its
// record if that has changed. One that waits costs no history for being there.
func (r *RegistrationRelay) tell(ctx context.Context, reg models.Registration) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	in := workflows.RegistrationInput{
		OrganizationID: reg.OrganizationID, RegistrationID: reg.ID, Jurisdiction: reg.CountryCode + "-" + reg.StateCode, Status: reg.Status,
	}
	start := workflows.RegistrationStart(in)
	if !reg.Changed {
		_, err := r.client.ExecuteWorkflow(ctx, start, workflows.RegistrationName, in)
		return err
	}
	_, err := r.client.SignalWithStartWorkflow(ctx, start.ID, workflows.RecordChangedSignal, nil, start, workflows.RegistrationName, in)
	return err
}
