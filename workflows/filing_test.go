package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
	"levy/tax/money"
)

const day = 24 * time.Hour

func TestFileReturn(t *testing.T) {
	t.Parallel()
	t.Run("auto_file: approved after the lookback, filed, locked", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile = true
		require.Equal(t, models.FilingFiled, fileReturn(t, filingEnv(b, "2026-02-01T10:05:00Z")).Status)
		require.Equal(t, []string{"2026-02-02 00:00 FILING", "2026-02-02 00:00 FILED", "locked"}, b.events)
		require.Equal(t, map[int]int{1: 1}, b.received)
	})
	t.Run("others wait for approval, and are reminded until they are filed", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, "2026-01-20T00:00:00Z")
		b.later(env, 40*day, func(now time.Time) { b.transition(now, models.FilingFiling) })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-10 00:00 filing.due_soon 10", "2026-02-15 00:00 filing.due_soon 5",
			"2026-02-19 00:00 filing.due_soon 1",
			"2026-02-21 00:00 filing.overdue -1", "2026-03-01 00:00 FILING", "2026-03-01 00:00 FILED", "locked"}, b.events)
	})
	t.Run("one planned late is reminded of the present only", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, "2026-02-16T00:00:00Z")
		b.later(env, time.Hour, func(now time.Time) { b.transition(now, models.FilingSkipped) })
		require.Equal(t, models.FilingSkipped, fileReturn(t, env).Status)
		require.Equal(t, []string{"2026-02-16 00:00 filing.due_soon 5", "2026-02-16 01:00 SKIPPED"}, b.events)
	})
	t.Run("a changed due date counts at once", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, "2026-02-01T00:00:00Z")
		b.later(env, day, func(time.Time) { b.w.Due = calendar.MustDate("2026-02-06") })
		b.later(env, 30*day, func(now time.Time) { b.transition(now, models.FilingCancelled) })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-02 00:00 filing.due_soon 5", "2026-02-05 00:00 filing.due_soon 1",
			"2026-02-07 00:00 filing.overdue -1",
			"2026-03-03 00:00 CANCELLED"}, b.events)
	})
	t.Run("the automatic approval waits for transactions in processing", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile, b.pending = true, 3
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		env.RegisterDelayedCallback(func() {
			value, err := env.QueryWorkflow(ProgressQuery)
			require.NoError(t, err)
			var progress FilingProgress
			require.NoError(t, value.Get(&progress))
			require.Equal(t, rules.WaitsForTransactions, progress.WaitsFor)
			require.Equal(t, 3, progress.Pending)
			b.pending = 0
		}, 25*time.Minute)
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-02 00:25 FILING", "2026-02-02 00:25 FILED", "locked"}, b.events)
	})
	t.Run("the automatic approval leaves no transaction out", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		amount, err := money.ParseTotal("9999.00")
		require.NoError(t, err)
		b.w.AutoFile, b.open = true, models.UnresolvedTransactions{Transactions: 1, Amount: amount}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		env.RegisterDelayedCallback(func() {
			value, err := env.QueryWorkflow(ProgressQuery)
			require.NoError(t, err)
			var progress FilingProgress
			require.NoError(t, value.Get(&progress))
			require.Equal(t, rules.WaitsForResolution, progress.WaitsFor)
			require.Equal(t, 1, progress.Unresolved)
			require.Equal(t, "9999.00", progress.UnresolvedAmount)
		}, 25*time.Minute)
		// It is signalled when the last one is resolved, and tries again within seconds while that is processed.
		b.later(env, 25*time.Minute+time.Second, func(time.Time) { b.open, b.pending = models.UnresolvedTransactions{}, 1 })
		env.RegisterDelayedCallback(func() { b.pending = 0 }, 25*time.Minute+2*time.Second)
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-02 00:25 FILING", "2026-02-02 00:25 FILED", "locked"}, b.events)
		require.Equal(t, []int{1}, b.submitted)
	})
	for name, hold := range map[string]func(*models.FilingFacts){
		"block_approval":            func(w *models.FilingFacts) { w.BlockApprove = true },
		"special_tax_circumstances": func(w *models.FilingFacts) { w.Special = true },
	} {
		t.Run(name+" is never approved by the timer", func(t *testing.T) {
			t.Parallel()
			b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
			b.w.AutoFile, b.w.Due = true, 0
			hold(&b.w)
			env := filingEnv(b, "2026-02-02T00:00:00Z")
			b.later(env, 1000*day, func(now time.Time) { b.transition(now, models.FilingCancelled) })
			fileReturn(t, env)
			require.Equal(t, []string{"2028-10-29 00:00 CANCELLED"}, b.events)
		})
	}
	t.Run("lifting block_approval lets the timer approve", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile, b.w.BlockApprove = true, true
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 3*day, func(time.Time) { b.w.BlockApprove = false })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-05 00:00 FILING", "2026-02-05 00:00 FILED", "locked"}, b.events)
	})
	t.Run("a pause ends on its day, and one that is extended on the later one", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingPaused, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile, b.w.PausedUntil, b.w.Due = true, calendar.MustDate("2026-02-10"), 0
		env := filingEnv(b, "2026-02-03T00:00:00Z")
		b.later(env, day, func(time.Time) { b.w.PausedUntil = calendar.MustDate("2026-02-15") })
		fileReturn(t, env)
		require.Equal(t, []string{
			"2026-02-15 00:00 UNFILED", "2026-02-15 00:00 FILING", "2026-02-15 00:00 FILED", "locked",
		}, b.events)
	})
	t.Run("a run that starts at the end locks what is left to lock", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingFiled, "2026-01-01", "2026-01-31", "2026-02-20")
		fileReturn(t, filingEnv(b, "2026-02-02T00:00:00Z"))
		require.Equal(t, []string{"locked"}, b.events)
	})
}

