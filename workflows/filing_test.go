package workflows

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
	"levy/tax"
)

// filingBook stands for the record of one filing and its authority: it keeps the
// guards of the real ones, and what happened when.
type filingBook struct {
	mu       sync.Mutex
	w        models.FilingWatch
	pending  int // transactions in processing
	events   []string
	answers  []any // of the authority: an AuthorityAnswer or an error, the last one for ever
	received map[int]int
}

func newFilingBook(status models.FilingStatus, start, end, due string) *filingBook {
	return &filingBook{
		w: models.FilingWatch{Status: status, Period: tax.Period{Start: tax.MustDate(start), End: tax.MustDate(end)}, Due: tax.MustDate(due),
			Lookback: 1},
		answers:  []any{models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"}},
		received: map[int]int{},
	}
}

func (b *filingBook) note(now time.Time, format string, args ...any) {
	b.events = append(b.events, now.Format("2006-01-02 15:04")+" "+fmt.Sprintf(format, args...))
}

func (b *filingBook) LookAtFiling(_ context.Context, _ models.Scope, _ string, now time.Time, rules models.FilingRules) (models.FilingLook, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	step := b.w.Step(now, rules)
	look := models.FilingLook{FilingStep: step}
	if step.Reminders > b.w.Reminders {
		event, days := rules.ReminderEvent(step.Reminders)
		b.note(now, "%s %d", event, days)
		look.Reminded = event
	}
	b.w.Reminders = step.Reminders
	look.FilingWatch = b.w
	return look, nil
}

func (b *filingBook) AutoApproveFiling(_ context.Context, _ models.Scope, _ string, now time.Time, rules models.FilingRules) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w.Step(now, rules).Action != models.FilingApproves {
		return models.ErrChangedMeanwhile
	}
	if b.pending > 0 {
		return &models.FilingNotReadyError{Pending: b.pending}
	}
	b.move(now, models.FilingFiling)
	return nil
}

// move changes the status, as every writer of the real record does.
func (b *filingBook) move(now time.Time, to models.FilingStatus) {
	if to == models.FilingFiling {
		b.w.Attempt++
	}
	b.w.Status = to
	b.note(now, "%s", to)
}

func (b *filingBook) ResumeFiling(_ context.Context, _ models.Scope, _ string, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.move(now, models.FilingUnfiled)
	return nil
}

func (b *filingBook) MoveFiling(_ context.Context, _ models.Scope, _ string, move models.FilingMove) (models.FilingStatus, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := models.FilingStatusMachine.Check(string(b.w.Status), string(move.To)); err != nil {
		return b.w.Status, err
	}
	b.w.PausedUntil = move.Until
	b.w.Status = move.To
	if move.To == models.FilingFiling {
		b.w.Attempt++
	}
	b.events = append(b.events, "staff "+string(move.To)+" "+move.By+move.Reason)
	return move.To, nil
}

func (b *filingBook) SubmissionOfFiling(_ context.Context, scope models.Scope, id string, attempt int) (models.AuthoritySubmission, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w.Status != models.FilingFiling || b.w.Attempt != attempt {
		return models.AuthoritySubmission{}, models.ErrChangedMeanwhile
	}
	return models.AuthoritySubmission{Key: models.AuthorityKey{OrganizationID: scope.OrganizationID, Kind: models.AuthorityReturn, RecordID: id, Attempt: attempt}}, nil
}

func (b *filingBook) SettleFiling(_ context.Context, _ models.Scope, _ string, attempt int, answer models.AuthorityAnswer, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.w.Status != models.FilingFiling || b.w.Attempt != attempt:
	case answer.Outcome == models.AuthorityAccepted:
		b.move(now, models.FilingFiled)
	default:
		b.w.Reason = answer.Reason
		b.move(now, models.FilingIssue)
	}
	return nil
}

func (b *filingBook) LockFiling(context.Context, models.Scope, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.w.Locked = true
	b.events = append(b.events, "locked")
	return nil
}

func (b *filingBook) Submit(_ context.Context, s models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.received[s.Key.Attempt]++
	return b.answer()
}

func (b *filingBook) Check(context.Context, string, models.AuthorityKey) (models.AuthorityAnswer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.answer()
}

func (b *filingBook) answer() (models.AuthorityAnswer, error) {
	next := b.answers[0]
	if len(b.answers) > 1 {
		b.answers = b.answers[1:]
	}
	if err, ok := next.(error); ok {
		return models.AuthorityAnswer{}, err
	}
	return next.(models.AuthorityAnswer), nil
}

const theFiling = "file_1"

