package workflows

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
)

// A step whose work fails for good fails the onboarding, and what was done before
// is undone, newest first.
func TestFailureAtEveryStep(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 8; n++ {
		t.Run(fmt.Sprintf("step %d", n), func(t *testing.T) {
			t.Parallel()
			r := newOnboardingRun(t)
			failure := &models.StepFailedError{Step: n, Reason: "The bank does not know the account."}
			r.store.fails[doNames[n-1]] = []error{activities.Refusal(failure)}
			r.upTo(n)
			r.submit(min(n+1, 8), 100*time.Millisecond+time.Duration(n)*time.Second)
			_, err := r.run()
			app, ok := err.(interface{ Unwrap() error })
			require.True(t, ok)
			var failed *temporal.ApplicationError
			require.ErrorAs(t, app.Unwrap(), &failed)
			require.Equal(t, activities.ErrTypeOnboardingFailed, failed.Type())
			require.Equal(t, failure, activities.Refused(r.results[n]))
			require.Equal(t, undosOf(n), r.store.undone())
			require.Equal(t, models.OnboardingFailed, r.store.status)
			require.Equal(t, failure.Reason, r.progress().Reason)
		})
	}
	t.Run("step 1: nothing was created, nothing is undone", func(t *testing.T) {
		t.Parallel()
		r := newOnboardingRun(t)
		r.store.fails["CreateOrganization"] = []error{
			activities.Refusal(&models.DuplicateError{Field: "name", ExistingID: "org_0"}),
		}
		r.upTo(1)
		result, err := r.run()
		require.NoError(t, err)
		require.Empty(t, result)
		require.Empty(t, r.store.undone())
		require.Equal(t, &models.DuplicateError{Field: "name", ExistingID: "org_0"}, activities.Refused(r.results[1]))
	})
}

func TestCancelAfterEveryStep(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 7; n++ {
		for how, cancel := range map[string]func(*onboardingRun, time.Duration){
			"by the partner": (*onboardingRun).cancelAfter,
			"in Temporal":    (*onboardingRun).cancelInTemporal,
		} {
			t.Run(fmt.Sprintf("step %d %s", n, how), func(t *testing.T) {
				t.Parallel()
				r := newOnboardingRun(t)
				r.upTo(n)
				cancel(r, time.Duration(n)*time.Second+500*time.Millisecond)
				result, err := r.run()
				require.NoError(t, err, "a cancellation is no failure")
				require.Equal(t, models.OnboardingCancelled, result.Status)
				require.Equal(t, undosOf(n), r.store.undone())
			})
		}
	}
}

// The first step is committed and its activity has lost the answer: who has found the
// organization may cancel before the run knows of it.
func TestCancelBeforeTheRunKnowsOfItsFirstStep(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.store.during["CreateOrganization"] = func() {
		r.store.mu.Lock()
		defer r.store.mu.Unlock()
		r.store.completed = 1
	}
	r.store.fails["CreateOrganization"] = []error{
		temporal.NewApplicationError("the answer was lost", activities.ErrTypeInfrastructure),
	}
	r.submit(1, time.Second)
	r.recorded = 1
	r.cancelAfter(time.Second + 50*time.Millisecond)
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, models.OnboardingCancelled, result.Status)
	require.Equal(t, undosOf(1), r.store.undone())
}

// A cancellation while the run checks the progress counts, although the check has read the record before. The keys are
// revoked now and not at the next check.
func TestCancelDuringACheck(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.store.early = &models.ProgressCheck{Status: models.OnboardingInProgress, Completed: 3, Next: firstCheck}
	r.checks.After(time.Minute)
	r.upTo(3)
	r.cancelAfter(firstStepTimeout + 30*time.Second)
	began := r.env.Now()
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, models.OnboardingCancelled, result.Status)
	require.Equal(t, undosOf(3), r.store.undone())
	require.Less(t, r.env.Now().Sub(began), time.Hour)
}

// The run is cancelled while the activity of a step runs: whether it was done or not, it is undone.
func TestCancelInsideEveryStep(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 7; n++ {
		t.Run(fmt.Sprintf("step %d", n), func(t *testing.T) {
			t.Parallel()
			r := newOnboardingRun(t)
			r.store.during[doNames[n-1]] = r.env.CancelWorkflow
			r.upTo(n)
			r.confirmAfter(time.Duration(n)*time.Second+500*time.Millisecond, theOrganization, true)
			result, err := r.run()
			require.NoError(t, err)
			require.Equal(t, models.OnboardingCancelled, result.Status)
			require.Equal(t, undosOf(n), r.store.undone())
		})
	}
}

