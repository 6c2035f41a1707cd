package workflows

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

const newcomer = "org_1"

var (
	doNames = []string{
		"CreateOrganization", "CreateAPIKey", "SaveBusinessDetails", "SaveBusinessAddress",
		"SaveBusinessInformation", "SaveBusinessContact", "SaveBusinessOwners", "SaveBankDetails",
	}
	undoNames = []string{
		"ArchiveOrganization", "RevokeAPIKeys", "EraseBusinessDetails", "EraseBusinessAddress",
		"EraseBusinessInformation", "EraseBusinessContact", "EraseBusinessOwners", "EraseBankDetails",
	}
)

// undosOf is all that happens when an onboarding is undone whose steps 1 to n were
// tried: the exact list, newest first.
func undosOf(n int) []string {
	var all []string
	for step := n; step >= 3; step-- {
		all = append(all, undoNames[step-1])
	}
	all = append(all, "CancelRegistrations", "DestroyDataKey")
	for step := min(n, 2); step >= 1; step-- {
		all = append(all, undoNames[step-1])
	}
	return append(all, "FinishCompensation")
}

// recordBook stands for the store: it keeps the guards of the real one.
type recordBook struct {
	mu        sync.Mutex
	status    models.OnboardingStatus
	completed int
	calls     []string
	// fails is what an activity fails with, as often as there are errors.
	fails map[string][]error
	// during is called while an activity runs, before it has any effect.
	during map[string]func()
	idle   func() time.Duration // since the last progress
	sent   int                  // reminders
}

func newRecordBook() *recordBook {
	return &recordBook{status: models.OnboardingInProgress, fails: map[string][]error{}, during: map[string]func(){}}
}

// begin notes a call and returns the error it is to fail with.
func (b *recordBook) begin(name string) error {
	b.mu.Lock()
	during := b.during[name]
	b.mu.Unlock()
	if during != nil {
		during()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, name)
	if errs := b.fails[name]; len(errs) > 0 {
		b.fails[name] = errs[1:]
		return errs[0]
	}
	return nil
}

