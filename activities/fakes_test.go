package activities

import (
	"context"
	"crypto/ed25519"
	"time"

	"levy/models"
	"levy/rules"
)

// filingFake answers as a store of filings with one return to be submitted.
type filingFake struct{ *recorder }

func newFilingOn(r *recorder) *Filing {
	return NewFiling(filingFake{r}, filingFake{r}, authorityFake{recorder: r, answer: ourAnswer}, ourPolicy, quiet)
}

func (f filingFake) RefreshFiling(
	_ context.Context, scope models.Scope, id string, now time.Time, policy rules.FilingPolicy,
) (rules.FilingSnapshot, error) {
	return rules.FilingSnapshot{
		FilingFacts: models.FilingFacts{Status: models.FilingUnfiled},
	}, f.record("RefreshFiling", scope, id, now, policy)
}

func (f filingFake) AutoApproveFiling(
	_ context.Context, scope models.Scope, id string, now time.Time, policy rules.FilingPolicy,
) error {
	return f.record("AutoApproveFiling", scope, id, now, policy)
}

func (f filingFake) ResumeFiling(_ context.Context, scope models.Scope, id string, now time.Time) error {
	return f.record("ResumeFiling", scope, id, now)
}

func (f filingFake) TransitionFiling(
	_ context.Context, scope models.Scope, id string, to models.FilingTransition,
) (models.FilingStatus, error) {
	return to.To, f.record("TransitionFiling", scope, id, to)
}

// theProof is signed; filingFake says by whom.
var theProof = models.SignUpdate(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), "", ourMoment)

func (filingFake) UseProof(context.Context, models.Proof, string) (models.Actor, error) {
	return models.Actor{Staff: "staff"}, nil
}

// nobody is a store without operators.
type nobody struct{}

func (nobody) UseProof(context.Context, models.Proof, string) (models.Actor, error) {
	return models.Actor{}, models.ErrNoOperator
}

func (f filingFake) SubmissionOfFiling(
	_ context.Context, scope models.Scope, a models.Attempt,
) (models.AuthoritySubmission, error) {
	key := models.AuthorityKey{
		OrganizationID: scope.OrganizationID, Kind: models.AuthorityReturn, RecordID: a.RecordID, Attempt: a.Number,
	}
	return models.AuthoritySubmission{
		Key: key, Country: "US", State: "TX",
	}, f.record("SubmissionOfFiling", scope, a.RecordID, a.Number)
}

func (f filingFake) AuthorityOfFiling(_ context.Context, scope models.Scope, id string) (models.ReturnOwner, error) {
	return models.ReturnOwner{Test: true}, f.record("AuthorityOfFiling", scope, id)
}

func (f filingFake) ReturnFacts(_ context.Context, scope models.Scope, id string) (models.ReturnFacts, error) {
	return models.ReturnFacts{Document: &models.FilingDocument{Attempt: 2, Layout: "L/1", Hash: "ab"}},
		f.record("ReturnFacts", scope, id)
}

func (f filingFake) KeepDocument(
	_ context.Context, scope models.Scope, a models.Attempt, d models.FilingDocument,
) (models.FilingDocument, error) {
	return d, f.record("KeepDocument", scope, a.RecordID, a.Number, d)
}

func (f filingFake) NoteSubmission(_ context.Context, scope models.Scope, a models.Attempt, authority string) error {
	return f.record("NoteSubmission", scope, a.RecordID, a.Number, authority)
}

func (f filingFake) NoteManualFiling(_ context.Context, scope models.Scope, a models.Attempt) error {
	return f.record("NoteManualFiling", scope, a.RecordID, a.Number)
}

func (f filingFake) NoteFilingContact(_ context.Context, scope models.Scope, a models.Attempt, answered bool) error {
	return f.record("NoteFilingContact", scope, a.RecordID, a.Number, answered)
}

func (f filingFake) SettleFiling(
	_ context.Context, scope models.Scope, a models.Attempt, answer models.AuthorityAnswer, now time.Time,
) error {
	return f.record("SettleFiling", scope, a.RecordID, a.Number, answer, now)
}

func (f filingFake) LockFiling(_ context.Context, scope models.Scope, id string) error {
	return f.record("LockFiling", scope, id)
}

// authorityFake is an authority that gives one answer.
type authorityFake struct {
	*recorder
	answer models.AuthorityAnswer
}

func (a authorityFake) Submit(_ context.Context, s models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	return a.answer, a.record("Submit", s)
}

func (a authorityFake) Check(
	_ context.Context, adapter string, key models.AuthorityKey,
) (models.AuthorityAnswer, error) {
	return a.answer, a.record("Check", adapter, key)
}

// registrationFake answers as a store of registrations.
type registrationFake struct{ *recorder }

