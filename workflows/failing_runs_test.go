package workflows

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"

	"levy/activities"
	"levy/models"
	"levy/tax/calendar"
)

// failing makes the next executions of one activity fail before they have any effect; the others are executed.
type failing struct {
	interceptor.WorkerInterceptorBase

	name string

	mu    sync.Mutex
	errs  []error
	calls map[string]int
}

func (f *failing) InterceptActivity(
	_ context.Context, next interceptor.ActivityInboundInterceptor,
) interceptor.ActivityInboundInterceptor {
	return &failingCall{ActivityInboundInterceptorBase: interceptor.ActivityInboundInterceptorBase{Next: next}, of: f}
}

type failingCall struct {
	interceptor.ActivityInboundInterceptorBase
	of *failing
}

func (c *failingCall) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	if err := c.of.next(activity.GetInfo(ctx).ActivityType.Name); err != nil {
		return nil, err
	}
	return c.Next.ExecuteActivity(ctx, in)
}

func (f *failing) next(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls == nil {
		f.calls = map[string]int{}
	}
	f.calls[name]++
	if name != f.name || len(f.errs) == 0 {
		return nil
	}
	err := f.errs[0]
	f.errs = f.errs[1:]
	return err
}

// in installs the failures in an environment.
func (f *failing) in(env *testsuite.TestWorkflowEnvironment) {
	env.SetWorkerOptions(sdkworker.Options{
		DeadlockDetectionTimeout: time.Minute, Interceptors: []interceptor.WorkerInterceptor{f},
	})
}

var (
	anOutage = temporal.NewApplicationError(
		"activity failed: unavailable", activities.ErrTypeInfrastructure, "unavailable",
	)
	aDefect = temporal.NewNonRetryableApplicationError(
		"activity failed: database_23514", activities.ErrTypeUnexpected, nil, "database_23514",
	)
)

// activityScenario is a course of a run in which every activity named is called. run runs it; after checks that it ended
// as it should.
type activityScenario struct {
	activities []string
	run        func(t *testing.T, f *failing) (env *testsuite.TestWorkflowEnvironment, after func(t *testing.T))
	// instead says how a run ends in which an activity fails for good; by default with the
	// error of the activity.
	instead map[string]func(t *testing.T, env *testsuite.TestWorkflowEnvironment)
}

// filedOnTime is a return that is paused, resumed by its day, approved, filed and locked.
func filedOnTime(_ *testing.T, f *failing) (*testsuite.TestWorkflowEnvironment, func(*testing.T)) {
	b := newFakeFiling(models.FilingPaused, "2026-01-01", "2026-01-31", "2026-02-20")
	b.w.AutoFile, b.w.PausedUntil, b.w.Due = true, calendar.MustDate("2026-02-10"), 0
	b.answers = []any{
		models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: time.Hour},
		models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted},
	}
	env := filingEnv(b, "2026-02-03T00:00:00Z")
	f.in(env)
	env.RegisterDelayedCallback(func() { // staff decide where the run has ended up in an issue
		b.mu.Lock()
		if b.w.Status == models.FilingIssue {
			b.transition(env.Now(), models.FilingCancelled)
		}
		b.mu.Unlock()
		env.SignalWorkflow(RecordChangedSignal, nil)
	}, 30*day)
	env.ExecuteWorkflow(FileReturn, FileReturnInput{
		OrganizationID: theOrganization, FilingID: theFiling, Jurisdiction: "US-NV", Status: models.FilingPaused,
	})
	return env, func(t *testing.T) {
		t.Helper()
		require.Equal(t, models.FilingFiled, b.w.Status)
		require.True(t, b.w.Locked)
		require.Equal(t, map[int]int{1: 1}, b.received)
	}
}

// registeredInTime is a registration that waits for the onboarding and is confirmed later.
func registeredInTime(_ *testing.T, f *failing) (*testsuite.TestWorkflowEnvironment, func(*testing.T)) {
	b := newFakeRegistration(models.RegistrationUnregistered)
	b.facts.Onboarded = true
	b.answers = []any{
		models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: time.Hour},
		models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted},
	}
	env := registrationEnv(b, "2026-02-03T00:00:00Z")
	f.in(env)
	b.later(env, 30*day, func(now time.Time) {
		if b.r.Status != models.RegistrationRegistered {
			b.enter(models.RegistrationCancelled, now)
		}
	})
	env.ExecuteWorkflow(Registration, RegistrationInput{
		OrganizationID: theOrganization, RegistrationID: theRegistration, Jurisdiction: "US-NV", Status: b.r.Status,
	})
	return env, func(t *testing.T) {
		t.Helper()
		require.Equal(t, models.RegistrationRegistered, b.r.Status)
		require.Contains(t, b.events, "planned")
	}
}