func (b *recordBook) step(name string, in models.StepSubmission) (activities.StepResult, error) {
	if err := b.begin(name); err != nil {
		return activities.StepResult{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.status.Undone():
		return activities.StepResult{}, activities.Refusal(&models.OnboardingInactiveError{Status: b.status})
	case in.Step > b.completed+1:
		return activities.StepResult{}, activities.Refusal(&models.StepOrderError{Next: b.completed + 1})
	}
	if b.completed = max(b.completed, in.Step); b.completed == models.LastStep {
		b.status = models.OnboardingCompleted
	}
	return activities.StepResult{}, nil
}

func (b *recordBook) undo(name string) (activities.UndoResult, error) {
	return activities.UndoResult{}, b.begin(name)
}

func (b *recordBook) end(in activities.EndInput) (activities.EndResult, error) {
	if err := b.begin("EndOnboarding"); err != nil {
		return activities.EndResult{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.completed == 0 {
		return activities.EndResult{}, activities.Refusal(models.ErrNotFound)
	}
	if b.status == models.OnboardingInProgress {
		b.status = in.Status
	}
	return activities.EndResult{Status: b.status, Completed: b.completed}, nil
}

func (b *recordBook) look() (models.ProgressCheck, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, "CheckProgress")
	rules := models.DefaultOnboardingRules()
	idle := b.idle()
	check := models.ProgressCheck{Completed: b.completed, Next: min(rules.Expiry-idle, rules.Reminders[0])}
	if idle >= rules.Expiry {
		b.status = models.OnboardingExpired
	}
	due := 0
	for _, after := range rules.Reminders {
		if after > idle {
			check.Next = min(check.Next, after-idle)
			break
		}
		due++
	}
	b.sent = max(b.sent, due)
	check.Status, check.Reminders = b.status, due
	return check, nil
}

// undone are the calls from the first undo on.
func (b *recordBook) undone() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.IndexFunc(b.calls, func(name string) bool {
		return slices.Contains(undoNames, name) || name == "CancelRegistrations" || name == "DestroyDataKey"
	})
	if at < 0 {
		return nil
	}
	return slices.Clone(b.calls[at:])
}

// boarding is a run of the workflow on a record book.
type boardingRun struct {
	t    *testing.T
	env  *testsuite.TestWorkflowEnvironment
	book *recordBook
	sent int
	// recorded is how many steps are done according to the record that was read for the
	// next submission.
	recorded int
	// verdicts of the steps that were sent, in the order in which they came; nil for done.
	mu       sync.Mutex
	verdicts map[int]error
}

func newBoarding(t *testing.T) *boardingRun {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	r := &boardingRun{t: t, env: suite.NewTestWorkflowEnvironment(), book: newRecordBook(), verdicts: map[int]error{}}
	start := r.env.Now()
	r.book.idle = func() time.Duration { return r.env.Now().Sub(start) }
	RegisterOnboarding(r.env, &activities.Onboarding{})
	for _, name := range doNames {
		r.env.OnActivity(name, mock.Anything, mock.Anything).Return(func(_ context.Context, in models.StepSubmission) (activities.StepResult, error) {
			return r.book.step(name, in)
		})
	}
	for _, name := range append(slices.Clone(undoNames), "CancelRegistrations", "DestroyDataKey", "FinishCompensation") {
		r.env.OnActivity(name, mock.Anything, mock.Anything).Return(func(context.Context, activities.UndoInput) (activities.UndoResult, error) {
			return r.book.undo(name)
		})
	}
	r.env.OnActivity("EndOnboarding", mock.Anything, mock.Anything).Return(func(_ context.Context, in activities.EndInput) (activities.EndResult, error) {
		return r.book.end(in)
	})
	r.env.OnActivity("CheckProgress", mock.Anything, mock.Anything).Return(func(context.Context, activities.UndoInput) (models.ProgressCheck, error) {
		return r.book.look()
	})
	return r
}

// submit sends a step after some time and returns the number of the call.
func (r *boardingRun) submit(step int, after time.Duration) int {
	r.sent++
	n := r.sent
	in := models.StepSubmission{OrganizationID: newcomer, Step: step, Recorded: r.recorded, ID: fmt.Sprintf("subm_%d", n)}
	settle := func(err error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.verdicts[n] = err
	}
	r.env.RegisterDelayedCallback(func() {
		r.env.UpdateWorkflow(SubmitStepUpdate, in.ID, &testsuite.TestUpdateCallback{
			OnAccept: func() {}, OnReject: settle, OnComplete: func(_ any, err error) { settle(err) },
		}, in)
	}, after)
	return n
}

// upTo sends the steps 1 to n, a second apart.
func (r *boardingRun) upTo(n int) {
	for step := 1; step <= n; step++ {
		r.submit(step, time.Duration(step)*time.Second)
	}
}

func (r *boardingRun) cancelAfter(after time.Duration) {
	r.env.RegisterDelayedCallback(func() {
		r.env.UpdateWorkflow(CancelUpdate, "cancel", &testsuite.TestUpdateCallback{
			OnAccept: func() {}, OnReject: func(err error) { require.NoError(r.t, err) }, OnComplete: func(_ any, err error) { require.NoError(r.t, err) },
		}, CancelInput{Reason: "They went elsewhere"})
	}, after)
}

// run runs the workflow to its end.
func (r *boardingRun) run(in ...OnboardingInput) (OnboardingResult, error) {
	r.t.Helper()
	input := OnboardingInput{OrganizationID: newcomer, Status: models.OnboardingInProgress}
	if len(in) > 0 {
		input = in[0]
		r.book.status, r.book.completed = input.Status, input.Completed
	}
	r.env.ExecuteWorkflow(OnboardingName, input)
	require.True(r.t, r.env.IsWorkflowCompleted())
	if err := r.env.GetWorkflowError(); err != nil {
		return OnboardingResult{}, err
	}
	var result OnboardingResult
	require.NoError(r.t, r.env.GetWorkflowResult(&result))
	return result, nil
}

func (r *boardingRun) progress() OnboardingProgress {
	r.t.Helper()
	value, err := r.env.QueryWorkflow(ProgressQuery)
	require.NoError(r.t, err)
	var p OnboardingProgress
	require.NoError(r.t, value.Get(&p))
	return p
}

func TestEightStepsInTheirOrder(t *testing.T) {
	t.Parallel()
	r := newBoarding(t)
	r.upTo(8)
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, models.OnboardingCompleted, result.Status)
	require.Equal(t, doNames, r.book.calls)
	for n, verdict := range r.verdicts {
		require.NoError(t, verdict, n)
	}
	require.Equal(t, OnboardingProgress{Status: models.OnboardingCompleted, Completed: 8}, r.progress())
}

