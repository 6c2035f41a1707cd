//go:build record

package workflows

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	sdkclient "go.temporal.io/sdk/client"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
	"levy/rules"
)

func TestRecordOnboarding(t *testing.T) { //nolint:paralleltest // it changes firstCheck
	days := firstCheck
	firstCheck = 2 * time.Second
	t.Cleanup(func() { firstCheck = days })
	onboardingRuns.recordMissing(t, recordOnboarding)
}

func recordOnboarding(t *testing.T, client sdkclient.Client, _ string, w onboardingScenario) sdkclient.WorkflowRun {
	t.Helper()
	store := newFakeOnboarding()
	store.idle = func() time.Duration { return 0 }
	if w.prepare != nil {
		w.prepare(store)
	}
	if w.in.OrganizationID == "" {
		w.in = OnboardingInput{OrganizationID: theOrganization, Status: models.OnboardingInProgress}
	}
	store.status, store.completed = w.in.Status, w.in.Completed
	recordingWorker(t, client, OnboardingQueue, func(w sdkworker.Worker) { registerFakeOnboarding(w, store) })
	run, err := client.ExecuteWorkflow(t.Context(), OnboardingStart(w.in), OnboardingName, w.in)
	require.NoError(t, err)
	for i, step := range w.steps {
		id := models.NewID(models.PrefixSubmission)
		handle, err := client.UpdateWorkflow(t.Context(), sdkclient.UpdateWorkflowOptions{
			WorkflowID: run.GetID(), UpdateID: id, UpdateName: SubmitStepUpdate,
			WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
			Args:         []any{models.StepSubmission{OrganizationID: theOrganization, Step: step, ID: id}},
		})
		require.NoError(t, err)
		if err := handle.Get(t.Context(), nil); err != nil {
			require.Equal(t, len(w.steps)-1, i, "only the last step is refused: %v", err)
		}
	}
	if w.after != nil {
		w.after(t, client)
	}
	require.Equal(t, w.fails, run.Get(t.Context(), nil) != nil)
	return run
}

// registerFakeOnboarding registers the activities of a fake under the real names.
func registerFakeOnboarding(worker sdkworker.Worker, store *fakeOnboarding) {
	worker.RegisterWorkflowWithOptions(Onboarding, workflow.RegisterOptions{Name: OnboardingName})
	for _, name := range doNames {
		worker.RegisterActivityWithOptions(func(_ context.Context, in models.StepSubmission) (activities.StepResult, error) {
			return store.step(name, in)
		}, activity.RegisterOptions{Name: name})
	}
	for _, name := range append(
		append([]string{}, undoNames...), "CancelRegistrations", "DestroyDataKey", "FinishCompensation",
	) {
		worker.RegisterActivityWithOptions(func(context.Context, activities.UndoInput) (activities.UndoResult, error) {
			return store.undo(name)
		}, activity.RegisterOptions{Name: name})
	}
	worker.RegisterActivityWithOptions(func(_ context.Context, in activities.EndInput) (activities.EndResult, error) {
		return store.end(in)
	}, activity.RegisterOptions{Name: "EndOnboarding"})
	worker.RegisterActivityWithOptions(func(context.Context, activities.UndoInput) (models.ProgressCheck, error) {
		return store.check()
	}, activity.RegisterOptions{Name: "CheckProgress"})
}

func TestRecordFileReturn(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	filingRuns.recordMissing(t, func(t *testing.T, client sdkclient.Client, _ string,
		s filingScenario) sdkclient.WorkflowRun {
		t.Helper()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		if s.prepare != nil {
			s.prepare(b)
		}
		recordingWorker(t, client, FilingsQueue, func(w sdkworker.Worker) {
			Register(
				w, FilingsQueue, activities.NewFiling(b, b, b, rules.DefaultFilingPolicy(), quietLog),
				activities.NewFilingPlan(nil, nil, quietLog),
			)
		})
		in := FileReturnInput{
			OrganizationID: theOrganization, FilingID: theFiling, Jurisdiction: "US-NV",
			Period: "2026-01-01/2026-01-31", Category: "REGULAR", Status: b.w.Status,
		}
		if s.seen {
			now := time.Now().UTC()
			in.Seen = &FilingObservation{
				FilingSnapshot: rules.FilingSnapshot{
					FilingFacts: b.w, FilingStep: rules.NextFilingAction(b.w, now, rules.DefaultFilingPolicy()),
				},
				At: now,
			}
		}
		run, err := client.SignalWithStartWorkflow(
			t.Context(), FilingID(theFiling), RecordChangedSignal, nil, FileReturnStart(in), FileReturnName, in,
		)
		require.NoError(t, err)
		if s.interact != nil {
			s.interact(t, &recording{client, b})
		}
		require.NoError(t, run.Get(t.Context(), nil))
		return run
	})
}

func TestRecordRegistration(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	registrationRuns.recordMissing(t, recordRegistration)
}

func recordRegistration(t *testing.T, client sdkclient.Client, name string, w registrationScenario) sdkclient.WorkflowRun {
	t.Helper()
	b := newFakeRegistration(w.status)
	if w.answers != nil {
		b.answers = w.answers
	}
	if w.prepare != nil {
		w.prepare(b)
	}
	recordingWorker(t, client, RegistrationsQueue, func(worker sdkworker.Worker) {
		Register(worker, RegistrationsQueue, activities.NewRegistration(b, b, quietLog))
	})
	recordingWorker(t, client, FilingsQueue, func(worker sdkworker.Worker) {
		worker.RegisterActivityWithOptions(func(context.Context,
			activities.PlanRegistrationInput) (activities.PlanResult, error) {
			return b.plan()
		}, activity.RegisterOptions{Name: "PlanRegistration"})
	})
	in := RegistrationInput{OrganizationID: theOrganization, RegistrationID: name, Jurisdiction: "US-NV", Status: w.status}
	run, err := client.ExecuteWorkflow(t.Context(), RegistrationStart(in), RegistrationName, in)
	require.NoError(t, err)
	if w.change != nil {
		require.Eventually(t, func() bool {
			value, err := client.QueryWorkflow(t.Context(), run.GetID(), "", ProgressQuery)
			var progress RegistrationProgress
			return err == nil && value.Get(&progress) == nil && progress.WaitsFor == w.waits
		}, time.Minute, 50*time.Millisecond, name)
		b.mu.Lock()
		w.change(b)
		b.r.Changed = true
		b.mu.Unlock()
		require.NoError(t, client.SignalWorkflow(t.Context(), run.GetID(), "", RecordChangedSignal, nil))
	}
	require.NoError(t, run.Get(t.Context(), nil), name)
	return run
}
