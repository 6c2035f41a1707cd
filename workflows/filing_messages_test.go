package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
)

// answered takes what an Update comes to.
type answered struct{ rejected, err error }

func (a *answered) Accept()                   {}
func (a *answered) Reject(err error)          { a.rejected = err }
func (a *answered) Complete(_ any, err error) { a.err = err }

func TestStaffChangeFilings(t *testing.T) {
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
		b.answers = []any{
			models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: "NO"},
			models.AuthorityAnswer{Outcome: models.AuthorityAccepted},
		}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		send(env, 1*time.Hour, PauseUpdate, FilingMessage{By: "Ann", Until: "2026-02-05"})
		send(env, 2*time.Hour, ResumeUpdate, FilingMessage{By: "Ann"})
		send(env, 3*time.Hour, ApproveUpdate, FilingMessage{By: "Ann"})
		send(env, 4*time.Hour, RetryUpdate, FilingMessage{By: "Ann"})
		require.Equal(t, models.FilingFiled, fileReturn(t, env).Status)
		require.Equal(t, []string{
			"staff PAUSED Ann", "staff UNFILED Ann", "staff FILING Ann", "2026-02-02 03:00 ISSUE", "staff FILING Ann",
			"2026-02-02 04:00 FILED", "locked",
		}, b.events)
	})
	for name, status := range map[string]models.FilingStatus{
		SkipUpdate: models.FilingSkipped, CancelUpdate: models.FilingCancelled,
	} {
		t.Run(name+" ends it with a reason", func(t *testing.T) {
			t.Parallel()
			b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
			b.w.Due = 0
			env := filingEnv(b, "2026-02-02T00:00:00Z")
			without := send(env, time.Hour, name, FilingMessage{By: "Ann "})
			send(env, 2*time.Hour, name, FilingMessage{By: "Ann ", Reason: "NO_SALES"})
			require.Equal(t, status, fileReturn(t, env).Status)
			require.ErrorContains(t, without.rejected, "a reason is needed")
			require.Equal(t, []string{"staff " + string(status) + " Ann NO_SALES"}, b.events)
		})
	}
	t.Run("nobody moves a filing without a name", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		var refused []*answered
		for i, name := range []string{ApproveUpdate, SkipUpdate, CancelUpdate, PauseUpdate} {
			refused = append(refused, send(env, time.Duration(i+1)*time.Hour, name, FilingMessage{By: " ", Reason: "NO_SALES"}))
		}
		send(env, 9*time.Hour, CancelUpdate, FilingMessage{By: "Ann ", Reason: "END"})
		fileReturn(t, env)
		for _, a := range refused {
			require.ErrorContains(t, a.rejected, "by is missing: say who does this")
		}
		require.Equal(t, []string{"staff CANCELLED Ann END"}, b.events)
	})
	t.Run("an amount that nobody can mean is rejected", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		wrong := send(env, time.Hour, ApproveUpdate, FilingMessage{By: "Ann", ExpectedAmount: "1.234"})
		useless := send(env, 2*time.Hour, PauseUpdate, FilingMessage{By: "Ann", ExpectedAmount: "1.00"})
		send(env, 3*time.Hour, CancelUpdate, FilingMessage{By: "Ann ", Reason: "END"})
		fileReturn(t, env)
		require.ErrorContains(t, wrong.rejected, "expected_amount is not an amount")
		require.ErrorContains(t, useless.rejected, "expected_amount is for approve alone")
		require.Equal(t, []string{"staff CANCELLED Ann END"}, b.events)
	})
	t.Run("what the status does not allow is rejected before the first refresh, too", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		early := send(env, 0, RetryUpdate, FilingMessage{})
		send(env, time.Hour, CancelUpdate, FilingMessage{By: "Ann ", Reason: "END"})
		fileReturn(t, env)
		var app *temporal.ApplicationError
		require.ErrorAs(t, early.rejected, &app)
		var from string
		require.NoError(t, app.Details(&from))
		require.Equal(t, "UNFILED", from)
	})
	t.Run("what the status does not allow is rejected at once, with what it allows", func(t *testing.T) {
		t.Parallel()
		b := newFilingBook(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		refused := []*answered{
			send(env, time.Hour, RetryUpdate, FilingMessage{}),
			send(env, 2*time.Hour, ResumeUpdate, FilingMessage{}),
		}
		wrong := send(env, 3*time.Hour, PauseUpdate, FilingMessage{By: "Ann", Until: "tomorrow"})
		send(env, 4*time.Hour, CancelUpdate, FilingMessage{By: "Ann ", Reason: "END"})
		fileReturn(t, env)
		for i, allows := range [][]string{
			{"PAUSED", "SKIPPED", "CANCELLED"}, {"FILING", "PAUSED", "SKIPPED", "CANCELLED"},
		} {
			a := refused[i]
			var app *temporal.ApplicationError
			require.ErrorAs(t, a.rejected, &app)
			require.Equal(t, activities.ErrTypeInvalidTransition, app.Type())
			var from, to string
			var allowed []string
			require.NoError(t, app.Details(&from, &to, &allowed))
			require.Equal(t, allows, allowed)
		}
		require.ErrorContains(t, wrong.err, "until is not a day")
		require.Equal(t, []string{"staff CANCELLED Ann END"}, b.events)
	})
}
