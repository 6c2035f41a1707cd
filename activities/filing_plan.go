package activities

import (
	"context"
	"log/slog"
	"time"

	"levy/models"
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

// PlanFilings plans one page of registrations: every period that has ended and for
// which nothing was planned gets its filing. What is there already stays.
func (p *FilingPlan) PlanFilings(ctx context.Context, in PlanInput) (PlanResult, error) {
	return p.plan(ctx, in.Now, func(ctx context.Context, periods func(models.Registration) []models.Filing) (models.PlanPage, error) {
		return p.store.PlanFilings(ctx, in.After, periods)
	})
}

// PlanRegistration does the same for a registration that has just come into force.
func (p *FilingPlan) PlanRegistration(ctx context.Context, in PlanRegistrationInput) (PlanResult, error) {
	return p.plan(ctx, in.Now, func(ctx context.Context, periods func(models.Registration) []models.Filing) (models.PlanPage, error) {
		return p.store.PlanRegistration(ctx, models.Scope{OrganizationID: in.OrganizationID}, in.RegistrationID, periods)
	})
}

func (p *FilingPlan) plan(ctx context.Context, now time.Time, work func(context.Context, func(models.Registration) []models.Filing) (models.PlanPage, error)) (PlanResult, error) {
	if now.IsZero() {
		return PlanResult{}, invalidInput("no moment given")
	}
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	defer beat(ctx)()
	var page models.PlanPage
	err := guarded(ctx, p.log, func(ctx context.Context) (err error) {
		content := p.content()
		days := calendar{now: now, known: map[string]tax.Date{}}
		page, err = work(ctx, func(e models.Registration) []models.Filing {
			return ended(content, e, days.yesterday(e.CountryCode, e.StateCode))
		})
		return err
	})
	if err != nil {
		p.log.WarnContext(ctx, "filings not planned", "error", diagnosis(err))
		// Nothing here is bound to one record: whatever it is, it is tried again.
		return PlanResult{}, failure(err, 1, false)
	}
	return PlanResult{Registrations: page.Registrations, Planned: page.Planned, Next: page.Next, Done: page.Done}, nil
}

// ended lists what is to be filed for the periods that ended on or before last.
func ended(content *tax.Content, e models.Registration, last tax.Date) []models.Filing {
	periods := e.Ended(last)
	filings := make([]models.Filing, len(periods))
	for i, p := range periods {
		frequency := string(p.Frequency)
		currency, _ := models.CurrencyOf(e.CountryCode, p.End)
		filings[i] = models.Filing{
			OrganizationID: e.OrganizationID, ID: models.NewID(models.PrefixFiling), RegistrationID: e.ID,
			CountryCode: e.CountryCode, StateCode: e.StateCode, StateName: &e.StateName,
			StartDate: p.Start.Time(), EndDate: p.End.Time(), FilingCategory: p.Category, FilingFrequency: &frequency,
			Currency: currency,
		}
		if e.CountryCode != "US" {
			continue // the content knows no due days of other countries
		}
		if due, ok := content.FilingDue(e.StateCode, p.Frequency, p.FilingPeriod); ok {
			day := due.Date.Time()
			filings[i].DueDate = &day
		}
	}
	return filings
}

// calendar tells which days are over at one moment.
type calendar struct {
	now   time.Time
	known map[string]tax.Date
}

// yesterday is the last day that is over both where the authority sits and in UTC, by
// which approvals go.
func (c calendar) yesterday(country, state string) tax.Date {
	zone := tax.ZoneOf(country, state)
	day, ok := c.known[zone]
	if !ok {
		day = min(tax.DateOf(c.now.UTC()), tax.DateOf(c.now.In(models.AuthorityZone(country, state)))).AddDays(-1)
		c.known[zone] = day
	}
	return day
}
