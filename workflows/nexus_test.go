package workflows

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// nexusScenario is a course of the nexus workflows: what their activities find.
type nexusScenario struct {
	workflow    string
	input       any
	obligations []models.ChangedObligation // of each evaluation
	changes     int                        // of the obligation, one after the other
	pages       int                        // of organizations, or of sales to be queued again
	underWay    int                        // sales that are being calculated meanwhile
	outages     int
	refuses     string // the activity that refuses its input for good

	calls []string
}

// oneObligation is the obligation of that record, as an evaluation finds it.
var oneObligation = models.ChangedObligation{NexusRef: oneNexus, Organization: "Acme", Jurisdiction: "US-NV"}

var oneNexus = models.NexusRef{OrganizationID: "org_a", NexusID: "nexs_a"}

func nexusScenarios() map[string]*nexusScenario {
	evaluate := EvaluateNexusInput{Organizations: []string{"org_a", "org_b"}}
	changed := []models.ChangedObligation{oneObligation}
	return map[string]*nexusScenario{
		"evaluated":           {workflow: EvaluateNexusName, input: evaluate, outages: 1},
		"obligation-began":    {workflow: EvaluateNexusName, input: evaluate, obligations: changed},
		"new-day":             {workflow: EvaluateAllNexusName, input: EvaluateAllNexusInput{}, pages: 3},
		"obligation-applied":  {workflow: ApplyObligationName, input: oneNexus, changes: 1, pages: 3},
		"obligation-in-time":  {workflow: ApplyObligationName, input: oneNexus},
		"recounted":           {workflow: RecountNexusName, input: RecountNexusInput{}, pages: 3},
		"calculations-waited": {workflow: ApplyObligationName, input: oneNexus, changes: 2, pages: 1, underWay: 2},
	}
}

func (s *nexusScenario) call(name string) error {
	s.calls = append(s.calls, name)
	if s.refuses != "" && strings.HasPrefix(name, s.refuses) {
		return temporal.NewNonRetryableApplicationError("no such day", activities.ErrTypeInvalidInput, nil)
	}
	if s.outages > 0 {
		s.outages--
		return temporal.NewApplicationError(
			"stage failed: unavailable", activities.ErrTypeInfrastructure, "unavailable",
		)
	}
	return nil
}

func (s *nexusScenario) count(name string) (n int) {
	for _, call := range s.calls {
		if call == name {
			n++
		}
	}
	return n
}

