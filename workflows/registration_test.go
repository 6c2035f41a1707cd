package workflows

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// fakeRegistration is a fake of the record of one registration and of its authority, with the same guards. It records
// what happened when.
type fakeRegistration struct {
	mu      sync.Mutex
	r       models.Registration
	facts   models.RegistrationFacts
	events  []string
	answers fakeAnswers
}

func newFakeRegistration(status models.RegistrationStatus) *fakeRegistration {
	b := &fakeRegistration{
		r:     models.Registration{FilingFrequency: calendar.FilingMonthly, Changed: true},
		facts: models.RegistrationFacts{MissingProducts: true},
		answers: []any{
			models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"},
		},
	}
	b.r.Frequencies = []models.RegistrationFrequency{b.r.FirstFrequency()}
	b.r.Enter(status, time.Time{})
	b.r.Attempt = 1
	return b
}

func (b *fakeRegistration) note(format string, args ...any) {
	b.events = append(b.events, fmt.Sprintf(format, args...))
}

func (b *fakeRegistration) RefreshRegistration(
	_ context.Context, _ models.Scope, _ models.RegistrationRead, run rules.RegistrationRun, now time.Time,
) (rules.RegistrationSnapshot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	snapshot := rules.NextRegistrationAction(b.r, b.facts, run, now)
	b.r.Changed = false
	return snapshot, nil
}

func (b *fakeRegistration) CreateDefaultProducts(context.Context, models.Scope) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.facts.MissingProducts = false
	b.note("products")
	return nil
}

func (b *fakeRegistration) ProceedWithRegistration(_ context.Context, _ models.Scope, _ string, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.enter(models.RegistrationProcessing, now)
	return nil
}

// enter changes the status, as every writer of the real record does.
func (b *fakeRegistration) enter(to models.RegistrationStatus, now time.Time) {
	b.r.Enter(to, now)
	b.r.Changed = true
	b.note("%s", to)
}

func (b *fakeRegistration) SubmissionOfRegistration(
	_ context.Context, scope models.Scope, attempt models.Attempt,
) (models.AuthoritySubmission, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.r.Attempt != attempt.Number || b.r.SubmissionKind() == "" {
		return models.AuthoritySubmission{}, models.ErrChangedMeanwhile
	}
	return models.AuthoritySubmission{
		Key: models.AuthorityKey{
			OrganizationID: scope.OrganizationID, Kind: b.r.SubmissionKind(), RecordID: attempt.RecordID, Attempt: attempt.Number,
		},
	}, nil
}

// change is a change by the workflow: as in the store, it is signalled only when the status is another one.
func (b *fakeRegistration) change(how func()) {
	before := b.r.Status
	how()
	b.r.Changed = b.r.Changed || b.r.Status != before
}

func (b *fakeRegistration) NoteRegistrationContact(context.Context, models.Scope, models.Attempt, bool) error {
	return nil
}

func (b *fakeRegistration) HandOverRegistration(
	_ context.Context, _ models.Scope, attempt models.Attempt, authority string, now time.Time,
) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.r.Attempt == attempt.Number {
		b.change(func() { b.r.HandOver(authority, now) })
		b.note("handed over to %s: %s", authority, b.r.Status)
	}
	return nil
}

func (b *fakeRegistration) SettleRegistration(
	_ context.Context, _ models.Scope, attempt models.Attempt, answer models.AuthorityAnswer, now time.Time,
) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.r.Attempt == attempt.Number && b.r.SubmissionKind() != "" {
		b.change(func() { b.r.Decide(answer, now) })
		b.note("%s %s", answer.Outcome, b.r.Status)
	}
	return nil
}

func (b *fakeRegistration) CancelLaterFilings(context.Context, models.Scope, string, time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note("filings cancelled")
	return nil
}

func (b *fakeRegistration) CloseRegistration(_ context.Context, _ models.Scope, _ models.Attempt, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.enter(models.RegistrationDeregistered, now)
	return nil
}

