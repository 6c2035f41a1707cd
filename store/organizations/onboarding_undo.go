package organizations

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"levy/internal/failpoint"
	"levy/models"
	"levy/store/pg"
	"levy/store/registrations"
	"levy/store/webhooks"
)

// EndOnboarding ends an onboarding in progress and returns it. It may have ended before. After the commit no step is
// accepted. Errors: models.ErrNotFound.
func (s *Store) EndOnboarding(
	ctx context.Context, scope models.Scope, end models.OnboardingEnd,
) (models.Onboarding, error) {
	var o models.Onboarding
	err := s.db.InTx(ctx, func(ctx context.Context) (err error) {
		tx := s.db.GORM(ctx)
		o, err = endOnboarding(tx, scope, end)
		return err
	})
	return o, err
}

func endOnboarding(tx *gorm.DB, scope models.Scope, end models.OnboardingEnd) (models.Onboarding, error) {
	o, err := lockOnboarding(tx, scope)
	if err != nil || o.Status != models.OnboardingInProgress {
		return o, err
	}
	if end.Step > 0 {
		err = tx.Model(&models.OnboardingStepRecord{}).
			Where("organization_id = ? AND number = ?", scope.OrganizationID, end.Step).
			Update("error", end.Reason).Error
		if err != nil {
			return o, err
		}
	}
	now := tx.NowFunc()
	err = changeOnboarding(tx, scope, map[string]any{
		"status": end.Status, "reason": end.Reason, "compensation_started_at": now, "next_check_at": now.Add(checkPauseUndo),
	})
	if err != nil {
		return o, err
	}
	o.Status = end.Status
	return o, pg.Audit(tx, end.Actor.Entry(scope, models.AuditUpdate, "onboarding", scope.OrganizationID))
}

// undoFunctions are the functions that delete the data of a step.
var undoFunctions = map[int]func(tx *gorm.DB, scope models.Scope) error{
	models.StepBankDetails:    eraseBank,
	models.StepBusinessOwners: erase("business_owner", models.DocumentOwners),
	models.StepBusinessContact: erase(
		"business_", models.DocumentContact, models.DocumentOwners,
	), // the contact may be an owner, too
	models.StepBusinessInformation: erase("", models.DocumentInformation),
	models.StepBusinessAddress:     eraseAddress,
	models.StepBusinessDetails:     eraseDetails,
	models.StepAPIKey:              revokeKeys,
	models.StepOrganization:        archiveUnfinished,
}

// UndoStep undoes a step and records that it is undone. A repetition, or a step that was never done, changes nothing.
// Errors: *models.OnboardingInactiveError for an onboarding that is not to be undone.
func (s *Store) UndoStep(ctx context.Context, scope models.Scope, step int) error {
	if err := failpoint.Hit("before_undo_commit"); err != nil {
		return err
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if _, found, err := lockForUndo(tx, scope); err != nil || !found {
			return err
		}
		if err := undoFunctions[step](tx, scope); err != nil {
			return err
		}
		now := tx.NowFunc()
		undone := tx.Model(&models.OnboardingStepRecord{}).
			Where("organization_id = ? AND number = ? AND completed_at IS NOT NULL AND compensated_at IS NULL",
				scope.OrganizationID, step).
			Update("compensated_at", now)
		if undone.Error != nil || undone.RowsAffected == 0 {
			return undone.Error
		}
		err := pg.Audit(tx, models.Actor{}.Entry(scope, models.AuditUndo, models.StepOf(step).Name, scope.OrganizationID))
		if err != nil {
			return err
		}
		return changeOnboarding(tx, scope, map[string]any{})
	})
	if err == nil {
		err = failpoint.Hit("after_undo_commit")
	}
	return err
}

// lockForUndo locks an onboarding that is to be undone. found is false if there is none.
func lockForUndo(tx *gorm.DB, scope models.Scope) (o models.Onboarding, found bool, err error) {
	o, err = lockOnboarding(tx, scope)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return o, false, nil
	}
	// guard: onboarding: only what ended is undone
	if err == nil && !o.Status.Undone() {
		err = &models.OnboardingInactiveError{Status: o.Status}
	}
	return o, err == nil, err
}

// CancelRegistrations cancels the registrations that the service began for an organization whose onboarding is undone.
func (s *Store) CancelRegistrations(ctx context.Context, scope models.Scope) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if _, found, err := lockForUndo(tx, scope); err != nil || !found {
			return err
		}
		return registrations.CancelAll(tx, scope, true)
	})
}

