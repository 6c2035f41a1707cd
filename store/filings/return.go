package filings

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// changeFiling is UpdateFiling for the workflow. It ignores a change that no longer applies (rules.ErrFilingStays).
func (s *Store) changeFiling(
	ctx context.Context, scope models.Scope, id string, change func(*models.Filing) error,
) error {
	_, err := s.UpdateFiling(ctx, scope, models.Actor{}, id, change)
	if errors.Is(err, rules.ErrFilingStays) {
		return nil
	}
	return err
}

// AutoApproveFiling approves a filing whose time for the automatic approval has come. The settings of the organization
// may have changed since the workflow read them: then it does not approve. Errors: models.ErrChangedMeanwhile,
// and those of models.Filing.Approve.
func (s *Store) AutoApproveFiling(
	ctx context.Context, scope models.Scope, id string, now time.Time, policy rules.FilingPolicy,
) error {
	return s.changeFiling(ctx, scope, id, func(f *models.Filing) error {
		w, err := scanWatch(s.db.QueryRow(ctx, selectWatch, scope.OrganizationID, id))
		if err != nil {
			return err
		}
		return rules.AutoApproveFiling(f, w, now, policy)
	})
}

// TransitionFiling changes the status as staff requested. Errors: *models.TransitionError and those of UpdateFiling.
func (s *Store) TransitionFiling(
	ctx context.Context, scope models.Scope, id string, change models.FilingTransition,
) (models.FilingStatus, error) {
	who := change.Actor
	if who == (models.Actor{}) {
		who = models.Actor{Staff: cmp.Or(change.By, models.UnnamedStaff)}
	}
	changed, err := s.UpdateFiling(ctx, scope, who, id, func(f *models.Filing) error {
		return rules.TransitionFiling(f, change, s.db.Now())
	})
	return changed.Status, err
}

// SettleFiling writes the decision of the authority about an attempt: FILED with its confirmations, or ISSUE with its
// reason. It does not change an attempt that is over.
func (s *Store) SettleFiling(
	ctx context.Context, scope models.Scope, attempt models.Attempt, answer models.AuthorityAnswer, now time.Time,
) error {
	return s.changeFiling(ctx, scope, attempt.RecordID, func(f *models.Filing) error {
		return rules.ApplyAuthorityAnswer(f, attempt.Number, answer, now)
	})
}

// SubmissionOfFiling returns the submission for the authority. Errors: models.ErrNotFound; models.ErrChangedMeanwhile
// if that attempt is over.
func (s *Store) SubmissionOfFiling(
	ctx context.Context, scope models.Scope, attempt models.Attempt,
) (models.AuthoritySubmission, error) {
	f, err := s.Filing(ctx, scope, attempt.RecordID)
	if err != nil {
		return models.AuthoritySubmission{}, err
	}
	if !f.UnderWay(attempt.Number) {
		return models.AuthoritySubmission{}, models.ErrChangedMeanwhile
	}
	submission, err := f.Submission()
	if err != nil {
		return submission, err
	}
	document, err := s.DocumentOfAttempt(ctx, scope, attempt)
	switch {
	case err == nil:
		submission.Document = &document
	case !errors.Is(err, models.ErrNotFound):
		return submission, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := s.db.Exec(ctx, LongWork); err != nil {
			return err
		}
		r, err := openReport(ctx, s.db, s.db, scope, attempt.RecordID)
		if err != nil {
			return err
		}
		for _, j := range r.head.Jurisdictions {
			submission.Return.Jurisdictions = append(submission.Return.Jurisdictions, models.TaxReturnLine{
				Type: j.Type, Name: j.Name, Code: j.Code, Taxable: j.TaxableAmount, Tax: j.TaxAmount,
			})
		}
		submission.Test, err = s.IsTestOrganization(ctx, scope)
		return err
	})
	return submission, err
}

// IsTestOrganization reports whether an organization is for tests. Errors: models.ErrNotFound.
func (s *Store) IsTestOrganization(ctx context.Context, scope models.Scope) (test bool, err error) {
	err = s.db.QueryRow(ctx, "SELECT is_test FROM organizations WHERE id = $1", scope.OrganizationID).Scan(&test)
	return test, pg.Translate(err)
}

// AuthorityOfFiling reads whose return a filing is, and to whom. Errors: models.ErrNotFound.
func (s *Store) AuthorityOfFiling(ctx context.Context, scope models.Scope, id string) (to models.ReturnOwner, err error) {
	err = s.db.QueryRow(ctx, `SELECT f.country_code, f.state_code, o.is_test
		FROM filings f JOIN organizations o ON o.id = f.organization_id WHERE f.organization_id = $1 AND f.id = $2`,
		scope.OrganizationID, id).Scan(&to.Country, &to.State, &to.Test)
	return to, pg.Translate(err)
}

// LockFiling closes a FILED filing, whose report is sealed: its transactions become LOCKED. A repetition changes
// nothing.
func (s *Store) LockFiling(ctx context.Context, scope models.Scope, id string) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		batch := &pgx.Batch{}
		batch.Queue(lockRegistrationOf, scope.OrganizationID, id)
		batch.Queue(LongWork)
		batch.Queue(
			moveReturnLines, scope.OrganizationID, id, string(models.ProcessingFilingDone),
			string(models.ProcessingLocked),
		)
		batch.Queue(`UPDATE filings
			SET locked_at = now(), next_check_at = now()
			WHERE organization_id = $1 AND id = $2 AND status = 'FILED' AND locked_at IS NULL`,
			scope.OrganizationID, id)
		if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		return failpoint.Hit("before_lock_commit")
	})
	if err == nil {
		err = failpoint.Hit("after_lock_commit")
	}
	return err
}