// A cancellation in the Temporal UI needs a confirmation for the right organization. The onboarding continues until
// then, and a step in progress is completed.
func TestCancellingTheRunAsksForAConfirmation(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.confirmAfter(500*time.Millisecond, theOrganization, false) // nobody has asked
	r.store.during[doNames[2]] = r.env.CancelWorkflow
	r.upTo(8)
	r.confirmAfter(4*time.Second+500*time.Millisecond, "org_2", false)
	r.env.RegisterDelayedCallback(func() {
		require.Contains(t, detailsOf(t, r.env),
			`send the Update confirm_cancellation with {"organization_id": "`+theOrganization+`"}`)
	}, 5*time.Second+500*time.Millisecond)
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, models.OnboardingCompleted, result.Status)
	require.Empty(t, r.store.undone())
	for n := 1; n <= 8; n++ {
		require.NoError(t, r.results[n], "step %d", n)
	}
}

// A confirmation without a proof of its sender is rejected with a reason, and the onboarding continues. With a proof
// the record gets it, and may reject it, too.
func TestAConfirmationProvesWhoSentIt(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.upTo(3)
	r.env.RegisterDelayedCallback(r.env.CancelWorkflow, 4*time.Second)
	sent := r.env.Now().Add(time.Minute)
	ours := ConfirmationInput{OrganizationID: theOrganization, Reason: "END"}
	ofAnother := confirmedByAnn(ours, theTestRun, sent)
	ofAnother.Reason = "OTHER"
	attached := func(argument string) ConfirmationInput {
		content, with, ok := WantsProof([]byte(argument))
		require.True(t, ok)
		proof, _ := models.AttachProof(content, sent)
		var in ConfirmationInput
		require.NoError(t, json.Unmarshal(with(proof), &in))
		require.Equal(t, proof, in.Proof)
		return in
	}
	swapped := attached(`{"organization_id": "org_2"}`)
	swapped.OrganizationID = theOrganization
	r.store.fails["EndOnboarding"] = []error{
		temporal.NewNonRetryableApplicationError(models.ErrProofUsed.Error(), activities.ErrTypeInvalidInput, nil),
	}
	var proofs []string
	r.store.ending = func(in activities.EndInput) { proofs = append(proofs, in.Proof) }
	last := attached(`{"organization_id": "org_1", "reason": "END"}`)
	for i, c := range []struct {
		in    ConfirmationInput
		about string
	}{
		{ours, "proof is missing"},
		{ConfirmationInput{OrganizationID: theOrganization, Proof: "Ann"}, "proof is not one"},
		{confirmedByAnn(ours, OnboardingID("org_2"), sent), "proof is for another"},
		{ofAnother, "proof is for another"}, {swapped, "proof is for another"},
		{confirmedByAnn(ours, theTestRun, sent.Add(-time.Hour)), "proof is older"},
		{attached(`{"organization_id": "org_2"}`), "organization_id is not"},
		{confirmedByAnn(ConfirmationInput{OrganizationID: theOrganization, Reason: strings.Repeat("A", 501)}, theTestRun,
			sent), "500 characters"},
		{confirmedByAnn(ours, theTestRun, sent), "proof has been used"},
		{last, ""},
	} {
		check := func(err error) {
			if c.about == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.about)
			}
		}
		r.env.RegisterDelayedCallback(func() {
			require.Equal(t, models.OnboardingInProgress, r.progress().Status)
			r.env.UpdateWorkflow(ConfirmCancellationUpdate, fmt.Sprint(i), &testsuite.TestUpdateCallback{
				OnAccept: func() {}, OnReject: check, OnComplete: func(_ any, err error) { check(err) },
			}, c.in)
		}, time.Minute+time.Duration(i)*time.Second)
	}
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, models.OnboardingCancelled, result.Status)
	require.Equal(t, []string{last.Proof}, proofs)
	require.Equal(t, undosOf(3), r.store.undone())
}