// DestroyDataKey deletes the data key of an organization whose onboarding is undone, and all values sealed by it.
func (s *Store) DestroyDataKey(ctx context.Context, scope models.Scope) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if _, found, err := lockForUndo(tx, scope); err != nil || !found {
			return err
		}
		return destroyDataKey(tx, scope)
	})
}

// destroyDataKey also deletes endpoints of webhooks, because the key seals their secrets.
func destroyDataKey(tx *gorm.DB, scope models.Scope) error {
	if err := webhooks.EndAll(tx, scope); err != nil {
		return err
	}
	if err := tx.Exec("DELETE FROM personal_data WHERE organization_id = ?", scope.OrganizationID).Error; err != nil {
		return err
	}
	return tx.Exec("DELETE FROM data_keys WHERE organization_id = ?", scope.OrganizationID).Error
}

// FinishCompensation records that nothing is left to be undone. A repetition changes nothing.
func (s *Store) FinishCompensation(ctx context.Context, scope models.Scope) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		o, found, err := lockForUndo(tx, scope)
		if err != nil || !found || o.CompensationFinishedAt != nil {
			return err
		}
		return changeOnboarding(tx, scope, map[string]any{
			"compensation_finished_at": tx.NowFunc(), "next_check_at": nil,
		})
	})
}

// eraseAll erases the data of an organization and of its people.
func eraseAll(tx *gorm.DB, scope models.Scope) error {
	for _, step := range []int{
		models.StepBankDetails, models.StepBusinessOwners, models.StepBusinessContact, models.StepBusinessInformation,
		models.StepBusinessDetails,
	} {
		if err := undoFunctions[step](tx, scope); err != nil {
			return err
		}
	}
	return destroyDataKey(tx, scope)
}

func eraseBank(tx *gorm.DB, scope models.Scope) error {
	if err := tx.Exec(`DELETE FROM personal_data WHERE organization_id = ?
		  AND field IN ('routing_number', 'account_number')`, scope.OrganizationID).Error; err != nil {
		return err
	}
	return tx.Exec("DELETE FROM bank_details WHERE organization_id = ?", scope.OrganizationID).Error
}

// erase returns a function that clears documents and the personal values whose fields begin with a prefix.
func erase(personal string, documents ...string) func(tx *gorm.DB, scope models.Scope) error {
	return func(tx *gorm.DB, scope models.Scope) error {
		if personal != "" {
			err := tx.Exec("DELETE FROM personal_data WHERE organization_id = ? AND starts_with(field, ?)",
				scope.OrganizationID, personal).Error
			if err != nil {
				return err
			}
		}
		change := map[string]any{}
		for _, document := range documents {
			change[document] = nil
		}
		return clearDetails(tx, scope, change)
	}
}

func clearDetails(tx *gorm.DB, scope models.Scope, change map[string]any) error {
	change["revision"], change["updated_at"] = gorm.Expr("revision + 1"), tx.NowFunc()
	return tx.Model(&models.OrganizationDetails{}).Where("organization_id = ?", scope.OrganizationID).Updates(change).Error
}

func eraseAddress(tx *gorm.DB, scope models.Scope) error {
	return clearDetails(tx, scope, map[string]any{models.DocumentAddress: nil, "place": nil, "address_status": "BLANK"})
}

// eraseDetails also clears the address, whose fields the step shares with the next.
func eraseDetails(tx *gorm.DB, scope models.Scope) error {
	return clearDetails(tx, scope, map[string]any{
		models.DocumentDetails: nil, models.DocumentAddress: nil, "place": nil,
		"address_status": "BLANK", "auto_register": false, "auto_file": false,
	})
}

func revokeKeys(tx *gorm.DB, scope models.Scope) error {
	return tx.Model(&models.APIKey{}).Where("organization_id = ? AND revoked_at IS NULL", scope.OrganizationID).
		Update("revoked_at", tx.NowFunc()).Error
}

func archiveUnfinished(tx *gorm.DB, scope models.Scope) error {
	o, err := lockOnboarding(tx, scope)
	if err != nil {
		return err
	}
	now := tx.NowFunc()
	return tx.Model(&models.Organization{}).
		Where("id = ? AND status = ?", scope.OrganizationID, models.OrganizationActive).
		Updates(map[string]any{
			"status": models.OrganizationArchived, "archival_reason": fmt.Sprintf("Onboarding %s", o.Status),
			"archived_at": now, "updated_at": now,
		}).Error
}