// register makes the workflows known, with the activities as the scenario has them.
func (s *nexusScenario) register(registry sdkworker.Registry) {
	registry.RegisterWorkflowWithOptions(EvaluateNexus, workflow.RegisterOptions{Name: EvaluateNexusName})
	registry.RegisterWorkflowWithOptions(EvaluateAllNexus, workflow.RegisterOptions{Name: EvaluateAllNexusName})
	registry.RegisterWorkflowWithOptions(ApplyObligation, workflow.RegisterOptions{Name: ApplyObligationName})
	registry.RegisterWorkflowWithOptions(RecountNexus, workflow.RegisterOptions{Name: RecountNexusName})
	named := func(name string) activity.RegisterOptions { return activity.RegisterOptions{Name: name} }
	registry.RegisterActivityWithOptions(func(context.Context,
		activities.EvaluateNexusInput) (activities.EvaluateNexusResult, error) {
		return activities.EvaluateNexusResult{
			Evaluated: 2, Changed: 1, Obligations: s.obligations,
		}, s.call("EvaluateNexus")
	}, named("EvaluateNexus"))
	page := func(name string, of int) func(context.Context, activities.NexusPageInput) (activities.NexusPageResult,
		error) {
		return func(_ context.Context, in activities.NexusPageInput) (activities.NexusPageResult, error) {
			err := s.call(name + " " + in.After)
			next := in.After + "x"
			return activities.NexusPageResult{Evaluated: 1, Next: next, Done: len(next) >= of}, err
		}
	}
	registry.RegisterActivityWithOptions(page("EnsureNexusRecords", 2), named("EnsureNexusRecords"))
	registry.RegisterActivityWithOptions(page("EvaluateNexusPage", s.pages), named("EvaluateNexusPage"))
	registry.RegisterActivityWithOptions(func(_ context.Context,
		in activities.RecountNexusInput) (activities.RecountNexusResult, error) {
		next := activities.RecountNexusInput{After: in.After + "x"}
		return activities.RecountNexusResult{
			Next: next, Counted: 10, Differences: 1, Violations: 2, Done: len(next.After) >= s.pages,
		}, s.call("RecountNexus " + in.After)
	}, named("RecountNexus"))
	registry.RegisterActivityWithOptions(func(context.Context, models.NexusRef) (activities.FindObligationResult, error) {
		if s.count("FindObligation") >= s.changes {
			return activities.FindObligationResult{}, s.call("FindObligation")
		}
		return activities.FindObligationResult{
			Change: &models.ObligationChange{NexusRef: oneNexus},
		}, s.call("FindObligation")
	}, named("FindObligation"))
	registry.RegisterActivityWithOptions(func(_ context.Context,
		in activities.RequeueForObligationInput) (models.ObligationStep, error) {
		next := models.ObligationCursor{Day: 20260101, TransactionID: in.After.TransactionID + "x"}
		step := models.ObligationStep{Seen: 5, Requeued: 4, Next: next, Done: len(next.TransactionID) >= s.pages}
		for range s.underWay {
			step.UnderWay = append(step.UnderWay, models.TransactionVersion{ID: "txn_a", Epoch: 1})
		}
		return step, s.call("RequeueForObligation " + in.After.TransactionID)
	}, named("RequeueForObligation"))
	registry.RegisterActivityWithOptions(func(_ context.Context,
		in activities.RequeueCalculatedInput) (activities.RequeueCalculatedResult, error) {
		return activities.RequeueCalculatedResult{Requeued: len(in.Versions) - 1}, s.call("RequeueCalculated")
	}, named("RequeueCalculated"))
	registry.RegisterActivityWithOptions(func(context.Context,
		models.ObligationChange) (activities.ApplyObligationResult, error) {
		return activities.ApplyObligationResult{}, s.call("ApplyObligation")
	}, named("ApplyObligation"))
}

func (s *nexusScenario) run() *testsuite.TestWorkflowEnvironment {
	env := newEnvironment()
	env.SetStartTime(time.Date(2026, 7, 1, 0, 5, 0, 0, time.UTC))
	s.register(env)
	env.ExecuteWorkflow(s.workflow, s.input)
	return env
}

func TestNexusWorkflows(t *testing.T) {
	t.Parallel()
	all := nexusScenarios()
	t.Run("an evaluation starts what an obligation asks for", func(t *testing.T) {
		t.Parallel()
		s := all["obligation-began"]
		env := s.run()
		require.NoError(t, env.GetWorkflowError())
		var result EvaluateNexusResult
		require.NoError(t, env.GetWorkflowResult(&result))
		require.Equal(t, EvaluateNexusResult{Evaluated: 2, Changed: 1, Obligations: 1}, result)
	})
	t.Run("a new day begins with the records that are missing, and goes through all organizations", func(t *testing.T) {
		t.Parallel()
		s := all["new-day"]
		env := s.run()
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []string{
			"EnsureNexusRecords ", "EnsureNexusRecords x", "EvaluateNexusPage ", "EvaluateNexusPage x",
			"EvaluateNexusPage xx",
		}, s.calls)
		var result EvaluateAllNexusResult
		require.NoError(t, env.GetWorkflowResult(&result))
		require.Equal(t, EvaluateAllNexusResult{Today: "2026-07-01", Evaluated: 3}, result)
	})
	t.Run("a long run continues in a new one, with its day", func(t *testing.T) {
		t.Parallel()
		s := &nexusScenario{
			workflow: EvaluateAllNexusName, input: EvaluateAllNexusInput{Today: "2026-06-30", Ensured: true},
			pages: stepsPerRun + 1,
		}
		var next *workflow.ContinueAsNewError
		require.ErrorAs(t, s.run().GetWorkflowError(), &next)
		require.Len(t, s.calls, stepsPerRun)
	})
	t.Run("liabilities follow page by page", func(t *testing.T) {
		t.Parallel()
		s := all["obligation-applied"]
		env := s.run()
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, []string{
			"FindObligation", "RequeueForObligation ", "RequeueForObligation x", "RequeueForObligation xx",
			"ApplyObligation", "FindObligation",
		}, s.calls)
		var result ApplyObligationResult
		require.NoError(t, env.GetWorkflowResult(&result))
		require.Equal(t, 12, result.Requeued)
	})
	t.Run("what is being calculated is waited for, and an obligation that changes again is applied again",
		func(t *testing.T) {
			t.Parallel()
			s := all["calculations-waited"]
			env := s.run()
			begun := time.Date(2026, 7, 1, 0, 5, 0, 0, time.UTC)
			require.NoError(t, env.GetWorkflowError())
			round := []string{"FindObligation", "RequeueForObligation ", "RequeueCalculated", "ApplyObligation"}
			require.Equal(t, append(append(append([]string{}, round...), round...), "FindObligation"), s.calls)
			require.False(t, env.Now().Before(begun.Add(2*calculationTakes)))
		})
	t.Run("a recount goes through all organizations", func(t *testing.T) {
		t.Parallel()
		s := all["recounted"]
		env := s.run()
		require.NoError(t, env.GetWorkflowError())
		var result RecountNexusResult
		require.NoError(t, env.GetWorkflowResult(&result))
		require.Equal(t, RecountNexusResult{Counted: 30, Differences: 3, Violations: 6}, result)
	})
	t.Run("a transaction that was being calculated is queued again after its activity must have ended",
		func(t *testing.T) {
			t.Parallel()
			require.Greater(t, calculationTakes, stageOptions.StartToCloseTimeout)
		})
}

