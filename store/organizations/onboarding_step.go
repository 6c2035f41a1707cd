package organizations

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/store/registrations"
)

// CompleteStep writes the content of a step with its completion. A step that was done before is edited.
// The same submission again changes nothing. Errors: *models.OnboardingInactiveError, *models.StepOrderError,
// models.ErrChangedMeanwhile, *models.DuplicateError (name, step 1), *models.LimitError (steps 1 and 2).
func (s *Store) CompleteStep(ctx context.Context, sub models.StepSubmission, work models.StepWork) error {
	if err := failpoint.Hit("before_step_commit"); err != nil {
		return err
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		o, err := lockOnboarding(tx, sub.Scope())
		if sub.Step == models.StepOrganization {
			if err == nil {
				return nil // the id was created for this submission, so it is done
			}
			if !errors.Is(err, gorm.ErrRecordNotFound) {
				return err
			}
			return s.createDraftedClient(tx, sub)
		}
		if err != nil {
			return err
		}
		return completeStep(tx, o, sub, work)
	})
	if err == nil {
		err = failpoint.Hit("after_step_commit")
	}
	return err
}

func completeStep(tx *gorm.DB, o models.Onboarding, sub models.StepSubmission, work models.StepWork) error {
	var done int64
	err := tx.Model(&models.OnboardingStepRecord{}).
		Where("organization_id = ? AND number = ? AND submission_id = ?",
			sub.OrganizationID, sub.Step, sub.ID).Count(&done).Error
	// guard: onboarding: a submission is done once
	if err != nil || done > 0 {
		return err
	}
	if err := rules.CheckOnboardingStep(o, sub.Step); err != nil {
		return err
	}
	if sub.Step == models.StepBusinessDetails && o.Completed < models.StepBusinessAddress {
		work.Place = nil // the next step has the business address
	}
	if sub.Step == models.StepAPIKey {
		// guard: onboarding: a link makes one key
		if sub.Actor().IsLink() && o.Completed >= models.StepAPIKey {
			return models.ErrLinkUsed
		}
		err = createDraftedKey(tx, sub)
	} else {
		err = saveContent(tx, sub.Scope(), work.Content, work)
		if err == nil {
			err = pg.Audit(tx, sub.Actor().Entry(sub.Scope(), models.AuditUpdate, entityOf(sub.Step), sub.OrganizationID))
		}
	}
	if err != nil {
		return err
	}
	return recordStep(tx, o, sub)
}

// entityOf returns the entity of a step in the audit trail.
func entityOf(step int) string {
	if step == models.StepBankDetails {
		return "bank_details"
	}
	return "organization_details"
}

// recordStep records an accepted call of a step and begins the next step.
func recordStep(tx *gorm.DB, o models.Onboarding, sub models.StepSubmission) error {
	now := tx.NowFunc()
	err := tx.Exec(`
		INSERT INTO onboarding_steps AS s (organization_id, number, started_at, completed_at, attempts, submission_id)
		VALUES (?, ?, ?, ?, 1, ?)
		    ON CONFLICT (organization_id, number) DO UPDATE
		      SET completed_at = coalesce(s.completed_at, excluded.completed_at),
		       attempts = s.attempts + 1, submission_id = excluded.submission_id, error = NULL, errors = NULL`,
		sub.OrganizationID, sub.Step, now, now, sub.ID).Error
	if err != nil {
		return err
	}
	change := map[string]any{}
	after := rules.OnboardingAfter(o, sub.Step)
	if after.Completed != o.Completed {
		change["completed"] = after.Completed
	}
	if after.Status != o.Status {
		change["status"] = after.Status
	}
	if after.Begins != 0 {
		next := models.OnboardingStepRecord{OrganizationID: sub.OrganizationID, Number: after.Begins, StartedAt: now}
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&next).Error; err != nil {
			return err
		}
	}
	if after.Status == models.OnboardingCompleted && o.Status != models.OnboardingCompleted {
		change["next_check_at"] = nil
		if err := registrations.ResumeAfterOnboarding(tx, sub.Scope()); err != nil {
			return err
		}
	}
	return changeOnboarding(tx, sub.Scope(), change)
}

func (s *Store) createDraftedClient(tx *gorm.DB, sub models.StepSubmission) error {
	d := sub.Organization
	internal := false
	o := &models.Organization{
		ID: sub.OrganizationID, ExternalID: d.ExternalID, Name: &d.Name,
		Source: &d.Source, Promo: d.Promo, Status: models.OrganizationActive,
		IsTest: d.IsTest, BillingPlan: "FREE", DisableEmails: d.DisableEmails,
		EmailGroup: d.EmailGroup, InternalUse: &internal,
		OnboardingStatus: models.OnboardingInProgress,
	}
	return s.createClient(tx, models.Scope{OrganizationID: d.ParentID}, sub.Actor(), o)
}

func createDraftedKey(tx *gorm.DB, sub models.StepSubmission) error {
	d, own := sub.APIKey, true
	if sub.Granted {
		// The key of the step is the client's own, also where the step is repeated because its first key got lost.
		err := tx.Raw(`
			SELECT NOT EXISTS (
			  SELECT FROM makers m JOIN api_keys k ON k.organization_id = m.organization_id AND k.id = m.id
			   WHERE m.organization_id = ? AND m.kind = 'api_key' AND m.own AND k.last_used_at IS NOT NULL)`,
			sub.OrganizationID).Scan(&own).Error
		if err != nil {
			return err
		}
	}
	return addAPIKey(tx, sub.Actor(), &models.APIKey{
		OrganizationID: sub.OrganizationID, ID: d.ID, Name: d.Name, Hash: d.Hash, Prefix: d.Prefix, Last4: d.Last4,
		Metadata: d.Metadata, ExpiresAt: d.ExpiresAt, Scopes: d.Scopes, AllowedAddresses: d.AllowedAddresses,
		Own: own, Granted: !own,
	})
}

// NoteStepError stores why the work after a step failed. A repetition changes nothing.
func (s *Store) NoteStepError(ctx context.Context, scope models.Scope, step int, reason string) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		saved := tx.Model(&models.OnboardingStepRecord{}).
			Where("organization_id = ? AND number = ? AND error IS DISTINCT FROM ?", scope.OrganizationID, step, reason).
			Update("error", reason)
		if saved.Error != nil || saved.RowsAffected == 0 {
			return saved.Error
		}
		return changeOnboarding(tx, scope, map[string]any{})
	})
}

// NoteRefusal stores the faults of a refused call of a step, and counts it apart from accepted ones.
// It does so only while the onboarding is in progress and has reached the step.
func (s *Store) NoteRefusal(
	ctx context.Context, scope models.Scope, step int, summary string, faults []models.StepFault,
) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		o, err := lockOnboarding(tx, scope)
		if err != nil {
			return err
		}
		if o.Next() == 0 { // no step is accepted any more
			return nil
		}
		saved := tx.Exec(
			"UPDATE onboarding_steps SET refused = refused + 1, error = ?, errors = ? WHERE organization_id = ? AND number = ?",
			summary, pg.JSON(faults), scope.OrganizationID, step,
		)
		if saved.Error != nil || saved.RowsAffected == 0 {
			return saved.Error
		}
		return changeOnboarding(tx, scope, map[string]any{})
	})
}
