package activities

import (
	"context"
	"log/slog"
	"time"

	"levy/models"
	"levy/rules"
	"levy/tax"
)

// FilingPlan holds the activities of the workflow PlanFilings.
type FilingPlan struct {
	store   FilingPlanner
	content func() *tax.Content
	log     *slog.Logger
}

// NewFilingPlan returns the activities of PlanFilings. content is the tax content in
// force.
func NewFilingPlan(store FilingPlanner, content func() *tax.Content, log *slog.Logger) *FilingPlan {
	return &FilingPlan{store: store, content: content, log: log}
}

// PlanInput says which moment it is, and where to go on.
type PlanInput struct {
	Now   time.Time         `json:"now"`
	After models.PlanCursor `json:"after"`
}

// PlanRegistrationInput names one registration.
type PlanRegistrationInput struct {
	Now            time.Time `json:"now"`
	OrganizationID string    `json:"organization_id"`
	RegistrationID string    `json:"registration_id"`
}

// PlanResult says what was done and where to go on.
type PlanResult struct {
	Registrations int               `json:"registrations"`
	Planned       int               `json:"planned"`
	Next          models.PlanCursor `json:"next"`
	Done          bool              `json:"done"`
}

// PlanFilings plans one page of registrations: every ended period without a filing gets one. Existing filings stay as
// they are.
func (p *FilingPlan) PlanFilings(ctx context.Context, in PlanInput) (PlanResult, error) {
	return p.plan(ctx, in.Now, func(
		ctx context.Context, periods func(models.Registration) []models.Filing,
	) (models.PlanPage, error) {
		return p.store.PlanFilings(ctx, in.After, periods)
	})
}

// PlanRegistration does the same for a registration that has just come into force.
func (p *FilingPlan) PlanRegistration(ctx context.Context, in PlanRegistrationInput) (PlanResult, error) {
	return p.plan(ctx, in.Now, func(
		ctx context.Context, periods func(models.Registration) []models.Filing,
	) (models.PlanPage, error) {
		scope := models.Scope{OrganizationID: in.OrganizationID}
		return p.store.PlanRegistration(ctx, scope, in.RegistrationID, periods)
	})
}

func (p *FilingPlan) plan(
	ctx context.Context, now time.Time,
	work func(context.Context, func(models.Registration) []models.Filing) (models.PlanPage, error),
) (PlanResult, error) {
	if now.IsZero() {
		return PlanResult{}, invalidInput("no moment given")
	}
	var page models.PlanPage
	err := withHeartbeats(ctx, p.log, func(ctx context.Context) (err error) {
		page, err = work(ctx, rules.FilingPlan(p.content(), now))
		return err
	})
	if err != nil {
		p.log.WarnContext(ctx, "filings not planned", failureAttributes(ctx, err)...)
		// Nothing here is bound to one record: whatever it is, it is retried.
		return PlanResult{}, failure(err, 0)
	}
	return PlanResult{Registrations: page.Registrations, Planned: page.Planned, Next: page.Next, Done: page.Done}, nil
}
