package workflows

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"levy/activities"
	"levy/models"
)

// An outage during any activity only delays the run: it ends as it would have.
func TestARunWaitsForAnOutageOfAnyActivity(t *testing.T) {
	t.Parallel()
	eachActivity(t, func(t *testing.T, s activityScenario, name string) {
		f := &failing{name: name, errs: []error{anOutage, anOutage, anOutage}}
		env, after := s.run(t, f)
		require.True(t, env.IsWorkflowCompleted())
		require.NoError(t, env.GetWorkflowError())
		require.Empty(t, f.errs, "the activity was called")
		after(t)
	})
}

// A final failure of any activity is visible. The run ends with its error, or writes it on the record.
func TestARunShowsWhichActivityWasGivenUp(t *testing.T) {
	t.Parallel()
	eachActivity(t, func(t *testing.T, s activityScenario, name string) {
		f := &failing{name: name, errs: []error{aDefect}}
		env, _ := s.run(t, f)
		require.True(t, env.IsWorkflowCompleted())
		require.Empty(t, f.errs, "the activity was called")
		if instead := s.instead[name]; instead != nil {
			instead(t, env)
			return
		}
		var failed *temporal.ApplicationError
		require.ErrorAs(t, env.GetWorkflowError(), &failed)
		require.Equal(t, activities.ErrTypeUnexpected, failed.Type())
		require.Equal(t, 1, f.calls[name], "it is not tried again")
	})
}

// The record refuses because it was changed meanwhile: a filing or a registration reads it again and continues.
func TestARunGoesOnWhenTheRecordHasChanged(t *testing.T) {
	t.Parallel()
	changed := temporal.NewNonRetryableApplicationError("changed meanwhile", activities.ErrTypeChangedMeanwhile, nil)
	for name, workflow := range map[string]string{
		"SubmitReturn": "FileReturn", "AskAuthority": "FileReturn", "SubmitRegistration": "Registration",
		"AskAboutRegistration": "Registration",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &failing{name: name, errs: []error{changed}}
			env, _ := activityScenarios()[workflow].run(t, f)
			require.NoError(t, env.GetWorkflowError())
			submit := map[string]string{"FileReturn": "SubmitReturn", "Registration": "SubmitRegistration"}[workflow]
			require.Equal(t, 2, f.calls[submit], "by the record the attempt is not over: it is handed over again")
		})
	}
}

// A cancelled import is ended on its record; when its end cannot be
// recorded either, the run fails.
func TestAnImportThatCannotBeEnded(t *testing.T) {
	t.Parallel()
	b := &fakeImport{status: models.ImportQueued, errs: []error{errors.New("a"), errors.New("b"), errors.New("c")}}
	f := &failing{name: "EndImport", errs: []error{anOutage, anOutage, aDefect}}
	env := newEnvironment()
	f.in(env)
	Register(env, ImportsQueue, activities.NewImports(b, b, b, func(models.ImportCounts) {}, quietLog))
	env.ExecuteWorkflow(ImportTransactions, ImportInput{ImportRef: importRef})
	var failed *temporal.ApplicationError
	require.ErrorAs(t, env.GetWorkflowError(), &failed)
	require.Equal(t, activities.ErrTypeUnexpected, failed.Type())
	require.Equal(t, 3, f.calls["EndImport"])
	require.Zero(t, b.cleared, "its file is kept")
}

// An outage of the activities that end an onboarding is waited for, and it ends as it would have.
func TestAnOnboardingWhoseActivitiesFail(t *testing.T) {
	t.Parallel()
	for _, name := range append([]string{
		"CheckProgress", "EndOnboarding", "FinishCompensation", "CancelRegistrations", "DestroyDataKey",
	}, undoNames[:3]...) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newOnboardingRun(t)
			r.store.fails[name] = []error{anOutage, anOutage}
			r.upTo(3)
			if name == "EndOnboarding" {
				r.recorded = 3
				r.cancelAfter(time.Hour)
			}
			result, err := r.run()
			require.NoError(t, err)
			want := models.OnboardingExpired
			if name == "EndOnboarding" {
				want = models.OnboardingCancelled
			}
			require.Equal(t, want, result.Status)
			require.Empty(t, r.store.fails[name])
			require.Len(t, result.Undone, 5, "three steps, the registrations and the key")
		})
	}
	t.Run("an undo that is given up fails no other", func(t *testing.T) {
		t.Parallel()
		for _, name := range []string{"DestroyDataKey", "CancelRegistrations", undoNames[0], undoNames[2]} {
			r := newOnboardingRun(t)
			r.store.fails[name] = []error{aDefect}
			r.upTo(3)
			_, err := r.run()
			require.ErrorContains(t, err, "not all is undone", name)
			require.Len(t, r.progress().Undone, 4, name)
			require.NotContains(t, r.store.calls, "FinishCompensation", "the sweeper has it undone by another run")
		}
	})
}