var nexusRuns = histories[*nexusScenario]{
	folder: "Nexus", scenarios: nexusScenarios,
	workflows: map[string]any{
		EvaluateNexusName: EvaluateNexus, EvaluateAllNexusName: EvaluateAllNexus, ApplyObligationName: ApplyObligation,
		RecountNexusName: RecountNexus,
	},
}

// Staff read and find the run of an obligation by the names of its organization and jurisdiction.
func TestWhatStaffSeeOfAnObligation(t *testing.T) {
	t.Parallel()
	o := obligationOptions(oneObligation)
	require.Equal(t, "Liabilities of Acme follow its obligation in US-NV", o.StaticSummary)
	names, _ := o.TypedSearchAttributes.GetKeywordList(organizationNames)
	require.Equal(t, []string{"Acme"}, names)
	in, _ := o.TypedSearchAttributes.GetKeyword(jurisdiction)
	require.Equal(t, "US-NV", in)
}

func TestReplayNexus(t *testing.T) {
	t.Parallel()
	nexusRuns.replayAll(t)
}

// An activity that refuses ends the run with its error, and nothing follows. An obligation is not recorded as applied
// if its transactions were not queued again.
func TestAnActivityThatRefusesEndsARunOfNexus(t *testing.T) {
	t.Parallel()
	for activity, scenario := range map[string]string{
		"EvaluateNexus": "obligation-began", "EnsureNexusRecords": "new-day", "EvaluateNexusPage": "new-day",
		"RecountNexus":   "recounted",
		"FindObligation": "obligation-applied", "RequeueForObligation": "obligation-applied",
		"RequeueCalculated": "calculations-waited",
		"ApplyObligation":   "obligation-applied",
	} {
		t.Run(activity, func(t *testing.T) {
			t.Parallel()
			s := nexusScenarios()[scenario]
			s.refuses = activity
			var failed *temporal.ApplicationError
			require.ErrorAs(t, s.run().GetWorkflowError(), &failed)
			require.Equal(t, activities.ErrTypeInvalidInput, failed.Type())
			require.True(t, strings.HasPrefix(s.calls[len(s.calls)-1], activity), "%v", s.calls)
		})
	}
}

// An evaluation that cannot be done is given up in time: its organizations are due again.
func TestAnEvaluationIsGivenUp(t *testing.T) {
	t.Parallel()
	s := nexusScenarios()["evaluated"]
	s.outages = 10_000
	env := s.run()
	require.Error(t, env.GetWorkflowError())
	require.False(t, env.Now().After(time.Date(2026, 7, 1, 0, 5, 0, 0, time.UTC).Add(evaluationTimeout+time.Minute)))
}