func newRegistrationOn(r *recorder) *Registration {
	return NewRegistration(registrationFake{r}, authorityFake{recorder: r, answer: ourAnswer}, quiet)
}

func (f registrationFake) RefreshRegistration(
	_ context.Context, scope models.Scope, read models.RegistrationRead, run rules.RegistrationRun, now time.Time,
) (rules.RegistrationSnapshot, error) {
	return rules.RegistrationSnapshot{
		Status: models.RegistrationProcessing,
	}, f.record("RefreshRegistration", scope, read.RegistrationID, run, now)
}

func (f registrationFake) CreateDefaultProducts(_ context.Context, scope models.Scope) error {
	return f.record("CreateDefaultProducts", scope)
}

func (f registrationFake) ProceedWithRegistration(
	_ context.Context, scope models.Scope, id string, now time.Time,
) error {
	return f.record("ProceedWithRegistration", scope, id, now)
}

func (f registrationFake) SubmissionOfRegistration(
	_ context.Context, scope models.Scope, a models.Attempt,
) (models.AuthoritySubmission, error) {
	key := models.AuthorityKey{
		OrganizationID: scope.OrganizationID, Kind: models.AuthorityRegistration, RecordID: a.RecordID, Attempt: a.Number,
	}
	return models.AuthoritySubmission{
		Key: key, Country: "US", State: "TX",
	}, f.record("SubmissionOfRegistration", scope, a.RecordID, a.Number)
}

func (f registrationFake) HandOverRegistration(
	_ context.Context, scope models.Scope, a models.Attempt, authority string, now time.Time,
) error {
	return f.record("HandOverRegistration", scope, a.RecordID, a.Number, authority, now)
}

func (f registrationFake) NoteRegistrationContact(
	_ context.Context, scope models.Scope, a models.Attempt, answered bool,
) error {
	return f.record("NoteRegistrationContact", scope, a.RecordID, a.Number, answered)
}

func (f registrationFake) SettleRegistration(
	_ context.Context, scope models.Scope, a models.Attempt, answer models.AuthorityAnswer, now time.Time,
) error {
	return f.record("SettleRegistration", scope, a.RecordID, a.Number, answer, now)
}

func (f registrationFake) CancelLaterFilings(_ context.Context, scope models.Scope, id string, now time.Time) error {
	return f.record("CancelLaterFilings", scope, id, now)
}

func (f registrationFake) CloseRegistration(
	_ context.Context, scope models.Scope, a models.Attempt, now time.Time,
) error {
	return f.record("CloseRegistration", scope, a.RecordID, a.Number, now)
}

// onboardingFake answers as a store of onboardings, one of which has a status.
type onboardingFake struct {
	*recorder
	status models.OnboardingStatus
}

func newOnboardingOn(r *recorder) *Onboarding {
	return NewOnboarding(onboardingFake{recorder: r}, filingFake{r}, nil, nil, AcceptAnyBank,
		models.DefaultOnboardingRules(), quiet)
}

func (f onboardingFake) CompleteStep(_ context.Context, sub models.StepSubmission, work models.StepWork) error {
	return f.record("CompleteStep", sub, work)
}

func (f onboardingFake) NoteStepError(_ context.Context, scope models.Scope, step int, reason string) error {
	return f.record("NoteStepError", scope, step, reason)
}

func (f onboardingFake) Onboarding(_ context.Context, scope models.Scope) (models.Onboarding, error) {
	return models.Onboarding{OrganizationID: scope.OrganizationID, Status: f.status}, f.record("Onboarding", scope)
}

func (f onboardingFake) EndOnboarding(
	_ context.Context, scope models.Scope, end models.OnboardingEnd,
) (models.Onboarding, error) {
	return models.Onboarding{Status: end.Status, Completed: 3}, f.record("EndOnboarding", scope, end)
}

func (f onboardingFake) CheckProgress(
	_ context.Context, scope models.Scope, limits models.OnboardingRules,
) (models.ProgressCheck, error) {
	return models.ProgressCheck{
		Status: models.OnboardingInProgress, Completed: 3, Reminders: 1,
	}, f.record("CheckProgress", scope, limits)
}

func (f onboardingFake) UndoStep(_ context.Context, scope models.Scope, step int) error {
	return f.record("UndoStep", scope, step)
}

func (f onboardingFake) CancelRegistrations(_ context.Context, scope models.Scope) error {
	return f.record("CancelRegistrations", scope)
}

func (f onboardingFake) DestroyDataKey(_ context.Context, scope models.Scope) error {
	return f.record("DestroyDataKey", scope)
}

func (f onboardingFake) FinishCompensation(_ context.Context, scope models.Scope) error {
	return f.record("FinishCompensation", scope)
}
