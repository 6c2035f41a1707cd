package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/workflow"

	"levy/models"
)

// A run that was lost is continued by another one, from the record.
func TestAnotherRunGoesOn(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 7; n++ {
		for _, status := range []models.OnboardingStatus{
			models.OnboardingCancelled, models.OnboardingExpired, models.OnboardingFailed,
		} {
			r := newOnboardingRun(t)
			_, err := r.run(OnboardingInput{OrganizationID: theOrganization, Status: status, Completed: n})
			require.Equal(t, status == models.OnboardingFailed, err != nil, status)
			require.Equal(t, undosOf(n), r.store.undone(), "%s after step %d", status, n)
		}
		r := newOnboardingRun(t)
		for step := n + 1; step <= 8; step++ {
			r.submit(step, time.Duration(step)*time.Second)
		}
		result, err := r.run(OnboardingInput{
			OrganizationID: theOrganization, Status: models.OnboardingInProgress, Completed: n,
		})
		require.NoError(t, err)
		require.Equal(t, models.OnboardingCompleted, result.Status)
		require.Equal(t, doNames[n:], r.store.calls)
	}
}

// A run that staff reset to an earlier point learns the progress of the record from the next step. It also undoes the
// steps that its history does not have.
func TestAResetRunCatchesUpWithTheRecord(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.env.RegisterDelayedCallback(func() { r.store.completed = 4 }, time.Millisecond)
	r.recorded = 4
	r.submit(5, time.Second)
	r.cancelAfter(2 * time.Second)
	result, err := r.run(OnboardingInput{OrganizationID: theOrganization, Status: models.OnboardingInProgress, Completed: 2})
	require.NoError(t, err)
	require.NoError(t, r.results[1])
	require.Equal(t, models.OnboardingCancelled, result.Status)
	require.Equal(t, undosOf(5), r.store.undone())
}

// A history that gets long continues in a new run, between two steps.
func TestContinuesAsNew(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.upTo(2)
	r.env.RegisterDelayedCallback(func() { r.env.SetContinueAsNewSuggested(true) }, 2500*time.Millisecond)
	r.submit(1, 3*time.Second) // the next task, which carries the suggestion
	_, err := r.run()
	var again *workflow.ContinueAsNewError
	require.ErrorAs(t, err, &again)
	require.Equal(t, doNames[:2], r.store.calls[:2])
}

// A request to cancel the run applies to its continuation, too: otherwise no one could confirm it there.
func TestAContinuationKnowsThatItWasAskedToCancel(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.upTo(2)
	r.env.RegisterDelayedCallback(r.env.CancelWorkflow, 2300*time.Millisecond)
	r.env.RegisterDelayedCallback(func() { r.env.SetContinueAsNewSuggested(true) }, 2500*time.Millisecond)
	r.submit(1, 3*time.Second) // the next task, which carries the suggestion
	_, err := r.run()
	var again *workflow.ContinueAsNewError
	require.ErrorAs(t, err, &again)
	var in OnboardingInput
	require.NoError(t, converter.GetDefaultDataConverter().FromPayloads(again.Input, &in))

	next := newOnboardingRun(t)
	next.store.completed, next.recorded = 2, 2
	next.confirmAfter(time.Second, theOrganization, true)
	result, err := next.run(in)
	require.NoError(t, err)
	require.Equal(t, models.OnboardingCancelled, result.Status)
}
