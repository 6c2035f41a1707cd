package workflows

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
	"levy/rules"
)

// answered takes what an Update comes to.
type answered struct{ rejected, err error }

func (a *answered) Accept()                   {}
func (a *answered) Reject(err error)          { a.rejected = err }
func (a *answered) Complete(_ any, err error) { a.err = err }

// theTestRun is the id of the workflow in a test environment.
const theTestRun = "default-test-workflow-id"

// signedByAnn is the proof of a message.
func signedByAnn(message FilingMessage, workflowID, update string, at time.Time) string {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	return models.SignUpdate(key, message.Statement(workflowID, update), at)
}

func TestStaffChangeFilings(t *testing.T) {
	t.Parallel()
	send := func(env *testsuite.TestWorkflowEnvironment, after time.Duration, name string,
		message FilingMessage) *answered {
		a := &answered{}
		env.RegisterDelayedCallback(func() {
			if message.Proof == "" {
				message.Proof = signedByAnn(message, theTestRun, name, env.Now())
			}
			env.UpdateWorkflow(name, name+after.String(), a, message)
		}, after)
		return a
	}
	t.Run("approve, pause, resume, retry", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		b.answers = []any{
			models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: "NO"},
			models.AuthorityAnswer{Outcome: models.AuthorityAccepted},
		}
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		send(env, 1*time.Hour, PauseUpdate, FilingMessage{By: "Ann", Until: "2026-02-05"})
		send(env, 2*time.Hour, ResumeUpdate, FilingMessage{By: "Ann"})
		send(env, 3*time.Hour, ApproveUpdate, FilingMessage{By: "Ann", ExpectedAmount: "10.00"})
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
			b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
			b.w.Due = 0
			env := filingEnv(b, "2026-02-02T00:00:00Z")
			without := send(env, time.Hour, name, FilingMessage{By: "Ann"})
			send(env, 2*time.Hour, name, FilingMessage{By: "Ann", Reason: "NO_SALES"})
			require.Equal(t, status, fileReturn(t, env).Status)
			require.ErrorContains(t, without.rejected, "a reason is needed")
			require.Equal(t, []string{"staff " + string(status) + " Ann NO_SALES"}, b.events)
		})
	}
	t.Run("nobody moves a filing without a proof of who it is", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		begin := env.Now()
		wanted := FilingMessage{By: "Ann", Reason: "NO_SALES"}
		other := FilingMessage{By: "Ann", Reason: "OTHER"}
		var refused []*answered
		for i, proof := range []string{
			" ", "levy-update-v1.AAAA.1.AAAA", signedByAnn(wanted, theTestRun, SkipUpdate, begin.Add(time.Hour)),
			signedByAnn(wanted, "filing/another", CancelUpdate, begin.Add(time.Hour)),
			signedByAnn(other, theTestRun, CancelUpdate, begin.Add(time.Hour)),
			signedByAnn(wanted, theTestRun, CancelUpdate, begin.Add(time.Hour-models.ProofLife-time.Second)),
			signedByAnn(wanted, theTestRun, CancelUpdate, begin.Add(2*time.Hour)),
		} {
			message := wanted
			message.Proof = proof
			refused = append(refused, send(env, time.Hour+time.Duration(i), CancelUpdate, message))
		}
		another := send(env, 2*time.Hour, CancelUpdate, FilingMessage{By: "Bob", Reason: "END"})
		send(env, 9*time.Hour, CancelUpdate, FilingMessage{Reason: "END"})
		fileReturn(t, env)
		for _, a := range refused {
			require.ErrorContains(t, a.rejected, "proof is ")
		}
		require.ErrorContains(t, another.err, "by is not the name of the operator")
		require.Equal(t, []string{"staff CANCELLED Ann END"}, b.events)
	})
	t.Run("what the codec has attached is a proof of that content, for two minutes", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		sent := env.Now().Add(time.Hour)
		attached := func(argument string, at time.Time) FilingMessage {
			content, with, ok := WantsProof([]byte(argument))
			require.True(t, ok)
			proof, _ := models.AttachProof(content, at)
			var message FilingMessage
			require.NoError(t, json.Unmarshal(with(proof), &message))
			require.Equal(t, proof, message.Proof)
			return message
		}
		other := attached(`{"reason": "OTHER"}`, sent)
		other.Reason = "END"
		var refused []*answered
		for i, message := range []FilingMessage{
			other, attached(`{"reason": "END"}`,
				sent.Add(-models.AttachedProofLife-time.Second)), attached(`{"reason": "END"}`, sent.Add(time.Hour)),
			attached(`{"reason": "END", "filing_id": "file_another"}`, sent),
		} {
			refused = append(refused, send(env, time.Hour+time.Duration(i), CancelUpdate, message))
		}
		send(env, time.Hour+time.Minute, CancelUpdate, attached(`{"reason": "END", "filing_id": "`+theFiling+`"}`, sent))
		fileReturn(t, env)
		for i, about := range []string{"proof is for", "proof is older", "proof is older", "another filing"} {
			require.ErrorContains(t, refused[i].rejected, about)
		}
		require.Equal(t, []string{"staff CANCELLED Ann END"}, b.events)
	})
	t.Run("an amount that nobody can mean is rejected", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		wrong := send(env, time.Hour, ApproveUpdate, FilingMessage{By: "Ann", ExpectedAmount: "1.234"})
		useless := send(env, 2*time.Hour, PauseUpdate, FilingMessage{By: "Ann", ExpectedAmount: "1.00"})
		send(env, 3*time.Hour, CancelUpdate, FilingMessage{By: "Ann", Reason: "END"})
		fileReturn(t, env)
		require.ErrorContains(t, wrong.rejected, "expected_amount is not an amount")
		require.ErrorContains(t, useless.rejected, "expected_amount is for approve alone")
		require.Equal(t, []string{"staff CANCELLED Ann END"}, b.events)
	})
	t.Run("nobody approves an amount that was not named", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		blind := send(env, time.Hour, ApproveUpdate, FilingMessage{By: "Ann"})
		send(env, 3*time.Hour, CancelUpdate, FilingMessage{By: "Ann", Reason: "END"})
		fileReturn(t, env)
		require.ErrorContains(t, blind.rejected, "expected_amount is needed")
		require.Equal(t, []string{"staff CANCELLED Ann END"}, b.events)
	})
	t.Run("an argument that there is not is named", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		var message FilingMessage
		require.NoError(t, json.Unmarshal([]byte(`{"amount":"10.00","reason":"END"}`), &message))
		require.Equal(t, "END", message.Reason)
		a := &answered{}
		env.RegisterDelayedCallback(func() {
			env.UpdateWorkflow(ApproveUpdate, "unknown", a, map[string]string{"amount": "10.00"})
		}, time.Hour)
		send(env, 3*time.Hour, CancelUpdate, FilingMessage{By: "Ann", Reason: "END"})
		fileReturn(t, env)
		require.ErrorContains(t, a.rejected, `there is no argument "amount"`)
		require.ErrorContains(t, a.rejected, "expected_amount")
		require.NotContains(t, a.rejected.Error(), "proof")
	})
	t.Run("what the status does not allow is rejected before the first refresh, too", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		early := send(env, 0, RetryUpdate, FilingMessage{})
		send(env, time.Hour, CancelUpdate, FilingMessage{By: "Ann", Reason: "END"})
		fileReturn(t, env)
		var app *temporal.ApplicationError
		require.ErrorAs(t, early.rejected, &app)
		var from string
		require.NoError(t, app.Details(&from))
		require.Equal(t, "UNFILED", from)
	})
	t.Run("what the status does not allow is rejected at once, with what it allows", func(t *testing.T) {
		t.Parallel()
		b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
		b.w.Due = 0
		env := filingEnv(b, "2026-02-02T00:00:00Z")
		refused := []*answered{
			send(env, time.Hour, RetryUpdate, FilingMessage{}),
			send(env, 2*time.Hour, ResumeUpdate, FilingMessage{}),
		}
		wrong := send(env, 3*time.Hour, PauseUpdate, FilingMessage{By: "Ann", Until: "tomorrow"})
		send(env, 4*time.Hour, CancelUpdate, FilingMessage{By: "Ann", Reason: "END"})
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

// Only what is the argument of such an Update gets a proof.
func TestWhatWantsAProof(t *testing.T) {
	t.Parallel()
	for argument, wants := range map[string]bool{
		`{}`: true, ` {"until": "2026-02-05"}`: true, `{"expected_amount":"1.00"}`: true,
		``: false, `null`: false, `"approve"`: false, `[{}]`: false, `{} {}`: false, `{"reason":1}`: false,
		`{"other":"x"}`:                    false,
		`{"proof":"levy-update-v1.a.b.c"}`: false,
		`{"organization_id":"org_1"}`:      true, `{"organization_id":"org_1","reason":"END"}`: true,
		`{"organization_id":"org_1","proof":"levy-update-v1.a.b.c"}`: false,
		`{"organization_id":"org_1","user_name":"Ann"}`:              false,
	} {
		_, _, ok := WantsProof([]byte(argument))
		require.Equal(t, wants, ok, argument)
	}
}

// cancelling asks to cancel the run while what staff ask for is being written.
type cancelling struct {
	*fakeFiling
	cancel func()
}

func (c cancelling) TransitionFiling(
	ctx context.Context, scope models.Scope, id string, change models.FilingTransition,
) (models.FilingStatus, error) {
	c.cancel()
	return c.fakeFiling.TransitionFiling(ctx, scope, id, change)
}

// The sender of an Update gets its result, also when the run is cancelled meanwhile.
func TestAnUpdateIsAnsweredBeforeACancelledRunEnds(t *testing.T) {
	t.Parallel()
	b := newFakeFiling(models.FilingUnfiled, "2026-01-01", "2026-01-31", "2026-02-20")
	b.w.Due = 0
	env := filingEnv(b, "2026-02-02T00:00:00Z")
	records := cancelling{b, env.CancelWorkflow}
	work := activities.NewFiling(records, b, b, rules.DefaultFilingPolicy(), quietLog)
	env.RegisterActivityWithOptions(work.MoveFiling, activity.RegisterOptions{
		Name: "MoveFiling", DisableAlreadyRegisteredCheck: true,
	})
	var outcome any
	env.RegisterDelayedCallback(func() {
		message := FilingMessage{Reason: "NO_SALES"}
		message.Proof = signedByAnn(message, theTestRun, CancelUpdate, env.Now())
		env.UpdateWorkflow(CancelUpdate, "", &testsuite.TestUpdateCallback{
			OnAccept: func() {}, OnReject: func(err error) { outcome = err },
			OnComplete: func(result any, err error) { outcome = cmp.Or[any](err, result) },
		}, message)
	}, time.Hour)
	env.ExecuteWorkflow(FileReturn, FileReturnInput{OrganizationID: theOrganization, FilingID: theFiling})
	require.True(t, temporal.IsCanceledError(env.GetWorkflowError()))
	require.Equal(t, activities.TransitionResult{Status: models.FilingCancelled}, outcome)
}
