package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/workflow"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// registrationScenario is a course of a registration on a real server. change happens once the run waits for what waits
// names.
type registrationScenario struct {
	status  models.RegistrationStatus
	answers []any
	prepare func(b *fakeRegistration)
	waits   string
	change  func(b *fakeRegistration)
}

func registrationScenarios() map[string]registrationScenario {
	accepted := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityAccepted, Confirmation: "SIM-1"}
	pending := models.AuthorityAnswer{
		Authority: "simulated", Outcome: models.AuthorityPending, Again: 50 * time.Millisecond,
	}
	never := models.AuthorityAnswer{Authority: "simulated", Outcome: models.AuthorityPending, Again: time.Hour}
	rejected := models.AuthorityAnswer{
		Authority: "simulated", Outcome: models.AuthorityRejected, Reason: "who are you?",
	}
	manual := models.AuthorityAnswer{Authority: "manual", Outcome: models.AuthorityManual}
	to := func(status models.RegistrationStatus) func(b *fakeRegistration) {
		return func(b *fakeRegistration) { b.enter(status, time.Now()) }
	}
	lastDay := func(last string) func(b *fakeRegistration) {
		return func(b *fakeRegistration) {
			day := calendar.MustDate(last).Time()
			b.r.DeregistrationDate = &day
		}
	}
	return map[string]registrationScenario{
		"confirmed":       {status: models.RegistrationProcessing, answers: []any{accepted}},
		"confirmed-later": {status: models.RegistrationProcessing, answers: []any{pending, pending, accepted}},
		"outage":          {status: models.RegistrationProcessing, answers: []any{models.ErrUnavailable, accepted}},
		"registered":      {status: models.RegistrationRegistered},
		"clarified": {
			status: models.RegistrationProcessing, answers: []any{rejected, accepted},
			waits: rules.RegistrationWaitsForClarification, change: to(models.RegistrationProcessing),
		},
		"manual": {
			status: models.RegistrationProcessing, answers: []any{manual},
			waits: rules.RegistrationWaitsForConfirmation, change: to(models.RegistrationRegistered),
		},
		"overtaken": {
			status: models.RegistrationProcessing, answers: []any{never},
			waits: rules.RegistrationWaitsForAuthority, change: to(models.RegistrationRegistered),
		},
		"cancelled": {
			status: models.RegistrationProcessing, answers: []any{never},
			waits: rules.RegistrationWaitsForAuthority, change: to(models.RegistrationCancelled),
		},
		"onboarded": {
			status: models.RegistrationUnregistered, answers: []any{accepted},
			waits:  rules.RegistrationWaitsForOnboarding,
			change: func(b *fakeRegistration) { b.facts.Onboarded = true },
		},
		"deregistered": {
			status: models.RegistrationDeregistering, answers: []any{accepted}, prepare: lastDay("2026-01-31"),
		},
		"end-refused": {
			status: models.RegistrationDeregistering, answers: []any{rejected}, prepare: lastDay("2026-01-31"),
			waits: rules.RegistrationWaitsForClarification, change: to(models.RegistrationDeregistered),
		},
		"end-awaited": {
			status: models.RegistrationDeregistering, answers: []any{accepted}, prepare: lastDay("2090-01-31"),
			waits: rules.RegistrationWaitsForLastDay, change: lastDay("2026-01-31"),
		},
		"filings-awaited": {
			status: models.RegistrationDeregistering, answers: []any{accepted},
			prepare: func(b *fakeRegistration) { lastDay("2026-01-31")(b); b.facts.OpenFilings = 1 },
			waits:   rules.RegistrationWaitsForFilings,
			change:  func(b *fakeRegistration) { b.facts.OpenFilings = 0 },
		},
		"cancelled-at-once": {status: models.RegistrationCancelled},
		"ended-at-once":     {status: models.RegistrationDeregistered},
	}
}

var registrationRuns = histories[registrationScenario]{
	folder: "Registration", workflows: map[string]any{RegistrationName: Registration}, scenarios: registrationScenarios,
}

func TestReplayRegistration(t *testing.T) {
	t.Parallel()
	registrationRuns.replayAll(t)
}

// A replay that accepts anything proves nothing: a run that submits before it
// refreshes is noticed.
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
