package registrations

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// The workflow may repeat all its writes. They skip a registration that another caller has changed since: its status or
// attempt differs from those that the workflow read.

// changeAttempt calls change with a registration if it still has the attempt and one of the statuses.
// Otherwise it changes nothing. It notifies the workflow only of another status, because the workflow requested the
// change.
func (s *Store) changeAttempt(
	ctx context.Context, scope models.Scope, attempt models.Attempt, from []models.RegistrationStatus,
	change func(tx *gorm.DB, r *models.Registration) error,
) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		r, err := lockRegistration(tx, scope, attempt.RecordID)
		if err != nil || r.Attempt != attempt.Number || !slices.Contains(from, r.Status) {
			return err
		}
		before := r
		if err := change(tx, &r); err != nil || r.SameStatusAs(before) {
			return err
		}
		r.Changed = before.Changed || r.Status != before.Status
		return saveRegistration(tx, scope, models.Actor{}, before, &r)
	})
}

// ProceedWithRegistration sets an UNREGISTERED registration to PROCESSING, once its organization is onboarded.
func (s *Store) ProceedWithRegistration(ctx context.Context, scope models.Scope, id string, now time.Time) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		r, err := lockRegistration(tx, scope, id)
		if err != nil || r.Status != models.RegistrationUnregistered {
			return err
		}
		before := r
		r.Enter(models.RegistrationProcessing, now)
		r.Changed = true
		return saveRegistration(tx, scope, models.Actor{}, before, &r)
	})
}

// SubmissionOfRegistration returns the submission for the authority. Errors: models.ErrNotFound, and
// models.ErrChangedMeanwhile if that attempt is over.
func (s *Store) SubmissionOfRegistration(
	ctx context.Context, scope models.Scope, attempt models.Attempt,
) (models.AuthoritySubmission, error) {
	r, err := s.Registration(ctx, scope, attempt.RecordID)
	if err != nil {
		return models.AuthoritySubmission{}, err
	}
	kind := r.SubmissionKind()
	if r.Attempt != attempt.Number || kind == "" {
		return models.AuthoritySubmission{}, models.ErrChangedMeanwhile
	}
	var o models.Organization
	if err := s.db.GORM(ctx).First(&o, "id = ?", scope.OrganizationID).Error; err != nil {
		return models.AuthoritySubmission{}, pg.Translate(err)
	}
	submission := models.AuthoritySubmission{
		Key:  models.AuthorityKey{OrganizationID: scope.OrganizationID, Kind: kind, RecordID: r.ID, Attempt: r.Attempt},
		Test: o.IsTest, Country: r.CountryCode, State: r.StateCode,
	}
	if r.Comment != nil {
		submission.Notes = *r.Comment
	}
	return submission, nil
}

// HandOverRegistration records the adapter that took an attempt: PROCESSING becomes VALIDATING.
func (s *Store) HandOverRegistration(
	ctx context.Context, scope models.Scope, attempt models.Attempt, authority string, now time.Time,
) error {
	underway := []models.RegistrationStatus{models.RegistrationProcessing, models.RegistrationDeregistering}
	return s.changeAttempt(ctx, scope, attempt, underway, func(_ *gorm.DB, r *models.Registration) error {
		r.HandOver(authority, now)
		return nil
	})
}

// NoteRegistrationContact records since when the authority does not answer for an attempt, or that it answers again.
// Usually nothing changes.
func (s *Store) NoteRegistrationContact(ctx context.Context, scope models.Scope, attempt models.Attempt, answered bool) error {
	_, err := s.db.Exec(ctx, `
		UPDATE registrations SET unanswered_since = CASE WHEN NOT $4 THEN now() END
		 WHERE organization_id = $1 AND id = $2 AND attempt = $3 AND (unanswered_since IS NOT NULL) = $4`,
		scope.OrganizationID, attempt.RecordID, attempt.Number, answered)
	return pg.Translate(err)
}

// SettleRegistration writes the decision of the authority about an attempt.
func (s *Store) SettleRegistration(
	ctx context.Context, scope models.Scope, attempt models.Attempt, answer models.AuthorityAnswer, now time.Time,
) error {
	underway := []models.RegistrationStatus{
		models.RegistrationProcessing, models.RegistrationValidating, models.RegistrationDeregistering,
	}
	return s.changeAttempt(ctx, scope, attempt, underway, func(_ *gorm.DB, r *models.Registration) error {
		r.Decide(answer, now)
		return nil
	})
}

// CloseRegistration sets a DEREGISTERING registration to DEREGISTERED if all its filings are over. Otherwise it changes
// nothing.
func (s *Store) CloseRegistration(
	ctx context.Context, scope models.Scope, attempt models.Attempt, now time.Time,
) error {
	underway := []models.RegistrationStatus{models.RegistrationDeregistering}
	return s.changeAttempt(ctx, scope, attempt, underway, func(tx *gorm.DB, r *models.Registration) error {
		facts, err := registrationFacts(tx, scope, r.ID)
		if err == nil && facts.OpenFilings == 0 {
			r.Enter(models.RegistrationDeregistered, now)
		}
		return err
	})
}