// deregistered is a registration that ends at once.
func deregistered(_ *testing.T, f *failing) (*testsuite.TestWorkflowEnvironment, func(*testing.T)) {
	b := lastDays("2026-05-01")
	env := registrationEnv(b, "2026-05-15T10:00:00Z")
	f.in(env)
	env.ExecuteWorkflow(Registration, RegistrationInput{
		OrganizationID: theOrganization, RegistrationID: theRegistration, Jurisdiction: "US-NV", Status: b.r.Status,
	})
	return env, func(t *testing.T) {
		t.Helper()
		require.Equal(t, models.RegistrationDeregistered, b.r.Status)
	}
}

// imported is an import of one row.
func imported(_ *testing.T, f *failing) (*testsuite.TestWorkflowEnvironment, func(*testing.T)) {
	b := &fakeImport{status: models.ImportQueued}
	env := newEnvironment()
	f.in(env)
	Register(env, ImportsQueue, activities.NewImports(b, b, b, func(models.ImportCounts) {}, quietLog))
	env.ExecuteWorkflow(ImportTransactions, ImportInput{ImportRef: importRef})
	return env, func(t *testing.T) {
		t.Helper()
		require.Equal(t, models.ImportCompleted, b.status)
		require.Equal(t, 1, b.cleared)
	}
}

func activityScenarios() map[string]activityScenario {
	endsWith := func(want string) func(*testing.T, *testsuite.TestWorkflowEnvironment) {
		return func(t *testing.T, env *testsuite.TestWorkflowEnvironment) {
			t.Helper()
			require.NoError(t, env.GetWorkflowError())
			var result struct {
				Status string `json:"status"`
			}
			require.NoError(t, env.GetWorkflowResult(&result))
			require.Equal(t, want, result.Status)
		}
	}
	return map[string]activityScenario{
		"FileReturn": {
			activities: []string{
				"RefreshFiling", "ResumeFiling", "ApproveFiling", "SubmitReturn", "AskAuthority", "SettleFiling",
				"LockFiling",
			},
			run: filedOnTime,
			instead: map[string]func(*testing.T, *testsuite.TestWorkflowEnvironment){
				// A return that cannot be submitted, or asked for, is an issue, which staff end.
				"SubmitReturn": endsWith("CANCELLED"), "AskAuthority": endsWith("CANCELLED"),
			},
		},
		"Registration": {
			activities: []string{
				"RefreshRegistration", "CreateDefaultProducts", "ProceedWithRegistration", "SubmitRegistration",
				"AskAboutRegistration",
				"SettleRegistration", "CancelLaterFilings", "PlanRegistration",
			},
			run: registeredInTime,
			instead: map[string]func(*testing.T, *testsuite.TestWorkflowEnvironment){
				// A registration that cannot be submitted has to be clarified, and staff end it.
				"SubmitRegistration": endsWith("CANCELLED"), "AskAboutRegistration": endsWith("CANCELLED"),
			},
		},
		"Registration that ends": {activities: []string{"CloseRegistration"}, run: deregistered},
		"ImportTransactions":     {activities: []string{"TakeInRows", "ClearImport"}, run: imported},
		"PlanFilings": {
			activities: []string{"PlanFilings"},
			run: func(_ *testing.T, f *failing) (*testsuite.TestWorkflowEnvironment, func(*testing.T)) {
				planner := &pages{pages: 3}
				env := plan(planner, PlanFilingsInput{}, f.in)
				return env, func(t *testing.T) { t.Helper(); require.Len(t, planner.asked, 3) }
			},
		},
		"ExpireExemptions": {
			activities: []string{"ExpireEndedExemptions"},
			run: func(_ *testing.T, f *failing) (*testsuite.TestWorkflowEnvironment, func(*testing.T)) {
				store := &expiring{steps: 3}
				env := expire(store, ExpireExemptionsInput{}, f.in)
				return env, func(t *testing.T) { t.Helper(); require.Len(t, store.asked, 3) }
			},
		},
	}
}

// eachActivity runs a test for every activity of every workflow.
func eachActivity(t *testing.T, test func(t *testing.T, s activityScenario, name string)) {
	t.Helper()
	for workflow, s := range activityScenarios() {
		for _, name := range s.activities {
			t.Run(workflow+" "+name, func(t *testing.T) {
				t.Parallel()
				test(t, s, name)
			})
		}
	}
}
