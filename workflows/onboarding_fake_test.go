package workflows

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
)

const theOrganization = "org_1"

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

// undosOf are exactly the activities that compensate an onboarding whose steps 1 to n were attempted, newest first.
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

// fakeOnboarding is a fake of the store, with the same guards.
type fakeOnboarding struct {
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
	ending func(in activities.EndInput)
	early  *models.ProgressCheck // the record that a check has read before later changes
}

func newFakeOnboarding() *fakeOnboarding {
	return &fakeOnboarding{status: models.OnboardingInProgress, fails: map[string][]error{}, during: map[string]func(){}}
}

// begin records a call and returns the error with which it fails.
func (b *fakeOnboarding) begin(name string) error {
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

func (b *fakeOnboarding) step(name string, in models.StepSubmission) (activities.StepResult, error) {
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

func (b *fakeOnboarding) undo(name string) (activities.UndoResult, error) {
	return activities.UndoResult{}, b.begin(name)
}

func (b *fakeOnboarding) end(in activities.EndInput) (activities.EndResult, error) {
	if err := b.begin("EndOnboarding"); err != nil {
		return activities.EndResult{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ending != nil {
		b.ending(in)
	}
	if b.completed == 0 {
		return activities.EndResult{}, activities.Refusal(models.ErrNotFound)
	}
	if b.status == models.OnboardingInProgress {
		b.status = in.Status
	}
	return activities.EndResult{Status: b.status, Completed: b.completed}, nil
}

func (b *fakeOnboarding) check() (models.ProgressCheck, error) {
	if err := b.begin("CheckProgress"); err != nil {
		return models.ProgressCheck{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.early != nil {
		return *b.early, nil
	}
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
func (b *fakeOnboarding) undone() []string {
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

// onboardingRun is a run of the workflow on a fake store.
type onboardingRun struct {
	t     *testing.T
	env   *testsuite.TestWorkflowEnvironment
	store *fakeOnboarding
	sent  int
	// recorded is how many steps are done according to the record that was read for the
	// next submission.
	recorded int
	// results of the steps that were sent, in the order of their arrival; nil for done.
	mu      sync.Mutex
	results map[int]error
	checks  *testsuite.MockCallWrapper
}

func newOnboardingRun(t *testing.T) *onboardingRun {
	t.Helper()
	r := &onboardingRun{t: t, env: newEnvironment(), store: newFakeOnboarding(), results: map[int]error{}}
	start := r.env.Now()
	r.store.idle = func() time.Duration { return r.env.Now().Sub(start) }
	Register(r.env, OnboardingQueue, &activities.Onboarding{})
	for _, name := range doNames {
		r.env.OnActivity(
			name, mock.Anything, mock.Anything,
		).Return(func(_ context.Context, in models.StepSubmission) (activities.StepResult, error) {
			return r.store.step(name, in)
		})
	}
	for _, name := range append(
		slices.Clone(undoNames), "CancelRegistrations", "DestroyDataKey", "FinishCompensation",
	) {
		r.env.OnActivity(
			name, mock.Anything, mock.Anything,
		).Return(func(context.Context, activities.UndoInput) (activities.UndoResult, error) {
			return r.store.undo(name)
		})
	}
	r.env.OnActivity(
		"EndOnboarding", mock.Anything, mock.Anything,
	).Return(func(_ context.Context, in activities.EndInput) (activities.EndResult, error) {
		return r.store.end(in)
	})
	r.checks = r.env.OnActivity(
		"CheckProgress", mock.Anything, mock.Anything,
	).Return(func(context.Context, activities.UndoInput) (models.ProgressCheck, error) {
		return r.store.check()
	})
	return r
}

// submit sends a step after some time and returns the number of the call.
func (r *onboardingRun) submit(step int, after time.Duration) int {
	r.sent++
	n := r.sent
	in := models.StepSubmission{
		OrganizationID: theOrganization, Step: step, Recorded: r.recorded, ID: fmt.Sprintf("subm_%d", n),
	}
	settle := func(err error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.results[n] = err
	}
	r.env.RegisterDelayedCallback(func() {
		r.env.UpdateWorkflow(SubmitStepUpdate, in.ID, &testsuite.TestUpdateCallback{
			OnAccept: func() {}, OnReject: settle, OnComplete: func(_ any, err error) { settle(err) },
		}, in)
	}, after)
	return n
}

// upTo sends the steps 1 to n, a second apart.
func (r *onboardingRun) upTo(n int) {
	for step := 1; step <= n; step++ {
		r.submit(step, time.Duration(step)*time.Second)
	}
}

func (r *onboardingRun) cancelAfter(after time.Duration) {
	r.env.RegisterDelayedCallback(func() {
		r.env.UpdateWorkflow(CancelUpdate, "cancel", &testsuite.TestUpdateCallback{
			OnAccept: func() {}, OnReject: func(err error) {
				require.NoError(
					r.t, err,
				)
			}, OnComplete: func(_ any, err error) { require.NoError(r.t, err) },
		}, CancelInput{Recorded: r.recorded, Reason: "They went elsewhere"})
	}, after)
}

// cancelInTemporal asks the run to cancel, and confirms that.
func (r *onboardingRun) cancelInTemporal(after time.Duration) {
	r.env.RegisterDelayedCallback(r.env.CancelWorkflow, after)
	r.confirmAfter(after+100*time.Millisecond, theOrganization, true)
}

// confirmAfter confirms a cancellation, which is accepted or not.
func (r *onboardingRun) confirmAfter(after time.Duration, organizationID string, accepted bool) {
	r.env.RegisterDelayedCallback(func() {
		r.env.UpdateWorkflow(ConfirmCancellationUpdate, "confirm "+after.String(), &testsuite.TestUpdateCallback{
			OnAccept:   func() { require.True(r.t, accepted) },
			OnReject:   func(err error) { require.False(r.t, accepted, "%v", err) },
			OnComplete: func(_ any, err error) { require.NoError(r.t, err) },
		}, confirmedByAnn(ConfirmationInput{OrganizationID: organizationID}, theTestRun, r.env.Now()))
	}, after)
}

// confirmedByAnn is a confirmation with the proof of an operator.
func confirmedByAnn(in ConfirmationInput, workflowID string, at time.Time) ConfirmationInput {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	in.Proof = models.SignUpdate(key, in.Statement(workflowID, ConfirmCancellationUpdate), at)
	return in
}

// run runs the workflow to its end.
func (r *onboardingRun) run(in ...OnboardingInput) (OnboardingResult, error) {
	r.t.Helper()
	input := OnboardingInput{OrganizationID: theOrganization, Status: models.OnboardingInProgress}
	if len(in) > 0 {
		input = in[0]
		r.store.status, r.store.completed = input.Status, input.Completed
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

func (r *onboardingRun) progress() OnboardingProgress {
	r.t.Helper()
	value, err := r.env.QueryWorkflow(ProgressQuery)
	require.NoError(r.t, err)
	var p OnboardingProgress
	require.NoError(r.t, value.Get(&p))
	return p
}
