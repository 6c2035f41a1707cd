package workflows

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// onboardingScenario is a course of an onboarding on a real server.
type onboardingScenario struct {
	in      OnboardingInput // where the record is; the zero value means the beginning
	steps   []int
	prepare func(b *fakeOnboarding)
	after   func(t *testing.T, client sdkclient.Client) // once the steps are sent
	fails   bool
}

func onboardingScenarios() map[string]onboardingScenario {
	outage := temporal.NewApplicationError(
		"activity failed: unavailable", activities.ErrTypeInfrastructure, "unavailable",
	)
	refuse := func(step string, err error) func(*fakeOnboarding) {
		return func(b *fakeOnboarding) { b.fails[step] = []error{activities.Refusal(err)} }
	}
	cancelUpdate := func(t *testing.T, client sdkclient.Client) {
		handle, err := client.UpdateWorkflow(t.Context(), sdkclient.UpdateWorkflowOptions{
			WorkflowID: OnboardingID(theOrganization), UpdateName: CancelUpdate, Args: []any{CancelInput{Reason: "no"}},
			WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
		})
		require.NoError(t, err)
		require.NoError(t, handle.Get(t.Context(), nil))
	}
	at := func(status models.OnboardingStatus, completed int) OnboardingInput {
		return OnboardingInput{OrganizationID: theOrganization, Status: status, Completed: completed}
	}
	return map[string]onboardingScenario{
		"completed": {steps: []int{1, 2, 3, 4, 5, 6, 7, 8}},
		"edits":     {steps: []int{1, 2, 2, 3, 4, 3, 5, 6, 7, 7, 8}},
		"refused": {
			steps:   []int{1},
			prepare: refuse("CreateOrganization", &models.DuplicateError{Field: "name", ExistingID: "org_0"}),
		},
		"failed": {
			steps:   []int{1, 2, 3, 4, 5, 6, 7, 8},
			prepare: refuse("SaveBankDetails", &models.StepFailedError{Step: 8, Reason: "no"}), fails: true,
		},
		"cancelled":       {steps: []int{1, 2, 3, 4, 5}, after: cancelUpdate},
		"cancelled-first": {steps: []int{1}, after: cancelUpdate},
		"cancelled-by-ui": {steps: []int{1, 2, 3, 4}, after: cancelByUI},
		// Recorded by a release that does not know Asked: staff went back to it and asked once more.
		"asked-again": {
			in:    OnboardingInput{OrganizationID: theOrganization, Status: models.OnboardingInProgress, Completed: 3, Asked: true},
			steps: []int{4}, after: cancelByUI,
		},
		"outage": {
			steps:   []int{1, 2, 3, 4, 5, 6, 7, 8},
			prepare: func(b *fakeOnboarding) { b.fails["SaveBusinessContact"] = []error{outage, outage} },
		},
		"undo-fails": {
			steps: []int{1, 2, 3}, after: cancelUpdate,
			prepare: func(b *fakeOnboarding) { b.fails["EraseBusinessDetails"] = []error{outage, outage} },
		},
		"resumed":        {in: at(models.OnboardingInProgress, 5), steps: []int{6, 7, 8}},
		"resumed-undo":   {in: at(models.OnboardingCancelled, 6)},
		"resumed-failed": {in: at(models.OnboardingFailed, 3), fails: true},
		"root": {
			in: OnboardingInput{
				OrganizationID: theOrganization, Status: models.OnboardingNotStarted, Completed: 2, Root: true,
			},
			steps: []int{3, 4, 5, 6, 7, 8},
		},
		"expired": {
			in:      at(models.OnboardingInProgress, 3),
			prepare: func(b *fakeOnboarding) { b.idle = func() time.Duration { return 31 * 24 * time.Hour } },
		},
		"reminded": {in: at(models.OnboardingInProgress, 3), prepare: remindedFirst},
		"cancelled-before-steps": {after: func(t *testing.T, client sdkclient.Client) {
			require.NoError(t, client.CancelWorkflow(t.Context(), OnboardingID(theOrganization), ""))
		}},
	}
}

// cancelByUI cancels the run as the Temporal UI does, and confirms it.
func cancelByUI(t *testing.T, client sdkclient.Client) {
	t.Helper()
	require.NoError(t, client.CancelWorkflow(t.Context(), OnboardingID(theOrganization), ""))
	handle, err := client.UpdateWorkflow(t.Context(), sdkclient.UpdateWorkflowOptions{
		WorkflowID: OnboardingID(theOrganization), UpdateName: ConfirmCancellationUpdate,
		Args: []any{confirmedByAnn(ConfirmationInput{OrganizationID: theOrganization}, OnboardingID(theOrganization),
			time.Now())},
		WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
	})
	require.NoError(t, err)
	require.NoError(t, handle.Get(t.Context(), nil))
}

// remindedFirst makes the first check send a reminder and the second one end the onboarding.
func remindedFirst(b *fakeOnboarding) {
	checks := 0
	b.idle = func() time.Duration {
		if checks++; checks == 1 {
			return 30*24*time.Hour - time.Second // the next check comes in a second
		}
		return 31 * 24 * time.Hour
	}
}

var onboardingRuns = histories[onboardingScenario]{
	folder: "Onboarding", workflows: map[string]any{OnboardingName: Onboarding}, scenarios: onboardingScenarios,
}

func TestReplayOnboarding(t *testing.T) {
	t.Parallel()
	onboardingRuns.replayAll(t)
}

// A replay that accepts anything proves nothing: an onboarding that does not undo
// what it did, or undoes it from the other end, is noticed.
func TestReplayNoticesAnotherUndo(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*onboarding, workflow.Context){
		"none": func(*onboarding, workflow.Context) {},
		"oldest first": func(o *onboarding, ctx workflow.Context) {
			for i, j := 0, len(o.saga.stack)-1; i < j; i, j = i+1, j-1 {
				o.saga.stack[i], o.saga.stack[j] = o.saga.stack[j], o.saga.stack[i]
			}
			o.compensate(ctx)
		},
		"one left out": func(o *onboarding, ctx workflow.Context) {
			o.saga.stack = o.saga.stack[1:]
			o.compensate(ctx)
		},
	} {
		run := func(ctx workflow.Context, in OnboardingInput) (OnboardingResult, error) {
			o := newOnboarding(ctx, in)
			mark(ctx, confirmCancellation)
			o.cancelling = func() bool { return ctx.Err() != nil }
			if err := errors.Join(o.listen(ctx), o.await(ctx)); err != nil {
				return OnboardingResult{}, err
			}
			change(o, ctx)
			return o.result()
		}
		require.Error(t, onboardingRuns.replay("cancelled", OnboardingName, run), name)
	}
}
