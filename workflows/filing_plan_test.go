package workflows

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
	"levy/rules"
	"levy/tax"
)

// pages is a planner that finds two registrations on each of its pages, after some
// outages.
type pages struct {
	pages, outages int
	asked          []models.PlanCursor
}

func (p *pages) PlanFilings(
	_ context.Context, after models.PlanCursor, _ func(models.Registration) []models.Filing,
) (models.PlanPage, error) {
	if p.outages > 0 {
		p.outages--
		return models.PlanPage{}, models.ErrUnavailable
	}
	p.asked = append(p.asked, after)
	return models.PlanPage{
		Registrations: 2, Planned: 1, Next: models.PlanCursor{
			OrganizationID: theOrganization, RegistrationID: "regs_" + string(rune('a'+len(p.asked)%26)),
		},
		Done: len(p.asked) >= p.pages,
	}, nil
}

func (p *pages) PlanRegistration(
	context.Context, models.Scope, string, func(models.Registration) []models.Filing,
) (models.PlanPage, error) {
	return models.PlanPage{}, nil
}

func noContent() *tax.Content { return nil }

func plan(
	planner activities.FilingPlanner, in PlanFilingsInput, prepare ...func(*testsuite.TestWorkflowEnvironment),
) *testsuite.TestWorkflowEnvironment {
	env := newEnvironment()
	for _, p := range prepare {
		p(env)
	}
	env.SetStartTime(time.Date(2026, 7, 1, 10, 5, 0, 0, time.UTC))
	Register(
		env, FilingsQueue, activities.NewFiling(nil, nil, nil, rules.DefaultFilingPolicy(), quietLog),
		activities.NewFilingPlan(planner, noContent, quietLog),
	)
	env.ExecuteWorkflow(PlanFilings, in)
	return env
}

func TestPlanFilings(t *testing.T) {
	t.Parallel()
	t.Run("continues after the last registration until all are planned, through outages", func(t *testing.T) {
		t.Parallel()
		planner := &pages{pages: 3, outages: 2}
		env := plan(planner, PlanFilingsInput{})
		require.NoError(t, env.GetWorkflowError())
		var result PlanFilingsResult
		require.NoError(t, env.GetWorkflowResult(&result))
		require.Equal(t, PlanFilingsResult{Registrations: 6, Planned: 3}, result)
		require.Equal(t, []models.PlanCursor{
			{}, {OrganizationID: theOrganization, RegistrationID: "regs_b"},
			{OrganizationID: theOrganization, RegistrationID: "regs_c"},
		}, planner.asked)
	})
	t.Run("a long run continues in a new one, with its moment", func(t *testing.T) {
		t.Parallel()
		planner := &pages{pages: stepsPerRun + 1}
		env := plan(planner, PlanFilingsInput{})
		var next *workflow.ContinueAsNewError
		require.ErrorAs(t, env.GetWorkflowError(), &next)
		require.Len(t, planner.asked, stepsPerRun)
	})
}

// planRuns are the scenarios of a run.
var planRuns = histories[*pages]{
	folder: "PlanFilings", workflows: map[string]any{PlanFilingsName: PlanFilings},
	scenarios: func() map[string]*pages {
		return map[string]*pages{"nothing": {pages: 1}, "several-pages": {pages: 3}, "outage": {pages: 1, outages: 1}}
	},
}

func TestReplayPlanFilings(t *testing.T) {
	t.Parallel()
	planRuns.replayAll(t)
}