// Staff find and read returns that are overdue: from the day after the due day until they are filed.
func TestReturnsThatAreOverdueSaySo(t *testing.T) {
	t.Parallel()
	b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
	env := filingEnv(b, "2026-02-20T12:00:00Z")
	var shown []bool
	env.OnUpsertTypedSearchAttributes(mock.MatchedBy(func(attributes temporal.SearchAttributes) bool {
		if late, ok := attributes.GetBool(overdue); ok {
			shown = append(shown, late)
		}
		return true
	})).Return(nil)
	details := func() string { return detailsOf(t, env) }
	env.RegisterDelayedCallback(func() {
		require.Empty(t, shown)
		require.Contains(t, details(), "Due on 2026-02-20")
	}, time.Hour)
	env.RegisterDelayedCallback(func() {
		require.Equal(t, []bool{true}, shown)
		require.Contains(t, details(), "**Overdue**: it was due on 2026-02-20")
	}, 2*day)
	b.later(env, 3*day, func(now time.Time) { b.transition(now, models.FilingFiling) })
	fileReturn(t, env)
	require.Equal(t, []bool{true, false}, shown)
}

// An automatic approval that lacks a document says by which findings, and blames no transactions.
func TestFileReturnShowsWhatADocumentLacks(t *testing.T) {
	t.Parallel()
	b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
	b.w.AutoFile = true
	env := filingEnv(b, "2026-02-02T00:00:00Z")
	env.OnActivity("ApproveFiling", mock.Anything, mock.Anything).
		Return(activities.ApprovalResult{Refused: []string{"ID_MISSING"}}, nil)
	env.RegisterDelayedCallback(func() {
		require.Contains(t, detailsOf(t, env), "waiting for what its document lacks: ID_MISSING")
	}, time.Hour)
	b.later(env, 2*time.Hour, func(now time.Time) { b.transition(now, models.FilingSkipped) })
	fileReturn(t, env)
}