func filingEnv(b *filingBook, from string) *testsuite.TestWorkflowEnvironment {
	env := newEnvironment()
	start, err := time.Parse(time.RFC3339, from)
	if err != nil {
		panic(err)
	}
	env.SetStartTime(start)
	env.SetTestTimeout(20 * time.Second)
	RegisterFilings(env, activities.NewFiling(b, b, models.DefaultFilingRules(), quietLog), activities.NewFilingPlan(nil, nil, quietLog))
	return env
}

func fileReturn(t *testing.T, env *testsuite.TestWorkflowEnvironment) FileReturnResult {
	t.Helper()
	env.ExecuteWorkflow(FileReturn, FileReturnInput{OrganizationID: newcomer, FilingID: theFiling, Jurisdiction: "US-NV", Status: models.FilingUnfiled})
	require.True(t, env.IsWorkflowCompleted())
	require.NoError(t, env.GetWorkflowError())
	var result FileReturnResult
	require.NoError(t, env.GetWorkflowResult(&result))
	return result
}

// later does something to the record at that time and tells the run.
func (b *filingBook) later(env *testsuite.TestWorkflowEnvironment, after time.Duration, change func(now time.Time)) {
	env.RegisterDelayedCallback(func() {
		b.mu.Lock()
		change(env.Now().UTC())
		b.mu.Unlock()
		env.SignalWorkflow(RecordChangedSignal, nil)
	}, after)
}

const day = 24 * time.Hour

func TestFileReturn(t *testing.T) {
	t.Parallel()
	t.Run("auto_file: approved after the lookback, filed, locked", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile = true
		require.Equal(t, models.FilingFiled, fileReturn(t, filingEnv(b, "2026-02-01T10:05:00Z")).Status)
		require.Equal(t, []string{"2026-02-02 00:00 FILING", "2026-02-02 00:00 FILED", "locked"}, b.events)
		require.Equal(t, map[int]int{1: 1}, b.received)
	})
	t.Run("others wait for approval, and are reminded until they are filed", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, "2026-01-20T00:00:00Z")
		b.later(env, 40*day, func(now time.Time) { b.move(now, models.FilingFiling) })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-10 00:00 filing.due_soon 10", "2026-02-15 00:00 filing.due_soon 5", "2026-02-19 00:00 filing.due_soon 1",
			"2026-02-21 00:00 filing.overdue -1", "2026-03-01 00:00 FILING", "2026-03-01 00:00 FILED", "locked"}, b.events)
	})
	t.Run("one planned late is reminded of the present only", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, "2026-02-16T00:00:00Z")
		b.later(env, time.Hour, func(now time.Time) { b.move(now, models.FilingSkipped) })
		require.Equal(t, models.FilingSkipped, fileReturn(t, env).Status)
		require.Equal(t, []string{"2026-02-16 00:00 filing.due_soon 5", "2026-02-16 01:00 SKIPPED"}, b.events)
	})
	t.Run("a changed due date counts at once", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, "2026-02-01T00:00:00Z")
		b.later(env, day, func(time.Time) { b.w.Due = tax.MustDate("2026-02-06") })
		b.later(env, 30*day, func(now time.Time) { b.move(now, models.FilingCancelled) })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-02 00:00 filing.due_soon 5", "2026-02-05 00:00 filing.due_soon 1", "2026-02-07 00:00 filing.overdue -1",
			"2026-03-03 00:00 CANCELLED"}, b.events)
	})
	t.Run("the automatic approval waits for transactions in processing", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile, b.pending = true, 3
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		env.RegisterDelayedCallback(func() {
			value, err := env.QueryWorkflow(ProgressQuery)
			require.NoError(t, err)
			var progress FilingProgress
			require.NoError(t, value.Get(&progress))
			require.Equal(t, models.WaitsForTransactions, progress.WaitsFor)
			require.Equal(t, 3, progress.Pending)
			b.pending = 0
		}, 25*time.Minute)
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-02 00:27 FILING", "2026-02-02 00:27 FILED", "locked"}, b.events)
	})
	for name, hold := range map[string]func(*models.FilingWatch){
		"block_approval":            func(w *models.FilingWatch) { w.BlockApprove = true },
		"special_tax_circumstances": func(w *models.FilingWatch) { w.Special = true },
	} {
		t.Run(name+" is never approved by the timer", func(t *testing.T) {
			t.Parallel()
			b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
			b.w.AutoFile, b.w.Due = true, 0
			hold(&b.w)
			env := filingEnv(b, "2026-02-02T00:00:00Z")
			b.later(env, 1000*day, func(now time.Time) { b.move(now, models.FilingCancelled) })
			fileReturn(t, env)
			require.Equal(t, []string{"2028-10-29 00:00 CANCELLED"}, b.events)
		})
	}
	t.Run("lifting block_approval lets the timer approve", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile, b.w.BlockApprove = true, true
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 3*day, func(time.Time) { b.w.BlockApprove = false })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-05 00:00 FILING", "2026-02-05 00:00 FILED", "locked"}, b.events)
	})
	t.Run("a pause ends on its day, and one that is extended on the later one", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingPaused, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile, b.w.PausedUntil, b.w.Due = true, tax.MustDate("2026-02-10"), 0
		env := filingEnv(b, "2026-02-03T00:00:00Z")
		b.later(env, day, func(time.Time) { b.w.PausedUntil = tax.MustDate("2026-02-15") })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-15 00:00 UNFILED", "2026-02-15 00:00 FILING", "2026-02-15 00:00 FILED", "locked"}, b.events)
	})
	t.Run("a run that starts at the end locks what is left to lock", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingFiled, "2026-01-01", "2026-01-31", "2026-02-20")
		fileReturn(t, filingEnv(b, "2026-02-02T00:00:00Z"))
		require.Equal(t, []string{"locked"}, b.events)
	})
}

