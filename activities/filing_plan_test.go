package activities_test

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// oneRegistration is a store with one registration; it keeps what is planned for it.
type oneRegistration struct {
	registration models.Registration
	planned      []models.Filing
}

func (o *oneRegistration) PlanFilings(
	_ context.Context, _ models.PlanCursor, periods func(models.Registration) []models.Filing,
) (models.PlanPage, error) {
	o.planned = periods(o.registration)
	return models.PlanPage{Registrations: 1, Planned: len(o.planned), Done: true}, nil
}

func (o *oneRegistration) PlanRegistration(
	ctx context.Context, _ models.Scope, _ string, periods func(models.Registration) []models.Filing,
) (models.PlanPage, error) {
	return o.PlanFilings(ctx, models.PlanCursor{}, periods)
}

// A day is over when it has ended both at the authority and in UTC. Until then sales are possible on it, and no return
// is approved.
func TestAPeriodIsPlannedWhenItIsOverThereAndInUTC(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	for _, test := range []struct{ rule, country, state, over string }{
		{"New York in winter is five hours behind", "US", "NY", "2026-02-01T05:00:00Z"},
		{"Hawaii is ten hours behind", "US", "HI", "2026-02-01T10:00:00Z"},
		{"Newfoundland is three and a half hours behind", "CA", "NL", "2026-02-01T03:30:00Z"},
		{"Berlin is ahead, and waits for UTC", "DE", "DE", "2026-02-01T00:00:00Z"},
		{"the one-stop shop waits for UTC", "ZZ_EU", "ZZ_EU", "2026-02-01T00:00:00Z"},
		{"summer time has begun since in New York", "US", "NY", "2026-04-01T04:00:00Z"},
		{"summer time has ended since in London", "GB", "GB", "2026-11-01T00:00:00Z"},
		{"February of a leap year has 29 days", "US", "TX", "2028-03-01T06:00:00Z"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			over, err := time.Parse(time.RFC3339, test.over)
			require.NoError(t, err)
			first := time.Date(over.Year(), over.Month()-1, 1, 0, 0, 0, 0, time.UTC)
			store := &oneRegistration{registration: models.Registration{
				ID: "regs_1", OrganizationID: "org_1", CountryCode: test.country, StateCode: test.state,
				Status: models.RegistrationRegistered, RegistrationDate: &first,
				Frequencies: []models.RegistrationFrequency{{FromDate: first, FilingFrequency: calendar.FilingMonthly}},
			}}
			plan := activities.NewFilingPlan(
				store, func() *tax.Content { return engine }, slog.New(slog.NewTextHandler(io.Discard, nil)),
			)
			var suite testsuite.WorkflowTestSuite
			env := suite.NewTestActivityEnvironment()
			env.RegisterActivity(plan)
			for _, at := range []time.Time{over.Add(-time.Second), over} {
				_, err := env.ExecuteActivity(plan.PlanFilings, activities.PlanInput{Now: at})
				require.NoError(t, err)
				if at.Before(over) {
					require.Empty(t, store.planned)
				}
			}
			require.Len(t, store.planned, 1)
			require.Equal(t, over.Truncate(24*time.Hour).AddDate(0, 0, -1), store.planned[0].EndDate)
		})
	}
}
