// Package activitiestest does the steps of onboardings without a workflow engine,
// for tests of what stands before it.
package activitiestest

import (
	"context"
	"log/slog"

	"levy/activities"
	"levy/internal/secret"
	"levy/models"
)

// Records are what Steps needs of the store.
type Records interface {
	activities.Onboardings
	secret.DataKeys
}

// Steps does steps at once, in the caller's goroutine.
type Steps struct {
	activities.Edits
	// Onboarding are the activities themselves.
	Onboarding *activities.Onboarding
	Vault      *secret.Vault
	// Linger leaves what Cancel ended as it is, as if the undoing took its time.
	Linger  bool
	records Records
}

// NewSteps makes Steps on a store. bank is nil for one that accepts every account.
func NewSteps(records Records, ring *secret.Ring, places activities.Places, bank activities.BankCheck) *Steps {
	if bank == nil {
		bank = activities.AcceptAnyBank
	}
	vault := secret.NewVault(ring, records)
	work := activities.NewOnboarding(records, nil, vault, places, bank, models.DefaultOnboardingRules(),
		slog.New(slog.DiscardHandler))
	return &Steps{Edits: activities.NewEdits(work), Onboarding: work, Vault: vault, records: records}
}

// Submit does a step.
func (s *Steps) Submit(ctx context.Context, _ models.Onboarding, step models.StepSubmission) error {
	return s.Complete(ctx, step)
}

// Cancel ends an onboarding and undoes it.
func (s *Steps) Cancel(ctx context.Context, record models.Onboarding, actor models.Actor, reason string) error {
	scope := models.Scope{OrganizationID: record.OrganizationID}
	_, err := s.records.EndOnboarding(ctx, scope,
		models.OnboardingEnd{Status: models.OnboardingCancelled, Reason: reason, Actor: actor})
	if err != nil || s.Linger {
		return err
	}
	return s.Undo(ctx, scope)
}

// Undo takes back all steps, newest first.
func (s *Steps) Undo(ctx context.Context, scope models.Scope) error {
	for step := models.LastStep; step >= models.StepOrganization; step-- {
		if err := s.records.UndoStep(ctx, scope, step); err != nil {
			return err
		}
	}
	if err := s.records.DestroyDataKey(ctx, scope); err != nil {
		return err
	}
	return s.records.FinishCompensation(ctx, scope)
}