func TestAuthorityDecides(t *testing.T) {
	t.Parallel()
	accepted := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"}
	rejected := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "WRONG_FIGURES"}
	pending := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: 12 * time.Hour}
	submitted := func() *filingBook {
		b := newFilingBook(models.FilingFiling, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due, b.w.Attempt = 0, 1
		return b
	}
	t.Run("a rejection is an issue with its reason, and a retry is another attempt", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{rejected, accepted}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 5*day, func(now time.Time) { require.Equal(t, "WRONG_FIGURES", b.w.Reason); b.move(now, models.FilingFiling) })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-02 00:00 ISSUE", "2026-02-07 00:00 FILING", "2026-02-07 00:00 FILED", "locked"}, b.events)
		require.Equal(t, map[int]int{1: 1, 2: 1}, b.received)
	})
	t.Run("outages and lost answers: the same attempt is handed over again", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{models.ErrUnavailable, models.ErrOutcomeUnknown, accepted}
		require.Equal(t, models.FilingFiled, fileReturn(t, filingEnv(b, "2026-02-02T00:00:00Z")).Status)
		require.Equal(t, map[int]int{1: 3}, b.received)
	})
	t.Run("an authority that stays away for three days makes it an issue", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{models.ErrUnavailable}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 10*day, func(now time.Time) { b.move(now, models.FilingCancelled) })
		fileReturn(t, env)
		require.Equal(t, issueUnreachable, b.w.Reason)
		require.Equal(t, "2026-02-04 23:5", b.events[0][:15], b.events)
	})
	t.Run("a defect is given up at once", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{fmt.Errorf("no such schema")}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 10*day, func(now time.Time) { b.move(now, models.FilingCancelled) })
		fileReturn(t, env)
		require.Equal(t, issueDefect, b.w.Reason)
		require.Equal(t, activities.UnexpectedAttempts, b.received[1])
	})
	t.Run("a decision that takes days is asked for when the authority says so", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{pending, pending, pending, pending, accepted}
		fileReturn(t, filingEnv(b, "2026-02-02T00:00:00Z"))
		require.Equal(t, []string{"2026-02-03 12:00 FILED", "locked"}, b.events)
		require.Equal(t, map[int]int{1: 1}, b.received, "handed over once")
	})
	t.Run("reminders go out while the authority decides", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.w.Due = tax.MustDate("2026-02-13")
		b.answers = []any{pending, pending, pending, pending, accepted}
		fileReturn(t, filingEnv(b, "2026-02-02T00:00:00Z"))
		require.Equal(t, []string{"2026-02-03 00:00 filing.due_soon 10", "2026-02-03 12:00 FILED", "locked"}, b.events)
	})
	t.Run("an authority that never decides makes it an issue", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{pending}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 100*day, func(now time.Time) { b.move(now, models.FilingCancelled) })
		fileReturn(t, env)
		require.Equal(t, issueUndecided, b.w.Reason)
	})
	t.Run("by hand: it waits until somebody enters the confirmation", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{models.AuthorityAnswer{Authority: "manual", Outcome: models.AuthorityByHand}}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 9*day, func(time.Time) {}) // any other change of the record
		b.later(env, 10*day, func(now time.Time) { b.move(now, models.FilingFiled) })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-12 00:00 FILED", "locked"}, b.events)
		require.Equal(t, map[int]int{1: 1}, b.received)
	})
	t.Run("staff decide while the authority is asked: their word counts", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{pending, pending, pending, rejected}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 13*time.Hour, func(now time.Time) { b.move(now, models.FilingFiled) })
		require.Equal(t, models.FilingFiled, fileReturn(t, env).Status)
		require.Equal(t, []string{"2026-02-02 13:00 FILED", "locked"}, b.events)
	})
	t.Run("an issue and a retry while the authority is asked begin another attempt", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{pending, pending, accepted}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, time.Hour, func(now time.Time) { b.move(now, models.FilingIssue); b.move(now, models.FilingFiling) })
		fileReturn(t, env)
		require.Equal(t, map[int]int{1: 1, 2: 1}, b.received)
		require.Equal(t, models.FilingFiled, b.w.Status)
	})
}