// Whatever the order in which steps come, and however often: a step is done exactly
// when those before it are, and another is refused with the one that is next.
func TestSampledOrders(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 19))
	for sample := range 60 {
		r := newBoarding(t)
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
		require.Len(t, r.book.calls, done, "sample %d: a step before its turn leaves nothing behind", sample)
		for i, verdict := range want {
			got := r.verdicts[i+1]
			if verdict == nil {
				require.NoError(t, got, "sample %d, call %d", sample, i+1)
				continue
			}
			require.Equal(t, verdict, activities.Refused(got), "sample %d, call %d", sample, i+1)
		}
	}
}

// Copies of a step at the same time are done one after the other.
func TestParallelCopiesOfAStep(t *testing.T) {
	t.Parallel()
	r := newBoarding(t)
	r.upTo(2)
	var running, most int
	var mu sync.Mutex
	r.book.during["SaveBusinessDetails"] = func() {
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
	for n, verdict := range r.verdicts {
		require.NoError(t, verdict, n)
	}
	require.Len(t, r.book.calls, 12)
}

// A step whose work fails for good fails the onboarding, and what was done before
// is undone, newest first.
func TestFailureAtEveryStep(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 8; n++ {
		t.Run(fmt.Sprintf("step %d", n), func(t *testing.T) {
			t.Parallel()
			r := newBoarding(t)
			failure := &models.StepFailedError{Step: n, Reason: "The bank does not know the account."}
			r.book.fails[doNames[n-1]] = []error{activities.Refusal(failure)}
			r.upTo(n)
			r.submit(min(n+1, 8), 100*time.Millisecond+time.Duration(n)*time.Second)
			_, err := r.run()
			app, ok := err.(interface{ Unwrap() error })
			require.True(t, ok)
			var failed *temporal.ApplicationError
			require.ErrorAs(t, app.Unwrap(), &failed)
			require.Equal(t, activities.ErrTypeOnboardingFailed, failed.Type())
			require.Equal(t, failure, activities.Refused(r.verdicts[n]))
			require.Equal(t, undosOf(n), r.book.undone())
			require.Equal(t, models.OnboardingFailed, r.book.status)
			require.Equal(t, failure.Reason, r.progress().Reason)
		})
	}
	t.Run("step 1: nothing was created, nothing is undone", func(t *testing.T) {
		t.Parallel()
		r := newBoarding(t)
		r.book.fails["CreateOrganization"] = []error{activities.Refusal(&models.DuplicateError{Field: "name", ExistingID: "org_0"})}
		r.upTo(1)
		result, err := r.run()
		require.NoError(t, err)
		require.Empty(t, result)
		require.Empty(t, r.book.undone())
		require.Equal(t, &models.DuplicateError{Field: "name", ExistingID: "org_0"}, activities.Refused(r.verdicts[1]))
	})
}

// An outage or a defect is not the client's failure: the step may come again.
func TestOutageOfAStepChangesNothing(t *testing.T) {
	t.Parallel()
	for _, errType := range []string{activities.ErrTypeInfrastructure, activities.ErrTypeUnexpected} {
		r := newBoarding(t)
		broken := temporal.NewNonRetryableApplicationError("activity failed: database_23514", errType, nil)
		r.book.fails["SaveBusinessContact"] = []error{broken}
		r.upTo(6)
		for step := 6; step <= 8; step++ {
			r.submit(step, time.Duration(60+step)*time.Second)
		}
		result, err := r.run()
		require.NoError(t, err)
		require.Equal(t, models.OnboardingCompleted, result.Status)
		require.Error(t, r.verdicts[6])
		require.NoError(t, activities.Refused(r.verdicts[6]), "it is no refusal")
		require.Empty(t, r.book.undone())
	}
}

func TestCancelAfterEveryStep(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 7; n++ {
		for how, cancel := range map[string]func(*boardingRun, time.Duration){
			"by the partner": (*boardingRun).cancelAfter,
			"in Temporal":    func(r *boardingRun, after time.Duration) { r.env.RegisterDelayedCallback(r.env.CancelWorkflow, after) },
		} {
			t.Run(fmt.Sprintf("step %d %s", n, how), func(t *testing.T) {
				t.Parallel()
				r := newBoarding(t)
				r.upTo(n)
				cancel(r, time.Duration(n)*time.Second+500*time.Millisecond)
				result, err := r.run()
				require.NoError(t, err, "a wish is no failure")
				require.Equal(t, models.OnboardingCancelled, result.Status)
				require.Equal(t, undosOf(n), r.book.undone())
			})
		}
	}
}

// The run is cancelled while the work of a step is under way: whether it was done
// or not, it is undone.
func TestCancelInsideEveryStep(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 7; n++ {
		t.Run(fmt.Sprintf("step %d", n), func(t *testing.T) {
			t.Parallel()
			r := newBoarding(t)
			r.book.during[doNames[n-1]] = r.env.CancelWorkflow
			r.upTo(n)
			result, err := r.run()
			require.NoError(t, err)
			require.Equal(t, models.OnboardingCancelled, result.Status)
			require.Equal(t, undosOf(n), r.book.undone())
		})
	}
}

// A run that was lost goes on in another one, from the record.
func TestAnotherRunGoesOn(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 7; n++ {
		for _, status := range []models.OnboardingStatus{models.OnboardingCancelled, models.OnboardingExpired, models.OnboardingFailed} {
			r := newBoarding(t)
			_, err := r.run(OnboardingInput{OrganizationID: newcomer, Status: status, Completed: n})
			require.Equal(t, status == models.OnboardingFailed, err != nil, status)
			require.Equal(t, undosOf(n), r.book.undone(), "%s after step %d", status, n)
		}
		r := newBoarding(t)
		for step := n + 1; step <= 8; step++ {
			r.submit(step, time.Duration(step)*time.Second)
		}
		result, err := r.run(OnboardingInput{OrganizationID: newcomer, Status: models.OnboardingInProgress, Completed: n})
		require.NoError(t, err)
		require.Equal(t, models.OnboardingCompleted, result.Status)
		require.Equal(t, doNames[n:], r.book.calls)
	}
}

// A run that staff reset to an earlier point learns from the next step how far the record
// is, and undoes what it does not remember.
func TestAResetRunCatchesUpWithTheRecord(t *testing.T) {
	t.Parallel()
	r := newBoarding(t)
	r.env.RegisterDelayedCallback(func() { r.book.completed = 4 }, time.Millisecond)
	r.recorded = 4
	r.submit(5, time.Second)
	r.cancelAfter(2 * time.Second)
	result, err := r.run(OnboardingInput{OrganizationID: newcomer, Status: models.OnboardingInProgress, Completed: 2})
	require.NoError(t, err)
	require.NoError(t, r.verdicts[1])
	require.Equal(t, models.OnboardingCancelled, result.Status)
	require.Equal(t, undosOf(5), r.book.undone())
}

// An undo that does not succeed holds up no other; it is tried until it does.
func TestAFailingUndoHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 8; n++ {
		r := newBoarding(t)
		broken := temporal.NewApplicationError("activity failed: unavailable", activities.ErrTypeInfrastructure)
		r.book.fails[undoNames[n-1]] = slices.Repeat([]error{broken}, 25)
		r.book.fails["SaveBankDetails"] = []error{activities.Refusal(&models.StepFailedError{Step: 8, Reason: "no"})}
		r.upTo(8)
		_, err := r.run()
		require.Error(t, err)
		once := slices.Compact(slices.Sorted(slices.Values(r.book.undone())))
		require.Equal(t, slices.Sorted(slices.Values(undosOf(8))), once, "each undo happened")
		last := len(r.book.calls) - 1
		require.Equal(t, "FinishCompensation", r.book.calls[last])
		require.Equal(t, undoNames[n-1], r.book.calls[last-1], "the failing one was done last, after all others")
	}
}

