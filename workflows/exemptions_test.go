package workflows

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// expiring is a store that expires one exemption in each of its steps, after some
// outages.
type expiring struct {
	steps, outages int
	asked          []activities.ExpiryInput
}

func (e *expiring) ExpireExemptions(
	_ context.Context, today time.Time, after string,
) (models.ExpiredExemptions, error) {
	if e.outages > 0 {
		e.outages--
		return models.ExpiredExemptions{}, models.ErrUnavailable
	}
	e.asked = append(e.asked, activities.ExpiryInput{Today: today.Format(time.DateOnly), After: after})
	return models.ExpiredExemptions{
		Expired: 1, Next: "org_" + string(rune('a'+len(e.asked)%26)), Done: len(e.asked) >= e.steps,
	}, nil
}

func expire(
	store *expiring, in ExpireExemptionsInput, prepare ...func(*testsuite.TestWorkflowEnvironment),
) *testsuite.TestWorkflowEnvironment {
	env := newEnvironment()
	for _, p := range prepare {
		p(env)
	}
	env.SetStartTime(time.Date(2026, 7, 1, 0, 5, 0, 0, time.UTC))
	Register(env, ExemptionsQueue, activities.NewExemptions(store, quietLog))
	env.ExecuteWorkflow(ExpireExemptions, in)
	return env
}

func TestExpireExemptions(t *testing.T) {
	t.Parallel()
	t.Run("continues after the last organization until all are done, through outages", func(t *testing.T) {
		t.Parallel()
		store := &expiring{steps: 3, outages: 2}
		env := expire(store, ExpireExemptionsInput{})
		require.NoError(t, env.GetWorkflowError())
		var result ExpireExemptionsResult
		require.NoError(t, env.GetWorkflowResult(&result))
		require.Equal(t, ExpireExemptionsResult{Today: "2026-07-01", Expired: 3}, result)
		require.Equal(t, []activities.ExpiryInput{
			{Today: "2026-07-01"}, {Today: "2026-07-01", After: "org_b"}, {Today: "2026-07-01", After: "org_c"},
		}, store.asked)
	})
	t.Run("a long run continues in a new one, with its day", func(t *testing.T) {
		t.Parallel()
		store := &expiring{steps: stepsPerRun + 1}
		env := expire(store, ExpireExemptionsInput{Today: "2026-06-30"})
		var next *workflow.ContinueAsNewError
		require.ErrorAs(t, env.GetWorkflowError(), &next)
		require.Len(t, store.asked, stepsPerRun)
		require.Equal(t, "2026-06-30", store.asked[0].Today)
	})
	t.Run("a day that is none fails at once", func(t *testing.T) {
		t.Parallel()
		var failed *temporal.ApplicationError
		require.ErrorAs(
			t, expire(&expiring{steps: 1}, ExpireExemptionsInput{Today: "yesterday"}).GetWorkflowError(),
			&failed,
		)
		require.Equal(t, activities.ErrTypeInvalidInput, failed.Type())
	})
}

// expiryRuns are the scenarios of a run.
var expiryRuns = histories[*expiring]{
	folder: "ExpireExemptions", workflows: map[string]any{ExpireExemptionsName: ExpireExemptions},
	scenarios: func() map[string]*expiring {
		return map[string]*expiring{
			"nothing": {steps: 1}, "several-steps": {steps: 3}, "outage": {steps: 1, outages: 1},
		}
	},
}

func TestReplayExpireExemptions(t *testing.T) {
	t.Parallel()
	expiryRuns.replayAll(t)
}
