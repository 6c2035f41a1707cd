package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

func plan(planner activities.FilingPlanner, in PlanFilingsInput) *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(quietLog))
	env := suite.NewTestWorkflowEnvironment()
	env.SetStartTime(time.Date(2026, 7, 1, 10, 5, 0, 0, time.UTC))
	RegisterFilings(env, activities.NewFiling(nil, nil, models.DefaultFilingRules(), quietLog), activities.NewFilingPlan(planner, noContent, quietLog))
	env.ExecuteWorkflow(PlanFilings, in)
	return env
}

func TestPlanFilings(t *testing.T) {
	t.Parallel()
	t.Run("goes on behind the last registration until all are planned, through outages", func(t *testing.T) {
		t.Parallel()
		planner := &pages{pages: 3, outages: 2}
		env := plan(planner, PlanFilingsInput{})
		require.NoError(t, env.GetWorkflowError())
		var result PlanFilingsResult
		require.NoError(t, env.GetWorkflowResult(&result))
		require.Equal(t, PlanFilingsResult{Registrations: 6, Planned: 3}, result)
		require.Equal(t, []models.PlanCursor{{}, {OrganizationID: newcomer, RegistrationID: "regs_b"}, {OrganizationID: newcomer, RegistrationID: "regs_c"}}, planner.asked)
	})
	t.Run("a long run goes on in a new one, with its moment", func(t *testing.T) {
		t.Parallel()
		planner := &pages{pages: pagesPerRun + 1}
		env := plan(planner, PlanFilingsInput{})
		var next *workflow.ContinueAsNewError
		require.ErrorAs(t, env.GetWorkflowError(), &next)
		require.Len(t, planner.asked, pagesPerRun)
	})
}
