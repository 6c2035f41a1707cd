package workflows

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	sdkclient "go.temporal.io/sdk/client"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
	"levy/tax"
)

// registrationWay is a way a registration can go on a real server. change happens once
// the run waits for what it names.
type registrationWay struct {
	status  models.RegistrationStatus
	answers []any
	prepare func(b *registrationBook)
	waits   string
	change  func(b *registrationBook)
}

func registrationWays() map[string]registrationWay {
	accepted := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"}
	pending := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: 50 * time.Millisecond}
	never := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: time.Hour}
	rejected := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "who are you?"}
	byHand := models.AuthorityAnswer{Authority: "manual", Outcome: models.AuthorityByHand}
	to := func(status models.RegistrationStatus) func(b *registrationBook) {
		return func(b *registrationBook) { b.enter(status, time.Now()) }
	}
	lastDay := func(last string) func(b *registrationBook) {
		return func(b *registrationBook) {
			day := tax.MustDate(last).Time()
			b.r.DeregistrationDate = &day
		}
	}
	return map[string]registrationWay{
		"confirmed":         {status: models.RegistrationProcessing, answers: []any{accepted}},
		"confirmed-later":   {status: models.RegistrationProcessing, answers: []any{pending, pending, accepted}},
		"outage":            {status: models.RegistrationProcessing, answers: []any{models.ErrUnavailable, accepted}},
		"registered":        {status: models.RegistrationRegistered},
		"clarified":         {status: models.RegistrationProcessing, answers: []any{rejected, accepted}, waits: models.RegistrationWaitsForClarification, change: to(models.RegistrationProcessing)},
		"by-hand":           {status: models.RegistrationProcessing, answers: []any{byHand}, waits: models.RegistrationWaitsForConfirmation, change: to(models.RegistrationRegistered)},
		"overtaken":         {status: models.RegistrationProcessing, answers: []any{never}, waits: models.RegistrationWaitsForAuthority, change: to(models.RegistrationRegistered)},
		"cancelled":         {status: models.RegistrationProcessing, answers: []any{never}, waits: models.RegistrationWaitsForAuthority, change: to(models.RegistrationCancelled)},
		"onboarded":         {status: models.RegistrationUnregistered, answers: []any{accepted}, waits: models.RegistrationWaitsForOnboarding, change: func(b *registrationBook) { b.facts.Onboarded = true }},
		"deregistered":      {status: models.RegistrationDeregistering, answers: []any{accepted}, prepare: lastDay("2026-01-31")},
		"end-refused":       {status: models.RegistrationDeregistering, answers: []any{rejected}, prepare: lastDay("2026-01-31"), waits: models.RegistrationWaitsForClarification, change: to(models.RegistrationDeregistered)},
		"end-awaited":       {status: models.RegistrationDeregistering, answers: []any{accepted}, prepare: lastDay("2090-01-31"), waits: models.RegistrationWaitsForLastDay, change: lastDay("2026-01-31")},
		"filings-awaited":   {status: models.RegistrationDeregistering, answers: []any{accepted}, prepare: func(b *registrationBook) { lastDay("2026-01-31")(b); b.facts.OpenFilings = 1 }, waits: models.RegistrationWaitsForFilings, change: func(b *registrationBook) { b.facts.OpenFilings = 0 }},
		"cancelled-at-once": {status: models.RegistrationCancelled},
	}
}

var registrationRuns = histories[registrationWay]{folder: "Registration", workflows: map[string]any{RegistrationName: Registration}, ways: registrationWays}

func TestReplayRegistration(t *testing.T) {
	t.Parallel()
	registrationRuns.replayAll(t)
}

// A replay that accepts anything proves nothing: a run that hands over before it
// looks is noticed.
func TestReplayNoticesAnotherOrder(t *testing.T) {
	t.Parallel()
	run := func(ctx workflow.Context, in RegistrationInput) (RegistrationResult, error) {
		r := newRegistration(in)
		if err := r.listen(ctx); err != nil {
			return RegistrationResult{}, err
		}
		return RegistrationResult{}, r.submit(ctx)
	}
	require.Error(t, registrationRuns.replay("confirmed", RegistrationName, run))
}

func TestRecordRegistration(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	registrationRuns.recordMissing(t, recordRegistration)
}

func recordRegistration(t *testing.T, client sdkclient.Client, name string, w registrationWay) sdkclient.WorkflowRun {
	t.Helper()
	b := newRegistrationBook(w.status)
	if w.answers != nil {
		b.answers = w.answers
	}
	if w.prepare != nil {
		w.prepare(b)
	}
	recordingWorker(t, client, RegistrationsQueue, func(worker sdkworker.Worker) {
		RegisterRegistrations(worker, activities.NewRegistration(b, b, quietLog))
	})
	recordingWorker(t, client, FilingsQueue, func(worker sdkworker.Worker) {
		worker.RegisterActivityWithOptions(func(context.Context, activities.PlanRegistrationInput) (activities.PlanResult, error) {
			return b.plan()
		}, activity.RegisterOptions{Name: "PlanRegistration"})
	})
	in := RegistrationInput{OrganizationID: newcomer, RegistrationID: name, Jurisdiction: "US-NV", Status: w.status}
	run, err := client.ExecuteWorkflow(t.Context(), RegistrationStart(in), RegistrationName, in)
	require.NoError(t, err)
	if w.change != nil {
		require.Eventually(t, func() bool {
			value, err := client.QueryWorkflow(t.Context(), run.GetID(), "", ProgressQuery)
			var progress RegistrationProgress
			return err == nil && value.Get(&progress) == nil && progress.WaitsFor == w.waits
		}, time.Minute, 50*time.Millisecond, name)
		b.mu.Lock()
		w.change(b)
		b.r.Changed = true
		b.mu.Unlock()
		require.NoError(t, client.SignalWorkflow(t.Context(), run.GetID(), "", RecordChangedSignal, nil))
	}
	require.NoError(t, run.Get(t.Context(), nil), name)
	return run
}