func (b *fakeRegistration) Submit(
	ctx context.Context, _ models.AuthoritySubmission,
) (models.AuthorityAnswer, error) {
	keepAlive(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note("submitted")
	return b.answers.next()
}

func (b *fakeRegistration) Check(
	ctx context.Context, _ string, _ models.AuthorityKey,
) (models.AuthorityAnswer, error) {
	keepAlive(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.answers.next()
}

func (b *fakeRegistration) plan() (activities.PlanResult, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note("planned")
	return activities.PlanResult{}, nil
}

const theRegistration = "regs_1"

func registrationEnv(b *fakeRegistration, from string) *testsuite.TestWorkflowEnvironment {
	env := newEnvironment()
	start, err := time.Parse(time.RFC3339, from)
	if err != nil {
		panic(err)
	}
	env.SetStartTime(start)
	env.SetTestTimeout(20 * time.Second)
	Register(env, RegistrationsQueue, activities.NewRegistration(b, b, quietLog))
	env.RegisterActivity(activities.NewFilingPlan(nil, nil, quietLog))
	env.OnActivity(
		"PlanRegistration", mock.Anything, mock.Anything,
	).Return(func(context.Context, activities.PlanRegistrationInput) (activities.PlanResult, error) {
		return b.plan()
	})
	return env
}

func (b *fakeRegistration) run(t *testing.T, env *testsuite.TestWorkflowEnvironment) {
	t.Helper()
	env.ExecuteWorkflow(Registration, RegistrationInput{
		OrganizationID: theOrganization, RegistrationID: theRegistration, Jurisdiction: "US-NV", Status: b.r.Status,
	})
	require.True(t, env.IsWorkflowCompleted())
	require.NoError(t, env.GetWorkflowError())
	var result RegistrationResult
	require.NoError(t, env.GetWorkflowResult(&result))
	require.Equal(t, b.r.Status, result.Status)
}

// later changes the record after some time and signals the run.
func (b *fakeRegistration) later(
	env *testsuite.TestWorkflowEnvironment, after time.Duration, change func(now time.Time),
) {
	env.RegisterDelayedCallback(func() {
		b.mu.Lock()
		change(env.Now().UTC())
		b.r.Changed = true
		b.mu.Unlock()
		env.SignalWorkflow(RecordChangedSignal, nil)
	}, after)
}

func TestRegistrationIsCarriedToTheAuthority(t *testing.T) {
	t.Parallel()
	pending := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: time.Hour}
	accepted := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"}
	rejected := models.AuthorityAnswer{
		Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "who are you?",
	}
	manual := models.AuthorityAnswer{Authority: "manual", Outcome: models.AuthorityManual}
	begins := []string{"products", "submitted", "handed over to simulated: VALIDATING"}
	for name, c := range map[string]struct {
		status  models.RegistrationStatus
		answers []any
		later   func(b *fakeRegistration, env *testsuite.TestWorkflowEnvironment)
		want    []string
	}{
		"confirmed at once": {models.RegistrationProcessing, []any{accepted}, nil,
			append(begins, "ACCEPTED REGISTERED", "filings cancelled", "planned")},
		"confirmed after a while": {models.RegistrationProcessing, []any{pending, pending, pending, accepted}, nil,
			append(begins, "ACCEPTED REGISTERED", "filings cancelled", "planned")},
		"after an outage": {models.RegistrationProcessing, []any{
			models.ErrUnavailable, models.ErrOutcomeUnknown, accepted,
		}, nil,
			[]string{
				"products", "submitted", "submitted", "submitted", "handed over to simulated: VALIDATING",
				"ACCEPTED REGISTERED", "filings cancelled", "planned",
			}},
		"goes on where a lost run stood": {models.RegistrationValidating, []any{accepted}, nil,
			[]string{
				"products", "submitted", "handed over to simulated: VALIDATING", "ACCEPTED REGISTERED",
				"filings cancelled", "planned",
			}},
		"registered already": {
			models.RegistrationRegistered, nil, nil, []string{"products", "filings cancelled", "planned"},
		},
		"rejected, clarified and handed over again": {models.RegistrationProcessing, []any{rejected, accepted},
			func(b *fakeRegistration, env *testsuite.TestWorkflowEnvironment) {
				b.later(env, 9*day, func(now time.Time) { b.enter(models.RegistrationProcessing, now) })
			}, append(
				begins, "REJECTED AWAITING_CLARIFICATION", "PROCESSING", "submitted",
				"handed over to simulated: VALIDATING", "ACCEPTED REGISTERED", "filings cancelled", "planned",
			)},
		"never reached": {models.RegistrationProcessing, []any{models.ErrUnavailable},
			func(b *fakeRegistration, env *testsuite.TestWorkflowEnvironment) {
				b.later(env, 10*day, func(now time.Time) { b.events = nil; b.enter(models.RegistrationCancelled, now) })
			}, []string{"CANCELLED", "filings cancelled"}},
		"people hand it over": {models.RegistrationProcessing, []any{manual},
			func(b *fakeRegistration, env *testsuite.TestWorkflowEnvironment) {
				b.later(env, 90*day, func(time.Time) { b.r.Comment = new(string) }) // something else changes first
				b.later(env, 200*day, func(now time.Time) { b.enter(models.RegistrationRegistered, now) })
			}, []string{
				"products", "submitted", "handed over to manual: VALIDATING", "REGISTERED", "filings cancelled",
				"planned",
			}},
		"a client confirms while the authority decides": {models.RegistrationProcessing, []any{pending},
			func(b *fakeRegistration, env *testsuite.TestWorkflowEnvironment) {
				b.later(env, 5*day, func(now time.Time) { b.enter(models.RegistrationRegistered, now) })
			}, append(begins, "REGISTERED", "filings cancelled", "planned")},
		"cancelled while the authority decides": {models.RegistrationProcessing, []any{pending},
			func(b *fakeRegistration, env *testsuite.TestWorkflowEnvironment) {
				b.later(env, 5*day, func(now time.Time) { b.enter(models.RegistrationCancelled, now) })
			}, append(begins, "CANCELLED", "filings cancelled")},
		"waits for the onboarding": {models.RegistrationUnregistered, []any{accepted},
			func(b *fakeRegistration, env *testsuite.TestWorkflowEnvironment) {
				b.later(env, 3*day, func(time.Time) { b.facts.Onboarded = true })
			}, []string{
				"products", "PROCESSING", "submitted", "handed over to simulated: VALIDATING", "ACCEPTED REGISTERED",
				"filings cancelled", "planned",
			}},
		"cancelled before the onboarding was over": {models.RegistrationUnregistered, nil,
			func(b *fakeRegistration, env *testsuite.TestWorkflowEnvironment) {
				b.later(env, 3*day, func(now time.Time) { b.enter(models.RegistrationCancelled, now) })
			}, []string{"products", "CANCELLED", "filings cancelled"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newFakeRegistration(c.status)
			if c.answers != nil {
				b.answers = c.answers
			}
			env := registrationEnv(b, "2026-05-15T10:00:00Z")
			if c.later != nil {
				c.later(b, env)
			}
			b.run(t, env)
			require.Equal(t, c.want, b.events)
		})
	}
}

// lastDays is a deregistration whose last day is given, on 15 May 2026.
func lastDays(last string) *fakeRegistration {
	b := newFakeRegistration(models.RegistrationRegistered)
	b.facts.MissingProducts = false
	b.r.Enter(models.RegistrationDeregistering, time.Time{})
	day := calendar.MustDate(last).Time()
	b.r.DeregistrationDate = &day
	return b
}

func TestRegistrationIsEndedWithItsLastFiling(t *testing.T) {
	t.Parallel()
	t.Run("at once when nothing is left", func(t *testing.T) {
		t.Parallel()
		b := lastDays("2026-05-01")
		b.run(t, registrationEnv(b, "2026-05-15T10:00:00Z"))
		require.Equal(t, []string{
			"filings cancelled", "planned", "submitted", "handed over to simulated: DEREGISTERING",
			"DEREGISTERED", "filings cancelled", "planned",
		}, b.events)
	})
	t.Run("after the last day, when its filing can be planned", func(t *testing.T) {
		t.Parallel()
		b := lastDays("2026-12-31")
		env := registrationEnv(b, "2026-05-15T10:00:00Z")
		env.RegisterDelayedCallback(func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			require.Equal(t, models.RegistrationDeregistering, b.r.Status)
			b.events = nil
		}, 230*day) // 31 December, 10:00
		b.run(t, env)
		require.Equal(t, []string{"filings cancelled", "planned", "DEREGISTERED", "filings cancelled", "planned"}, b.events)
		require.Equal(t, "2027-01-02T00:00:00Z", env.Now().UTC().Format(time.RFC3339))
	})
	t.Run("not before its filings are over", func(t *testing.T) {
		t.Parallel()
		b := lastDays("2026-05-01")
		b.facts.OpenFilings = 1
		env := registrationEnv(b, "2026-05-15T10:00:00Z")
		env.RegisterDelayedCallback(func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			require.Equal(t, models.RegistrationDeregistering, b.r.Status)
			b.facts.OpenFilings = 0 // nobody signals the run
		}, 40*day)
		b.run(t, env)
		require.Equal(t, models.RegistrationDeregistered, b.r.Status)
	})
	t.Run("people see to what the authority refuses", func(t *testing.T) {
		t.Parallel()
		b := lastDays("2026-05-01")
		b.answers = []any{
			models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "no"},
		}
		env := registrationEnv(b, "2026-05-15T10:00:00Z")
		b.later(env, 4*day, func(now time.Time) { b.enter(models.RegistrationDeregistered, now) })
		b.run(t, env)
		require.Equal(t, []string{"filings cancelled", "planned", "submitted",
			"handed over to simulated: DEREGISTERING", "REJECTED DEREGISTERING",
			"DEREGISTERED", "filings cancelled", "planned"}, b.events)
	})
	t.Run("a refused end is handed over again when somebody changes the record", func(t *testing.T) {
		t.Parallel()
		b := lastDays("2026-05-01")
		b.answers = []any{models.AuthorityAnswer{
			Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "no",
		},
			models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted}}
		env := registrationEnv(b, "2026-05-15T10:00:00Z")
		b.later(env, 4*day, func(time.Time) { b.events, b.r.Comment = nil, new(string) })
		b.run(t, env)
		require.Equal(t, []string{
			"filings cancelled", "planned", "submitted", "handed over to simulated: DEREGISTERING",
			"DEREGISTERED", "filings cancelled", "planned",
		}, b.events)
	})
}