// Days pass: reminders after 7 and 23 days, the end after 30, always since the last
// progress.
func TestRemindersAndExpiry(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	r := newBoarding(t)
	start := r.env.Now()
	progressAt := start
	r.book.idle = func() time.Duration { return r.env.Now().Sub(progressAt) }
	r.upTo(3)
	var seen []string
	note := func(days int) {
		r.env.RegisterDelayedCallback(func() {
			seen = append(seen, fmt.Sprintf("day %d: %d %s", days, r.book.sent, r.book.status))
		}, time.Duration(days)*day+time.Hour)
	}
	r.env.RegisterDelayedCallback(func() { progressAt = r.env.Now(); r.book.sent = 0 }, 10*day) // a sale, say
	for _, days := range []int{6, 7, 11, 16, 17, 32, 33, 39} {
		note(days)
	}
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, models.OnboardingExpired, result.Status)
	require.Equal(t, []string{
		"day 6: 0 IN_PROGRESS", "day 7: 1 IN_PROGRESS", "day 11: 0 IN_PROGRESS", "day 16: 0 IN_PROGRESS", "day 17: 1 IN_PROGRESS",
		"day 32: 1 IN_PROGRESS", "day 33: 2 IN_PROGRESS", "day 39: 2 IN_PROGRESS",
	}, seen)
	require.InDelta(t, 40*24, r.env.Now().Sub(start).Hours(), 2)
	require.Equal(t, undosOf(3), r.book.undone())
}

