package workflows

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// fakeFiling is a fake of the record of one filing and of its authority, with the same guards. It records what happened
// when.
type fakeFiling struct {
	mu        sync.Mutex
	w         models.FilingFacts
	pending   int // transactions in processing
	open      models.UnresolvedTransactions
	submitted []int // attempts that were recorded as submitted
	refreshes int
	events    []string
	answers   fakeAnswers
	received  map[int]int
	document  bool     // the authority takes a file
	handed    []string // documents and submissions, in their order
}

// fakeAnswers are those of an authority: each an AuthorityAnswer or an error, of which the last one is repeated.
type fakeAnswers []any

func (a *fakeAnswers) next() (models.AuthorityAnswer, error) {
	next := (*a)[0]
	if len(*a) > 1 {
		*a = (*a)[1:]
	}
	if err, ok := next.(error); ok {
		return models.AuthorityAnswer{}, err
	}
	return next.(models.AuthorityAnswer), nil
}

func newFakeFiling(status models.FilingStatus, start, end, due string) *fakeFiling {
	return &fakeFiling{
		w: models.FilingFacts{Status: status, Period: calendar.Period{
			Start: calendar.MustDate(start), End: calendar.MustDate(end),
		}, Due: calendar.MustDate(due),
			Lookback: 1},
		answers: []any{
			models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"},
		},
		received: map[int]int{},
	}
}

func (b *fakeFiling) note(now time.Time, format string, args ...any) {
	b.events = append(b.events, now.Format("2006-01-02 15:04")+" "+fmt.Sprintf(format, args...))
}

func (b *fakeFiling) RefreshFiling(
	_ context.Context, _ models.Scope, _ string, now time.Time, policy rules.FilingPolicy,
) (rules.FilingSnapshot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refreshes++
	step := rules.NextFilingAction(b.w, now, policy)
	snapshot := rules.FilingSnapshot{FilingStep: step}
	if step.Reminders > b.w.Reminders {
		event, days := policy.ReminderEvent(step.Reminders)
		b.note(now, "%s %d", event, days)
		snapshot.Reminded = event
	}
	b.w.Reminders = step.Reminders
	snapshot.FilingFacts = b.w
	snapshot.Document = b.document && step.Action == rules.FilingSubmits
	return snapshot, nil
}

func (b *fakeFiling) AutoApproveFiling(
	_ context.Context, _ models.Scope, _ string, now time.Time, policy rules.FilingPolicy,
) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if rules.NextFilingAction(b.w, now, policy).Action != rules.FilingApproves {
		return models.ErrChangedMeanwhile
	}
	if b.pending > 0 {
		return &models.FilingNotReadyError{Pending: b.pending}
	}
	if b.open.Transactions > 0 {
		return &models.FilingUnresolvedError{UnresolvedTransactions: b.open}
	}
	b.transition(now, models.FilingFiling)
	return nil
}

func (b *fakeFiling) NoteSubmission(_ context.Context, _ models.Scope, attempt models.Attempt, _ string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.submitted = append(b.submitted, attempt.Number)
	return nil
}

func (b *fakeFiling) AuthorityOfFiling(context.Context, models.Scope, string) (models.ReturnOwner, error) {
	return models.ReturnOwner{Test: true}, nil
}

// ReturnFacts has the document of the attempt already, as after a lost answer.
func (b *fakeFiling) ReturnFacts(context.Context, models.Scope, string) (models.ReturnFacts, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.handed = append(b.handed, fmt.Sprintf("build %d", b.w.Attempt))
	return models.ReturnFacts{
		Document: &models.FilingDocument{Attempt: b.w.Attempt, Layout: "US-NV-FILE/1", Hash: "ab"},
	}, nil
}

func (b *fakeFiling) KeepDocument(
	context.Context, models.Scope, models.Attempt, models.FilingDocument,
) (models.FilingDocument, error) {
	return models.FilingDocument{}, models.ErrChangedMeanwhile
}

func (b *fakeFiling) NoteManualFiling(context.Context, models.Scope, models.Attempt) error {
	return nil
}

func (b *fakeFiling) NoteFilingContact(context.Context, models.Scope, models.Attempt, bool) error {
	return nil
}

