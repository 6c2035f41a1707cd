package activities

import (
	"cmp"
	"context"
	"strings"

	"go.temporal.io/sdk/activity"

	"levy/models"
)

// UndoInput names the onboarding that is undone.
type UndoInput struct {
	OrganizationID string `json:"organization_id"`
}

// UndoResult is empty: an undo has happened once it returns.
type UndoResult struct{}

// EraseBankDetails undoes step 8.
func (o *Onboarding) EraseBankDetails(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undoStep(ctx, in, models.StepBankDetails)
}

// EraseBusinessOwners undoes step 7.
func (o *Onboarding) EraseBusinessOwners(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undoStep(ctx, in, models.StepBusinessOwners)
}

// EraseBusinessContact undoes step 6.
func (o *Onboarding) EraseBusinessContact(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undoStep(ctx, in, models.StepBusinessContact)
}

// EraseBusinessInformation undoes step 5.
func (o *Onboarding) EraseBusinessInformation(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undoStep(ctx, in, models.StepBusinessInformation)
}

// EraseBusinessAddress undoes step 4.
func (o *Onboarding) EraseBusinessAddress(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undoStep(ctx, in, models.StepBusinessAddress)
}

// EraseBusinessDetails undoes step 3.
func (o *Onboarding) EraseBusinessDetails(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undoStep(ctx, in, models.StepBusinessDetails)
}

// RevokeAPIKeys undoes step 2: no key of the organization is accepted any more.
func (o *Onboarding) RevokeAPIKeys(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undoStep(ctx, in, models.StepAPIKey)
}

// ArchiveOrganization undoes step 1: the name is free again.
func (o *Onboarding) ArchiveOrganization(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undoStep(ctx, in, models.StepOrganization)
}

// CancelRegistrations ends the registrations that the service began by itself.
func (o *Onboarding) CancelRegistrations(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undo(ctx, in, o.store.CancelRegistrations)
}

// DestroyDataKey makes everything unreadable that was sealed for the organization,
// also where no statement reaches: in backups and in the history of workflows.
func (o *Onboarding) DestroyDataKey(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undo(ctx, in, o.store.DestroyDataKey)
}

// FinishCompensation notes that nothing is left to be undone.
func (o *Onboarding) FinishCompensation(ctx context.Context, in UndoInput) (UndoResult, error) {
	return o.undo(ctx, in, o.store.FinishCompensation)
}

func (o *Onboarding) undoStep(ctx context.Context, in UndoInput, step int) (UndoResult, error) {
	return o.undo(
		ctx, in,
		func(ctx context.Context, scope models.Scope) error { return o.store.UndoStep(ctx, scope, step) },
	)
}

// undo never gives up: the number of the attempt does not matter.
func (o *Onboarding) undo(
	ctx context.Context, in UndoInput, work func(context.Context, models.Scope) error,
) (UndoResult, error) {
	return UndoResult{}, o.do(ctx, in.OrganizationID, func(ctx context.Context) error {
		return work(ctx, models.Scope{OrganizationID: in.OrganizationID})
	})
}

func (o *Onboarding) do(ctx context.Context, organizationID string, work func(context.Context) error) error {
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	r := record{of: ofOnboarding, names: []any{"organization_id", organizationID}}
	return recordFailure(ctx, o.log, r, guarded(ctx, o.log, work))
}

// EndInput says how an onboarding is to end before it was completed.
type EndInput struct {
	OrganizationID string                  `json:"organization_id"`
	Status         models.OnboardingStatus `json:"status"`
	Reason         string                  `json:"reason,omitempty"`
	Step           int                     `json:"step,omitempty"` // the step that failed
	APIKeyID       string                  `json:"api_key_id,omitempty"`
	RequestID      string                  `json:"request_id,omitempty"`
	UserID         string                  `json:"user_id,omitempty"` // of a person with a session
	UserName       string                  `json:"user_name,omitempty"`
	Proof          string                  `json:"proof,omitempty"` // of staff who end it in Temporal: see models.Proof
}

// EndResult says what became of the onboarding: it may have ended before.
type EndResult struct {
	Status    models.OnboardingStatus `json:"status"`
	Completed int                     `json:"completed"`
	Reason    string                  `json:"reason,omitempty"` // with the name of who ended it in Temporal
}

// EndOnboarding ends an onboarding before it was completed. From its commit on no
// step is accepted. Errors: ErrTypeInvalidInput when there is a proof that is none.
func (o *Onboarding) EndOnboarding(ctx context.Context, in EndInput) (EndResult, error) {
	var result EndResult
	info := activity.GetInfo(ctx)
	err := o.do(ctx, in.OrganizationID, func(ctx context.Context) (err error) {
		end := models.OnboardingEnd{
			Status: in.Status, Reason: in.Reason, Step: in.Step,
			Actor: models.Actor{APIKeyID: in.APIKeyID, RequestID: in.RequestID, UserID: in.UserID, UserName: in.UserName},
		}
		if in.Proof != "" {
			by := info.WorkflowExecution.RunID + "/" + info.ActivityID
			if end.Actor, err = proven(ctx, o.operators, in.Proof, by); err != nil {
				return err
			}
			name := cmp.Or(end.Actor.UserName, end.Actor.Staff)
			end.Reason = strings.TrimSpace("The run was cancelled by " + name + ". " + in.Reason)
			result.Reason = end.Reason
		}
		ended, err := o.store.EndOnboarding(ctx, models.Scope{OrganizationID: in.OrganizationID}, end)
		result.Status, result.Completed = ended.Status, ended.Completed
		return err
	})
	return result, err
}

// CheckProgress sends the reminder that is due, or lets the onboarding expire, by
// the last accepted write of the organization.
func (o *Onboarding) CheckProgress(ctx context.Context, in UndoInput) (models.ProgressCheck, error) {
	var check models.ProgressCheck
	err := o.do(ctx, in.OrganizationID, func(ctx context.Context) (err error) {
		check, err = o.store.CheckProgress(ctx, models.Scope{OrganizationID: in.OrganizationID}, o.rules)
		return err
	})
	if err == nil && check.Reminders > 0 {
		o.log.InfoContext(ctx, "onboarding without progress", "organization_id", in.OrganizationID,
			"attempt", activity.GetInfo(ctx).Attempt, "status", check.Status, "reminders", check.Reminders)
	}
	return check, err
}
