package activities

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"

	"levy/models"
)

// eachOnRecord runs a test for every activity that does something with one record. work
// makes the activities on a fake of their own, whose calls the recorder keeps.
func eachOnRecord(t *testing.T, test func(t *testing.T, name string, a recordCase, work func() (any, *recorder))) {
	t.Helper()
	for _, kind := range []struct {
		activities map[string]recordCase
		work       func() (any, *recorder)
	}{
		{onFilings(), func() (any, *recorder) { r := &recorder{}; return newFilingOn(r), r }},
		{onRegistrations(), func() (any, *recorder) { r := &recorder{}; return newRegistrationOn(r), r }},
		{onOnboardings(), func() (any, *recorder) { r := &recorder{}; return newOnboardingOn(r), r }},
	} {
		for name, a := range kind.activities {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, name, a, kind.work)
			})
		}
	}
}

// A second attempt, after a lost reply or in another run, passes the same input to the store again. With the same
// attempt and time it changes nothing there.
func TestAnActivityHandsTheSameToTheStoreHoweverOftenItRuns(t *testing.T) {
	t.Parallel()
	eachOnRecord(t, func(t *testing.T, name string, a recordCase, work func() (any, *recorder)) {
		activities, made := work()
		first := execute[any](t, activities, name, a.in)
		require.Equal(t, a.calls, made.calls)
		require.Equal(t, first, execute[any](t, activities, name, a.in))
		require.Equal(t, append(append([]call{}, a.calls...), a.calls...), made.calls)
	})
}

// The last call took effect, but its reply was lost: the next attempt does all of it again.
func TestAnActivityIsRepeatedAfterALostReply(t *testing.T) {
	t.Parallel()
	eachOnRecord(t, func(t *testing.T, name string, a recordCase, work func() (any, *recorder)) {
		activities, made := work()
		made.fail(a.calls[len(a.calls)-1].Method, models.ErrOutcomeUnknown)
		left := attempt{}.failing(t, activities, name, a.in)
		require.Equal(t, ErrTypeInfrastructure, left.Type())
		require.False(t, left.NonRetryable())
		execute[any](t, activities, name, a.in)
		require.Equal(t, append(append([]call{}, a.calls...), a.calls...), made.calls)
	})
}

// If any call fails, no other follows it. The activity returns the error by its class: without the text of the store,
// and retryable.
func TestErrorsOfAStoreAreReturnedByTheirClass(t *testing.T) {
	t.Parallel()
	eachOnRecord(t, func(t *testing.T, name string, a recordCase, work func() (any, *recorder)) {
		for class, want := range storeErrors {
			for i, failing := range a.calls {
				activities, made := work()
				made.fail(failing.Method, want.err)
				left := attempt{}.failing(t, activities, name, a.in)
				require.Equal(t, want.errType, left.Type(), class)
				require.False(t, left.NonRetryable(), class)
				require.Equal(t, want.code, codeOf(t, left), class)
				require.NotContains(t, left.Error(), "078-05", class)
				require.Equal(t, a.calls[:i+1], made.calls, class)
			}
		}
	})
}

// Work on the record itself is retried without a limit. Calls of an authority are given up after some defects, and
// the workflow notes the reason. Outages are no defects.
func TestOnlyCallsOfAnAuthorityAreGivenUp(t *testing.T) {
	t.Parallel()
	eachOnRecord(t, func(t *testing.T, name string, a recordCase, work func() (any, *recorder)) {
		for class, want := range storeErrors {
			activities, made := work()
			made.fail(a.calls[0].Method, want.err)
			var counted []int
			last := attempt{used: MaxDefects - 1, beat: func(details converter.EncodedValues) {
				var n int
				require.NoError(t, details.Get(&n))
				counted = append(counted, n)
			}}
			left := last.failing(t, activities, name, a.in)
			defect := want.errType == ErrTypeUnexpected
			require.Equal(t, a.givesUp && defect, left.NonRetryable(), class)
			if a.givesUp && defect {
				require.Equal(t, []int{MaxDefects}, counted, class)
			} else {
				require.Empty(t, counted, class)
			}
		}
	})
}

// A refusal by the record is returned as the table of refusals says, and is not retried.
func TestRefusalsOfTheRecordAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	eachOnRecord(t, func(t *testing.T, name string, a recordCase, work func() (any, *recorder)) {
		for domain, want := range domainErrors {
			errType := map[workflowKind]string{
				ofOnboarding: want.onboarding, ofFiling: want.filing, ofRegistration: want.registration,
			}[a.of]
			if errType == "" || errType == ErrTypeInfrastructure {
				continue
			}
			activities, made := work()
			made.fail(a.calls[0].Method, want.err)
			left := attempt{}.failing(t, activities, name, a.in)
			require.Equal(t, errType, left.Type(), domain)
			require.True(t, left.NonRetryable(), domain)
			require.Len(t, made.of(a.calls[0].Method), 1, domain)
		}
	})
}

// An input that names no record is refused for good, before anything is read.
func TestAnInputThatNamesNoRecordIsRefused(t *testing.T) {
	t.Parallel()
	eachOnRecord(t, func(t *testing.T, name string, a recordCase, work func() (any, *recorder)) {
		for _, in := range a.without {
			activities, made := work()
			left := attempt{}.failing(t, activities, name, in)
			require.Equal(t, ErrTypeInvalidInput, left.Type(), "%+v", in)
			require.True(t, left.NonRetryable())
			require.Empty(t, made.calls)
		}
	})
}

// A store may take minutes: heartbeats show all the while that the worker is alive, and keep
// the number of defects. All activities wait for their heartbeats at the same time.
func TestLongWorkOnARecordSendsHeartbeats(t *testing.T) {
	t.Parallel()
	ended := make(chan error)
	waiting := 0
	slow := func(name string, in any, work func(*recorder) any) {
		waiting++
		go func() {
			sent := make(chan struct{}, 1)
			a := attempt{used: 1, beat: func(details converter.EncodedValues) {
				var n int
				if details.Get(&n) == nil && n == 1 {
					select {
					case sent <- struct{}{}:
					default:
					}
				}
			}}
			_, err := a.run(t, work(&recorder{slow: sent}), name, in)
			ended <- err
		}()
	}
	for name, a := range onFilings() {
		slow(name, a.in, func(r *recorder) any { return newFilingOn(r) })
	}
	for name, a := range onRegistrations() {
		slow(name, a.in, func(r *recorder) any { return newRegistrationOn(r) })
	}
	slow("PlanFilings", PlanInput{Now: ourMoment}, func(r *recorder) any { return newPlanOn(&planFake{recorder: r}) })
	for range waiting {
		require.NoError(t, <-ended)
	}
}
