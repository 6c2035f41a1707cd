package workflows

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// way is a way an onboarding can go on a real server.
type way struct {
	in      OnboardingInput // where the record is; the zero value means the beginning
	steps   []int
	prepare func(b *recordBook)
	after   func(t *testing.T, client sdkclient.Client) // once the steps are sent
	fails   bool
}

func ways() map[string]way {
	outage := temporal.NewApplicationError("activity failed: unavailable", activities.ErrTypeInfrastructure, "unavailable")
	refuse := func(step string, err error) func(*recordBook) {
		return func(b *recordBook) { b.fails[step] = []error{activities.Refusal(err)} }
	}
	cancelUpdate := func(t *testing.T, client sdkclient.Client) {
		handle, err := client.UpdateWorkflow(t.Context(), sdkclient.UpdateWorkflowOptions{
			WorkflowID: OnboardingID(newcomer), UpdateName: CancelUpdate, Args: []any{CancelInput{Reason: "no"}}, WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
		})
		require.NoError(t, err)
		require.NoError(t, handle.Get(t.Context(), nil))
	}
	at := func(status models.OnboardingStatus, completed int) OnboardingInput {
		return OnboardingInput{OrganizationID: newcomer, Status: status, Completed: completed}
	}
	return map[string]way{
		"completed":       {steps: []int{1, 2, 3, 4, 5, 6, 7, 8}},
		"edits":           {steps: []int{1, 2, 2, 3, 4, 3, 5, 6, 7, 7, 8}},
		"refused":         {steps: []int{1}, prepare: refuse("CreateOrganization", &models.DuplicateError{Field: "name", ExistingID: "org_0"})},
		"failed":          {steps: []int{1, 2, 3, 4, 5, 6, 7, 8}, prepare: refuse("SaveBankDetails", &models.StepFailedError{Step: 8, Reason: "no"}), fails: true},
		"cancelled":       {steps: []int{1, 2, 3, 4, 5}, after: cancelUpdate},
		"cancelled-since": {steps: []int{1, 2, 3, 4, 5}, after: cancelUpdate}, // with the registrations
		"cancelled-first": {steps: []int{1}, after: cancelUpdate},
		"cancelled-by-ui": {steps: []int{1, 2, 3, 4}, after: func(t *testing.T, client sdkclient.Client) {
			require.NoError(t, client.CancelWorkflow(t.Context(), OnboardingID(newcomer), ""))
		}},
		"outage":         {steps: []int{1, 2, 3, 4, 5, 6, 7, 8}, prepare: func(b *recordBook) { b.fails["SaveBusinessContact"] = []error{outage, outage} }},
		"undo-fails":     {steps: []int{1, 2, 3}, after: cancelUpdate, prepare: func(b *recordBook) { b.fails["EraseBusinessDetails"] = []error{outage, outage} }},
		"resumed":        {in: at(models.OnboardingInProgress, 5), steps: []int{6, 7, 8}},
		"resumed-undo":   {in: at(models.OnboardingCancelled, 6)},
		"resumed-failed": {in: at(models.OnboardingFailed, 3), fails: true},
		"root":           {in: OnboardingInput{OrganizationID: newcomer, Status: models.OnboardingNotStarted, Completed: 2, Root: true}, steps: []int{3, 4, 5, 6, 7, 8}},
		"expired":        {in: at(models.OnboardingInProgress, 3), prepare: func(b *recordBook) { b.idle = func() time.Duration { return 31 * 24 * time.Hour } }},
		"reminded":       {in: at(models.OnboardingInProgress, 3), prepare: remindedFirst},
		"cancelled-unborn": {after: func(t *testing.T, client sdkclient.Client) {
			require.NoError(t, client.CancelWorkflow(t.Context(), OnboardingID(newcomer), ""))
		}},
	}
}

// remindedFirst has the first look remind and the second one end.
func remindedFirst(b *recordBook) {
	looks := 0
	b.idle = func() time.Duration {
		if looks++; looks == 1 {
			return 30*24*time.Hour - time.Second // the next look comes in a second
		}
		return 31 * 24 * time.Hour
	}
}

var onboardingRuns = histories[way]{folder: "Onboarding", workflows: map[string]any{OnboardingName: Onboarding}, ways: ways}

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
			if err := errors.Join(o.listen(ctx), o.await(ctx)); err != nil {
				return OnboardingResult{}, err
			}
			change(o, ctx)
			return o.result()
		}
		require.Error(t, onboardingRuns.replay("cancelled", OnboardingName, run), name)
	}
}

func TestRecordOnboarding(t *testing.T) { //nolint:paralleltest // it changes firstLook
	days := firstLook
	firstLook = 2 * time.Second
	t.Cleanup(func() { firstLook = days })
	onboardingRuns.recordMissing(t, recordOnboarding)
}

func recordOnboarding(t *testing.T, client sdkclient.Client, _ string, w way) sdkclient.WorkflowRun {
	t.Helper()
	book := newRecordBook()
	book.idle = func() time.Duration { return 0 }
	if w.prepare != nil {
		w.prepare(book)
	}
	if w.in.OrganizationID == "" {
		w.in = OnboardingInput{OrganizationID: newcomer, Status: models.OnboardingInProgress}
	}
	book.status, book.completed = w.in.Status, w.in.Completed
	recordingWorker(t, client, OnboardingQueue, func(w sdkworker.Worker) { registerBook(w, book) })
	run, err := client.ExecuteWorkflow(t.Context(), OnboardingStart(w.in), OnboardingName, w.in)
	require.NoError(t, err)
	for i, step := range w.steps {
		id := models.NewID(models.PrefixSubmission)
		handle, err := client.UpdateWorkflow(t.Context(), sdkclient.UpdateWorkflowOptions{
			WorkflowID: run.GetID(), UpdateID: id, UpdateName: SubmitStepUpdate, WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
			Args: []any{models.StepSubmission{OrganizationID: newcomer, Step: step, ID: id}},
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

// registerBook makes the activities of a record book known under the real names.
func registerBook(worker sdkworker.Worker, book *recordBook) {
	worker.RegisterWorkflowWithOptions(Onboarding, workflow.RegisterOptions{Name: OnboardingName})
	for _, name := range doNames {
		worker.RegisterActivityWithOptions(func(_ context.Context, in models.StepSubmission) (activities.StepResult, error) {
			return book.step(name, in)
		}, activity.RegisterOptions{Name: name})
	}
	for _, name := range append(append([]string{}, undoNames...), "CancelRegistrations", "DestroyDataKey", "FinishCompensation") {
		worker.RegisterActivityWithOptions(func(context.Context, activities.UndoInput) (activities.UndoResult, error) {
			return book.undo(name)
		}, activity.RegisterOptions{Name: name})
	}
	worker.RegisterActivityWithOptions(func(_ context.Context, in activities.EndInput) (activities.EndResult, error) {
		return book.end(in)
	}, activity.RegisterOptions{Name: "EndOnboarding"})
	worker.RegisterActivityWithOptions(func(context.Context, activities.UndoInput) (models.ProgressCheck, error) {
		return book.look()
	}, activity.RegisterOptions{Name: "CheckProgress"})
}