// A run that is started with the seen record does not read it before something happens. The signal of its start changes
// nothing, one of a change does.
func TestFileReturnBeginsWithWhatWasSeen(t *testing.T) {
	t.Parallel()
	start := func(b *fakeFiling, env *testsuite.TestWorkflowEnvironment, at time.Time) FileReturnInput {
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(RecordChangedSignal, nil) }, 0) // as the start does
		seen := &FilingObservation{
			FilingSnapshot: rules.FilingSnapshot{
				FilingFacts: b.w, FilingStep: rules.NextFilingAction(b.w, at, rules.DefaultFilingPolicy()),
			},
			At: at,
		}
		return FileReturnInput{
			OrganizationID: theOrganization, FilingID: theFiling, Jurisdiction: "US-NV", Status: models.FilingUnfiled,
			Seen: seen,
		}
	}
	begin := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	run := func(t *testing.T, env *testsuite.TestWorkflowEnvironment, in FileReturnInput) {
		t.Helper()
		env.ExecuteWorkflow(FileReturn, in)
		require.NoError(t, env.GetWorkflowError())
	}
	t.Run("it waits, and refreshes when the record has changed", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, begin.Format(time.RFC3339))
		env.RegisterDelayedCallback(func() {
			require.Zero(t, b.refreshes)
			value, err := env.QueryWorkflow(ProgressQuery)
			require.NoError(t, err)
			var progress FilingProgress
			require.NoError(t, value.Get(&progress))
			require.Equal(t, FilingProgress{
				Status: models.FilingUnfiled, WaitsFor: rules.WaitsForApproval, Due: "2026-02-20",
			}, progress)
		}, time.Hour)
		b.later(env, day, func(now time.Time) { b.transition(now, models.FilingFiling) })
		run(t, env, start(b, env, begin))
		require.Equal(t, []string{"2026-02-02 12:00 FILING", "2026-02-02 12:00 FILED", "locked"}, b.events)
	})
	t.Run("it refreshes at once when the record has changed before it began", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, begin.Format(time.RFC3339))
		in := start(b, env, begin)
		b.later(env, 0, func(now time.Time) { b.transition(now, models.FilingFiling) })
		run(t, env, in)
		require.Equal(t, []string{"2026-02-01 12:00 FILING", "2026-02-01 12:00 FILED", "locked"}, b.events)
	})
	t.Run("it acts at the moment that was seen, however late it began", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile = true
		env := filingEnv(b, begin.Add(time.Hour).Format(time.RFC3339))
		run(t, env, start(b, env, begin))
		require.Equal(t, []string{"2026-02-02 00:00 FILING", "2026-02-02 00:00 FILED", "locked"}, b.events)
	})
	t.Run("it refreshes when that moment has passed", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.AutoFile = true
		env := filingEnv(b, begin.Add(day).Format(time.RFC3339))
		run(t, env, start(b, env, begin))
		require.Equal(t, []string{"2026-02-02 12:00 FILING", "2026-02-02 12:00 FILED", "locked"}, b.events)
	})
}

// Over years, each return is approved a day after its period and reminded on the days of its authority. The years
// include leap years and changes of the clock.
func TestYearsOfReturns(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	for _, period := range calendar.FilingMonthly.PeriodsEnding(20230131, 20281231, calendar.TaxYear{}) {
		due := period.End.AddDays(20)
		b := newFakeFiling(models.FilingUnfiled, period.Start.String(), period.End.String(), due.String())
		b.w.Country, b.w.State = "US", "NY"
		env := filingEnv(b, period.Start.String()+"T00:00:00Z")
		filed := period.End.AddDays(40)
		b.later(env, filed.Time().Sub(period.Start.Time()), func(now time.Time) { b.w.AutoFile = true })
		fileReturn(t, env)
		var want []string
		for i, before := range []int{10, 5, 1, -1} {
			day := due.AddDays(-before)
			midnight := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone).UTC().Format("2006-01-02 15:04")
			want = append(want, midnight+[]string{
				" filing.due_soon 10", " filing.due_soon 5", " filing.due_soon 1", " filing.overdue -1",
			}[i])
		}
		require.Equal(
			t, append(want, filed.String()+" 00:00 FILING", filed.String()+" 00:00 FILED", "locked"), b.events,
		)
	}
}
