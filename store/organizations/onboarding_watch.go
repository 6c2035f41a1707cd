package organizations

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// CheckProgress checks whether an onboarding is due for a reminder or has expired, by the clock of the database,
// and writes the result. An immediate repetition changes nothing. Errors: models.ErrNotFound.
func (s *Store) CheckProgress(
	ctx context.Context, scope models.Scope, rules models.OnboardingRules,
) (models.ProgressCheck, error) {
	var check models.ProgressCheck
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		o, err := lockOnboarding(tx, scope)
		if err != nil {
			return err
		}
		var found struct {
			Idle            int64 // microseconds
			Stale           bool  // the last reminder is older than the last progress
			Root, Unlimited bool
		}
		err = tx.Raw(`
			SELECT (extract(epoch FROM now() - coalesce(p.at, b.created_at)) * 1000000)::bigint AS idle,
			       b.reminded_at IS NULL OR b.reminded_at < coalesce(p.at, b.created_at) AS stale,
			       o.parent_organization_id IS NULL AS root, s.disable_onboarding AS unlimited
			  FROM onboardings b
			  JOIN organizations o ON o.id = b.organization_id
			  JOIN organization_settings s ON s.organization_id = b.organization_id
			  LEFT JOIN LATERAL (`+lastProgress+`) p ON true
			 WHERE b.organization_id = ?`, scope.OrganizationID).Take(&found).Error
		if err != nil {
			return err
		}
		o.Root, o.Unlimited = found.Root, found.Unlimited
		if found.Stale {
			o.Reminders = 0
		}
		check, err = checkProgress(tx, o, time.Duration(found.Idle)*time.Microsecond, rules)
		return err
	})
	return check, err
}

// unlimitedPause is the time between two checks of an onboarding that does not expire at present.
const unlimitedPause = 24 * time.Hour

func checkProgress(
	tx *gorm.DB, o models.Onboarding, idle time.Duration, rules models.OnboardingRules,
) (models.ProgressCheck, error) {
	scope := models.Scope{OrganizationID: o.OrganizationID}
	check := models.ProgressCheck{
		Status: o.Status, Completed: o.Completed, Reminders: o.Reminders, Next: unlimitedPause,
	}
	if !o.Expires() {
		return check, nil
	}
	if idle >= rules.Expiry {
		ended, err := endOnboarding(tx, scope, models.OnboardingEnd{
			Status: models.OnboardingExpired, Reason: "There was no progress for too long.",
		})
		check.Status = ended.Status
		return check, err
	}
	due := 0
	check.Next = rules.Expiry - idle
	if len(rules.Reminders) > 0 { // so progress right after this check is noticed in time
		check.Next = min(check.Next, rules.Reminders[0])
	}
	for _, after := range rules.Reminders {
		if after > idle {
			check.Next = min(check.Next, after-idle)
			break
		}
		due++
	}
	if due <= o.Reminders {
		return check, nil
	}
	check.Reminders = due
	if err := pg.Audit(tx, models.Actor{}.Entry(scope, models.AuditRemind, "onboarding", o.OrganizationID)); err != nil {
		return check, err
	}
	return check, changeOnboarding(tx, scope, map[string]any{"reminders": due, "reminded_at": tx.NowFunc()})
}

// LeaseOnboardings takes up to limit due onboardings and postpones their next check: the commit is the lease.
// It is one of the few queries across organizations.
func (s *Store) LeaseOnboardings(ctx context.Context, limit int) ([]models.Onboarding, error) {
	if due, err := s.db.Exists(ctx, "onboardings WHERE next_check_at <= now()"); err != nil || !due {
		return nil, err
	}
	rows, err := s.db.Query(ctx, `
		WITH due AS (
		  SELECT organization_id FROM onboardings
		   WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $1
		         /* guard: onboarding: a lease skips what another sweeper holds */ FOR UPDATE SKIP LOCKED)
		UPDATE onboardings b SET next_check_at = now() + CASE WHEN b.status = 'IN_PROGRESS' THEN $2::interval
		       ELSE $3::interval END
		  FROM due WHERE b.organization_id = due.organization_id
		RETURNING b.organization_id, b.status, b.completed`, limit, CheckPause, checkPauseUndo)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (models.Onboarding, error) {
		var o models.Onboarding
		err := row.Scan(&o.OrganizationID, &o.Status, &o.Completed)
		return o, err
	})
}