func TestAnAuthorityThatKnowsNothingOfARegistrationIsToBeClarified(t *testing.T) {
	t.Parallel()
	b := newFakeRegistration(models.RegistrationProcessing)
	b.answers = []any{
		models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: time.Hour},
		models.ErrNotFound,
	}
	env := registrationEnv(b, "2026-05-15T10:00:00Z")
	b.later(env, 5*day, func(now time.Time) {
		require.Equal(t, unclear.unknown, *b.r.Clarification)
		require.Contains(t, detailsOf(t, env), "Reason: "+unclear.unknown)
		b.enter(models.RegistrationCancelled, now)
	})
	b.run(t, env)
}

// Staff see in the Temporal UI what a registration waits for.
func TestWhatStaffSeeOfARegistration(t *testing.T) {
	t.Parallel()
	b := newFakeRegistration(models.RegistrationProcessing)
	b.answers = []any{models.AuthorityAnswer{Authority: "manual", Outcome: models.AuthorityManual}}
	env := registrationEnv(b, "2026-05-15T10:00:00Z")
	env.RegisterDelayedCallback(func() {
		value, err := env.QueryWorkflow(ProgressQuery)
		require.NoError(t, err)
		var progress RegistrationProgress
		require.NoError(t, value.Get(&progress))
		require.Equal(t, RegistrationProgress{
			Status: models.RegistrationValidating, WaitsFor: rules.RegistrationWaitsForConfirmation, Attempt: 1,
		}, progress)
	}, day)
	b.later(env, 2*day, func(now time.Time) { b.enter(models.RegistrationRegistered, now) })
	b.run(t, env)
	value, err := env.QueryWorkflow(ProgressQuery)
	require.NoError(t, err)
	var progress RegistrationProgress
	require.NoError(t, value.Get(&progress))
	require.Equal(t, RegistrationProgress{Status: models.RegistrationRegistered, Attempt: 1}, progress)

	r := newRegistration(RegistrationInput{})
	for _, waits := range []string{
		rules.RegistrationWaitsForOnboarding, rules.RegistrationWaitsForAuthority, rules.RegistrationWaitsForConfirmation,
		rules.RegistrationWaitsForClarification, rules.RegistrationWaitsForLastDay, rules.RegistrationWaitsForFilings,
	} {
		require.NotEmpty(t, registrationWaits[waits])
	}
	require.Equal(t, "registration/regs_1", RegistrationStart(RegistrationInput{RegistrationID: "regs_1"}).ID)
	require.Empty(t, r.now.Status)
}