func TestARunWithoutItsFirstStepCloses(t *testing.T) {
	t.Parallel()
	r := newBoarding(t)
	start := r.env.Now()
	result, err := r.run()
	require.NoError(t, err)
	require.Empty(t, result)
	require.Empty(t, r.book.calls)
	require.InDelta(t, unbornPatience.Minutes(), r.env.Now().Sub(start).Minutes(), 1)
}

// A partner of its own is never cancelled, expired or failed.
func TestARootOrganizationStaysOpen(t *testing.T) {
	t.Parallel()
	r := newBoarding(t)
	r.book.fails["SaveBankDetails"] = []error{activities.Refusal(&models.StepFailedError{Step: 8, Reason: "no"})}
	for step := 3; step <= 8; step++ {
		r.submit(step, time.Duration(step)*24*30*time.Hour)
	}
	r.submit(8, 400*24*time.Hour)
	result, err := r.run(OnboardingInput{OrganizationID: newcomer, Status: models.OnboardingNotStarted, Completed: 2, Root: true})
	require.NoError(t, err)
	require.Equal(t, models.OnboardingCompleted, result.Status)
	require.Empty(t, r.book.undone())
}

// A history that gets long goes on in a new run, between two steps.
func TestContinuesAsNew(t *testing.T) {
	t.Parallel()
	r := newBoarding(t)
	r.upTo(2)
	r.env.RegisterDelayedCallback(func() { r.env.SetContinueAsNewSuggested(true) }, 2500*time.Millisecond)
	r.submit(1, 3*time.Second) // the next task, which carries the suggestion
	_, err := r.run()
	var again *workflow.ContinueAsNewError
	require.ErrorAs(t, err, &again)
	require.Equal(t, doNames[:2], r.book.calls[:2])
}

func TestValidatorRefusesWhatIsNoStep(t *testing.T) {
	t.Parallel()
	r := newBoarding(t)
	refused := 0
	for _, in := range []models.StepSubmission{
		{OrganizationID: "org_2", Step: 1, ID: "subm_1"}, {OrganizationID: newcomer, Step: 0, ID: "subm_2"}, {OrganizationID: newcomer, Step: 9, ID: "subm_3"}, {OrganizationID: newcomer, Step: 1},
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
	require.Empty(t, r.book.calls)
}