// An undo that fails holds up no other; it is retried until it succeeds.
func TestAFailingUndoHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 8; n++ {
		r := newOnboardingRun(t)
		broken := temporal.NewApplicationError("activity failed: unavailable", activities.ErrTypeInfrastructure)
		r.store.fails[undoNames[n-1]] = slices.Repeat([]error{broken}, 25)
		r.store.fails["SaveBankDetails"] = []error{activities.Refusal(&models.StepFailedError{Step: 8, Reason: "no"})}
		r.upTo(8)
		_, err := r.run()
		require.Error(t, err)
		once := append(undosOf(8), slices.Repeat(undoNames[n-1:n], 25)...)
		require.ElementsMatch(t, once, r.store.undone(), "each undo succeeded once")
		last := len(r.store.calls) - 1
		require.Equal(t, "FinishCompensation", r.store.calls[last])
		require.Equal(t, undoNames[n-1], r.store.calls[last-1], "the failing one was done last, after all others")
	}
}

// Days pass: reminders after 7 and 23 days, the end after 30, always since the last
// progress.
func TestRemindersAndExpiry(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	r := newOnboardingRun(t)
	start := r.env.Now()
	progressAt := start
	r.store.idle = func() time.Duration { return r.env.Now().Sub(progressAt) }
	r.upTo(3)
	var seen []string
	note := func(days int) {
		r.env.RegisterDelayedCallback(func() {
			seen = append(seen, fmt.Sprintf("day %d: %d %s", days, r.store.sent, r.store.status))
		}, time.Duration(days)*day+time.Hour)
	}
	r.env.RegisterDelayedCallback(func() { progressAt = r.env.Now(); r.store.sent = 0 }, 10*day) // a sale, say
	for _, days := range []int{6, 7, 11, 16, 17, 32, 33, 39} {
		note(days)
	}
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, models.OnboardingExpired, result.Status)
	require.Equal(t, []string{
		"day 6: 0 IN_PROGRESS", "day 7: 1 IN_PROGRESS", "day 11: 0 IN_PROGRESS", "day 16: 0 IN_PROGRESS",
		"day 17: 1 IN_PROGRESS",
		"day 32: 1 IN_PROGRESS", "day 33: 2 IN_PROGRESS", "day 39: 2 IN_PROGRESS",
	}, seen)
	require.InDelta(t, 40*24, r.env.Now().Sub(start).Hours(), 2)
	require.Equal(t, undosOf(3), r.store.undone())
}

func TestARunWithoutItsFirstStepCloses(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	start := r.env.Now()
	result, err := r.run()
	require.NoError(t, err)
	require.Empty(t, result)
	require.Empty(t, r.store.calls)
	require.InDelta(t, firstStepTimeout.Minutes(), r.env.Now().Sub(start).Minutes(), 1)
}

// A partner of its own is never cancelled, expired or failed.
func TestARootOrganizationStaysOpen(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.store.fails["SaveBankDetails"] = []error{activities.Refusal(&models.StepFailedError{Step: 8, Reason: "no"})}
	for step := 3; step <= 8; step++ {
		r.submit(step, time.Duration(step)*24*30*time.Hour)
	}
	r.submit(8, 400*24*time.Hour)
	result, err := r.run(OnboardingInput{
		OrganizationID: theOrganization, Status: models.OnboardingNotStarted, Completed: 2, Root: true,
	})
	require.NoError(t, err)
	require.Equal(t, models.OnboardingCompleted, result.Status)
	require.Empty(t, r.store.undone())
}

// Staff read how it ended, why, and what was undone, in the order in which it was.
func TestTheDetailsShowTheEnd(t *testing.T) {
	t.Parallel()
	r := newOnboardingRun(t)
	r.store.fails["SaveBusinessAddress"] = []error{
		activities.Refusal(&models.StepFailedError{Step: 4, Reason: "There is no such place."}),
	}
	r.upTo(4)
	_, err := r.run()
	require.Error(t, err)
	require.Equal(t, "**FAILED**, and all is undone\n\nReason: There is no such place.\n\n"+
		"- done: Erase the business address\n\n- done: Erase the business details\n\n- done: Cancel the registrations\n\n"+
		"- done: Destroy the data key\n\n- done: Revoke the API keys\n\n- done: Archive the organization",
		detailsOf(t, r.env))
}