// transition changes the status, as every writer of the real record does.
func (b *fakeFiling) transition(now time.Time, to models.FilingStatus) {
	if to == models.FilingFiling {
		b.w.Attempt++
	}
	b.w.Status = to
	b.note(now, "%s", to)
}

func (b *fakeFiling) ResumeFiling(_ context.Context, _ models.Scope, _ string, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.transition(now, models.FilingUnfiled)
	return nil
}

func (b *fakeFiling) UseProof(context.Context, models.Proof, string) (models.Actor, error) {
	return models.Actor{Staff: "Ann"}, nil
}

func (b *fakeFiling) TransitionFiling(
	_ context.Context, _ models.Scope, _ string, change models.FilingTransition,
) (models.FilingStatus, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := models.FilingTransitions.Check(string(b.w.Status), string(change.To)); err != nil {
		return b.w.Status, err
	}
	b.w.PausedUntil = change.Until
	b.w.Status = change.To
	if change.To == models.FilingFiling {
		b.w.Attempt++
	}
	b.events = append(b.events, strings.TrimSpace("staff "+string(change.To)+" "+change.By+" "+change.Reason))
	return change.To, nil
}

func (b *fakeFiling) SubmissionOfFiling(
	_ context.Context, scope models.Scope, attempt models.Attempt,
) (models.AuthoritySubmission, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w.Status != models.FilingFiling || b.w.Attempt != attempt.Number {
		return models.AuthoritySubmission{}, models.ErrChangedMeanwhile
	}
	return models.AuthoritySubmission{
		Key: models.AuthorityKey{
			OrganizationID: scope.OrganizationID, Kind: models.AuthorityReturn, RecordID: attempt.RecordID, Attempt: attempt.Number,
		},
	}, nil
}

func (b *fakeFiling) SettleFiling(
	_ context.Context, _ models.Scope, attempt models.Attempt, answer models.AuthorityAnswer, now time.Time,
) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.w.Status != models.FilingFiling || b.w.Attempt != attempt.Number:
	case answer.Outcome == models.AuthorityAccepted:
		b.transition(now, models.FilingFiled)
	default:
		b.w.Reason = answer.Reason
		b.transition(now, models.FilingIssue)
	}
	return nil
}

func (b *fakeFiling) LockFiling(context.Context, models.Scope, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.w.Locked = true
	b.events = append(b.events, "locked")
	return nil
}

func (b *fakeFiling) Submit(ctx context.Context, s models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	keepAlive(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.received[s.Key.Attempt]++
	b.handed = append(b.handed, fmt.Sprintf("submit %d", s.Key.Attempt))
	return b.answers.next()
}

func (b *fakeFiling) Check(ctx context.Context, _ string, _ models.AuthorityKey) (models.AuthorityAnswer, error) {
	keepAlive(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.answers.next()
}

const theFiling = "file_1"

func filingEnv(b *fakeFiling, from string) *testsuite.TestWorkflowEnvironment {
	env := newEnvironment()
	start, err := time.Parse(time.RFC3339, from)
	if err != nil {
		panic(err)
	}
	env.SetStartTime(start)
	env.SetTestTimeout(20 * time.Second)
	Register(
		env, FilingsQueue, activities.NewFiling(b, b, b, rules.DefaultFilingPolicy(), quietLog),
		activities.NewFilingPlan(nil, nil, quietLog),
	)
	return env
}

func fileReturn(t *testing.T, env *testsuite.TestWorkflowEnvironment) FileReturnResult {
	t.Helper()
	env.ExecuteWorkflow(FileReturn, FileReturnInput{
		OrganizationID: theOrganization, FilingID: theFiling, Jurisdiction: "US-NV", Status: models.FilingUnfiled,
	})
	require.True(t, env.IsWorkflowCompleted())
	require.NoError(t, env.GetWorkflowError())
	var result FileReturnResult
	require.NoError(t, env.GetWorkflowResult(&result))
	return result
}

// later changes the record after some time and signals the run.
func (b *fakeFiling) later(env *testsuite.TestWorkflowEnvironment, after time.Duration, change func(now time.Time)) {
	env.RegisterDelayedCallback(func() {
		b.mu.Lock()
		change(env.Now().UTC())
		b.mu.Unlock()
		env.SignalWorkflow(RecordChangedSignal, nil)
	}, after)
}
