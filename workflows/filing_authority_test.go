package workflows

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/activities"
	"levy/models"
	"levy/tax/calendar"
)

func TestAuthorityDecides(t *testing.T) {
	t.Parallel()
	accepted := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"}
	rejected := models.AuthorityAnswer{
		Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "WRONG_FIGURES",
		Message: "Line 4 does not add up.",
	}
	pending := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: 12 * time.Hour}
	submitted := func() *fakeFiling {
		b := newFakeFiling(models.FilingFiling, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due, b.w.Attempt = 0, 1
		return b
	}
	t.Run("a rejection is an issue with its reason, and a retry is another attempt", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{rejected, accepted}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 5*day, func(now time.Time) {
			require.Equal(t, "WRONG_FIGURES", b.w.Reason)
			require.Contains(t, detailsOf(t, env), "Reason: WRONG_FIGURES. Line 4 does not add up.")
			b.transition(now, models.FilingFiling)
		})
		fileReturn(t, env)
		require.Equal(t, []string{
			"2026-02-02 00:00 ISSUE", "2026-02-07 00:00 FILING", "2026-02-07 00:00 FILED", "locked",
		}, b.events)
		require.Equal(t, map[int]int{1: 1, 2: 1}, b.received)
	})
	t.Run("what the authority said of another attempt is not shown with an issue of people", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{rejected, pending}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 5*day, func(now time.Time) { b.transition(now, models.FilingFiling) })
		b.later(env, 6*day, func(now time.Time) {
			b.w.Reason = "BY_PHONE"
			b.transition(now, models.FilingIssue)
		})
		b.later(env, 7*day, func(now time.Time) {
			require.Contains(t, detailsOf(t, env), "Reason: BY_PHONE")
			require.NotContains(t, detailsOf(t, env), "Line 4")
			b.transition(now, models.FilingCancelled)
		})
		fileReturn(t, env)
	})
	t.Run("outages and lost answers: the same attempt is handed over again", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{models.ErrUnavailable, models.ErrOutcomeUnknown, accepted}
		require.Equal(t, models.FilingFiled, fileReturn(t, filingEnv(b, "2026-02-02T00:00:00Z")).Status)
		require.Equal(t, map[int]int{1: 3}, b.received)
	})
	t.Run("an authority that cannot be reached for three days makes it an issue", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{models.ErrUnavailable}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 10*day, func(now time.Time) { b.transition(now, models.FilingCancelled) })
		fileReturn(t, env)
		require.Equal(t, issues.unreachable, b.w.Reason)
		require.Equal(t, "2026-02-04 23:5", b.events[0][:15], b.events)
	})
	for name, before := range map[string][]any{
		"handed over": {models.ErrUnavailable}, "asked for its decision": {pending, models.ErrUnavailable},
	} {
		t.Run("an authority that is back after two days is "+name+" within a minute", func(t *testing.T) {
			t.Parallel()
			b := submitted()
			b.answers = before
			env := filingEnv(b, "2026-02-02T00:00:00Z")
			env.RegisterDelayedCallback(func() {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.answers = []any{accepted}
			}, 2*day+10*time.Second)
			fileReturn(t, env)
			require.Len(t, b.events, 2)
			require.Regexp(t, "2026-02-04 00:0[01] FILED", b.events[0])
		})
	}
	t.Run("a defect is given up at once", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{fmt.Errorf("no such schema")}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 10*day, func(now time.Time) { b.transition(now, models.FilingCancelled) })
		fileReturn(t, env)
		require.Equal(t, issues.defect, b.w.Reason)
		require.Equal(t, activities.MaxDefects, b.received[1])
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
		b.w.Due = calendar.MustDate("2026-02-13")
		b.answers = []any{pending, pending, pending, pending, accepted}
		fileReturn(t, filingEnv(b, "2026-02-02T00:00:00Z"))
		require.Equal(t, []string{"2026-02-03 00:00 filing.due_soon 10", "2026-02-03 12:00 FILED", "locked"}, b.events)
	})
	t.Run("an authority that never decides makes it an issue", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{pending}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 100*day, func(now time.Time) { b.transition(now, models.FilingCancelled) })
		fileReturn(t, env)
		require.Equal(t, issues.undecided, b.w.Reason)
	})
	t.Run("an authority that knows nothing of what it took makes it an issue that says so", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{pending, models.ErrNotFound}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 10*day, func(now time.Time) { b.transition(now, models.FilingCancelled) })
		fileReturn(t, env)
		require.Equal(t, issues.unknown, b.w.Reason)
	})
	t.Run("manual: it waits until somebody enters the confirmation", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{models.AuthorityAnswer{Authority: "manual", Outcome: models.AuthorityManual}}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 9*day, func(time.Time) {}) // any other change of the record
		b.later(env, 10*day, func(now time.Time) { b.transition(now, models.FilingFiled) })
		fileReturn(t, env)
		require.Equal(t, []string{"2026-02-12 00:00 FILED", "locked"}, b.events)
		require.Equal(t, map[int]int{1: 1}, b.received)
	})
	t.Run("staff decide while the authority is asked: their word counts", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{pending, pending, pending, rejected}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 13*time.Hour, func(now time.Time) { b.transition(now, models.FilingFiled) })
		require.Equal(t, models.FilingFiled, fileReturn(t, env).Status)
		require.Equal(t, []string{"2026-02-02 13:00 FILED", "locked"}, b.events)
	})
	t.Run("an issue and a retry while the authority is asked begin another attempt", func(t *testing.T) {
		t.Parallel()
		b := submitted()
		b.answers = []any{pending, pending, accepted}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(
			env, time.Hour,
			func(now time.Time) { b.transition(now, models.FilingIssue); b.transition(now, models.FilingFiling) },
		)
		fileReturn(t, env)
		require.Equal(t, map[int]int{1: 1, 2: 1}, b.received)
		require.Equal(t, models.FilingFiled, b.w.Status)
	})
}

// Each attempt has its document built, before it is handed over. Where the authority takes no file, nothing is built.
func TestTheDocumentIsBuiltBeforeTheReturnIsHandedOver(t *testing.T) {
	t.Parallel()
	for _, takes := range []bool{true, false} {
		b := newFakeFiling(models.FilingFiling, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due, b.w.Attempt, b.document = 0, 1, takes
		b.answers = []any{
			models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "WRONG_FIGURES"},
			models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"},
		}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		b.later(env, 24*time.Hour, func(now time.Time) { b.transition(now, models.FilingFiling) })
		fileReturn(t, env)
		want := []string{"submit 1", "submit 2"}
		if takes {
			want = []string{"build 1", "submit 1", "build 2", "submit 2"}
		}
		require.Equal(t, want, b.handed)
	}
}