// answered takes what an Update comes to.
type answered struct{ rejected, err error }

func (a *answered) Accept()                   {}
func (a *answered) Reject(err error)          { a.rejected = err }
func (a *answered) Complete(_ any, err error) { a.err = err }

func TestStaffMoveFilings(t *testing.T) {
	t.Parallel()
	send := func(env *testsuite.TestWorkflowEnvironment, after time.Duration, name string, message FilingMessage) *answered {
		a := &answered{}
		env.RegisterDelayedCallback(func() { env.UpdateWorkflow(name, name+after.String(), a, message) }, after)
		return a
	}
	t.Run("approve, pause, resume, retry", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		b.answers = []any{models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: "NO"}, models.AuthorityAnswer{Outcome: models.AuthorityAccepted}}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		send(env, 1*time.Hour, PauseUpdate, FilingMessage{Until: "2026-02-05"})
		send(env, 2*time.Hour, ResumeUpdate, FilingMessage{})
		send(env, 3*time.Hour, ApproveUpdate, FilingMessage{By: "Ann"})
		send(env, 4*time.Hour, RetryUpdate, FilingMessage{By: "Ann"})
		require.Equal(t, models.FilingFiled, fileReturn(t, env).Status)
		require.Equal(t, []string{"staff PAUSED ", "staff UNFILED ", "staff FILING Ann", "2026-02-02 03:00 ISSUE", "staff FILING Ann", "2026-02-02 04:00 FILED", "locked"}, b.events)
	})
	for name, status := range map[string]models.FilingStatus{SkipUpdate: models.FilingSkipped, CancelUpdate: models.FilingCancelled} {
		t.Run(name+" ends it with a reason", func(t *testing.T) {
			t.Parallel()
			b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
			b.w.Due = 0
			env := filingEnv(b, "2026-02-02T00:00:00Z")
			without := send(env, time.Hour, name, FilingMessage{})
			send(env, 2*time.Hour, name, FilingMessage{Reason: "NO_SALES"})
			require.Equal(t, status, fileReturn(t, env).Status)
			require.ErrorContains(t, without.rejected, "a reason is needed")
			require.Equal(t, []string{"staff " + string(status) + " NO_SALES"}, b.events)
		})
	}
	t.Run("what the status does not allow is rejected at once, with what it allows", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		refused := []*answered{send(env, time.Hour, RetryUpdate, FilingMessage{}), send(env, 2*time.Hour, ResumeUpdate, FilingMessage{})}
		wrong := send(env, 3*time.Hour, PauseUpdate, FilingMessage{Until: "tomorrow"})
		send(env, 4*time.Hour, CancelUpdate, FilingMessage{Reason: "END"})
		fileReturn(t, env)
		for _, a := range refused {
			var app *temporal.ApplicationError
			require.ErrorAs(t, a.rejected, &app)
			require.Equal(t, activities.ErrTypeInvalidTransition, app.Type())
			var from, to string
			var allowed []string
			require.NoError(t, app.Details(&from, &to, &allowed))
			require.Equal(t, []string{"FILING", "PAUSED", "SKIPPED", "CANCELLED"}, allowed)
		}
		require.ErrorContains(t, wrong.err, "until is not a day")
		require.Equal(t, []string{"staff CANCELLED END"}, b.events)
	})
}

// Years of returns: each is approved a day after its period and reminded on the days
// of its authority, through leap years and changes of the clock.
func TestYearsOfReturns(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	for _, period := range tax.FilingMonthly.PeriodsEnding(20230131, 20281231, 0) {
		due := period.End.AddDays(20)
		b := newFilingBook(models.FilingUnfiled, period.Start.String(), period.End.String(), due.String())
		b.w.Country, b.w.State = "US", "NY"
		env := filingEnv(b, period.Start.String()+"T00:00:00Z")
		filed := period.End.AddDays(40)
		b.later(env, filed.Time().Sub(period.Start.Time()), func(now time.Time) { b.w.AutoFile = true })
		fileReturn(t, env)
		var want []string
		for i, before := range []int{10, 5, 1, -1} {
			day := due.AddDays(-before)
			midnight := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone).UTC().Format("2006-01-02 15:04")
			want = append(want, midnight+[]string{" filing.due_soon 10", " filing.due_soon 5", " filing.due_soon 1", " filing.overdue -1"}[i])
		}
		require.Equal(t, append(want, filed.String()+" 00:00 FILING", filed.String()+" 00:00 FILED", "locked"), b.events)
	}
}
