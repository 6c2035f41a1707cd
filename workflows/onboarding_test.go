package workflows

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
)

func TestEightStepsInTheirOrder(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.upTo(8)
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, models.OnboardingCompleted, result.Status)
	require.Equal(t, doNames, r.store.calls)
	for n, result := range r.results {
		require.NoError(t, result, n)
	}
	require.Equal(t, OnboardingProgress{Status: models.OnboardingCompleted, Completed: 8}, r.progress())
}

// Steps may come in any order and repeatedly. A step is done exactly when those before it are. Another step is refused
// with the number of the next one.
func TestSampledOrders(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 19))
	for sample := range 60 {
		r := newOnboardingRun(t)
		var want []error
		completed, done := 0, 0
		second := 0
		send := func(step int) {
			second++
			r.submit(step, time.Duration(second)*time.Second)
			switch {
			case step > completed+1:
				want = append(want, &models.StepOrderError{Next: completed + 1})
			default:
				want = append(want, nil)
				completed = max(completed, step)
				done++
			}
		}
		for completed < models.LastStep {
			send(1 + random.IntN(min(completed+3, models.LastStep)))
		}
		result, err := r.run()
		require.NoError(t, err)
		require.Equal(t, models.OnboardingCompleted, result.Status)
		require.Len(t, r.store.calls, done, "sample %d: a step out of order leaves nothing behind", sample)
		for i, result := range want {
			got := r.results[i+1]
			if result == nil {
				require.NoError(t, got, "sample %d, call %d", sample, i+1)
				continue
			}
			require.Equal(t, result, activities.Refused(got), "sample %d, call %d", sample, i+1)
		}
	}
}

// Copies of a step at the same time are done one after the other.
func TestParallelCopiesOfAStep(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.upTo(2)
	var running, most int
	var mu sync.Mutex
	r.store.during["SaveBusinessDetails"] = func() {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		time.Sleep(time.Millisecond) //nolint:forbidigo // lets others begin, if they may
		mu.Lock()
		running--
		mu.Unlock()
	}
	for range 5 {
		r.submit(3, 10*time.Second)
	}
	for step := 4; step <= 8; step++ {
		r.submit(step, time.Duration(10+step)*time.Second)
	}
	_, err := r.run()
	require.NoError(t, err)
	require.Equal(t, 1, most)
	for n, result := range r.results {
		require.NoError(t, result, n)
	}
	require.Len(t, r.store.calls, 12)
}

// An outage or a defect is not the client's failure: the step may come again.
func TestOutageOfAStepChangesNothing(t *testing.T) {
	t.Parallel()
	for _, errType := range []string{activities.ErrTypeInfrastructure, activities.ErrTypeUnexpected} {
		r := newOnboardingRun(t)
		broken := temporal.NewNonRetryableApplicationError("activity failed: database_23514", errType, nil)
		r.store.fails["SaveBusinessContact"] = []error{broken}
		r.upTo(6)
		for step := 6; step <= 8; step++ {
			r.submit(step, time.Duration(60+step)*time.Second)
		}
		result, err := r.run()
		require.NoError(t, err)
		require.Equal(t, models.OnboardingCompleted, result.Status)
		require.Error(t, r.results[6])
		require.NoError(t, activities.Refused(r.results[6]), "it is no refusal")
		require.Empty(t, r.store.undone())
	}
}

func TestValidatorRefusesWhatIsNoStep(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	refused := 0
	for _, in := range []models.StepSubmission{
		{
			OrganizationID: "org_2", Step: 1, ID: "subm_1",
		}, {
			OrganizationID: theOrganization, Step: 0, ID: "subm_2",
		}, {OrganizationID: theOrganization, Step: 9, ID: "subm_3"}, {OrganizationID: theOrganization, Step: 1},
	} {
		r.env.RegisterDelayedCallback(func() {
			r.env.UpdateWorkflow(SubmitStepUpdate, "", &testsuite.TestUpdateCallback{
				OnAccept: func() { t.Error("accepted") }, OnReject: func(error) { refused++ }, OnComplete: func(any, error) {},
			}, in)
		}, time.Second)
	}
	_, err := r.run()
	require.NoError(t, err)
	require.Equal(t, 4, refused)
	require.Empty(t, r.store.calls)
}
