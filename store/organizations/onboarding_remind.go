package organizations

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// RemindOnboarding reminds a client of its onboarding in progress, and returns the onboarding. Within
// models.ReminderPause after a reminder it does nothing. The timer counts only its own reminders. Errors:
// models.ErrNotFound, *models.OnboardingInactiveError.
func (s *Store) RemindOnboarding(
	ctx context.Context, scope models.Scope, actor models.Actor,
) (models.Onboarding, error) {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		o, err := lockOnboarding(tx, scope)
		if err != nil {
			return err
		}
		if o.Status != models.OnboardingInProgress {
			return &models.OnboardingInactiveError{Status: o.Status}
		}
		var found struct {
			Recent bool
			Stale  bool // as in CheckProgress
		}
		err = tx.Raw(`
			SELECT coalesce(b.reminded_at > now() - ? * interval '1 second', false) AS recent,
			       b.reminded_at IS NULL OR b.reminded_at < coalesce(p.at, b.created_at) AS stale
			  FROM onboardings b LEFT JOIN LATERAL (`+lastProgress+`) p ON true WHERE b.organization_id = ?`,
			int(models.ReminderPause.Seconds()), scope.OrganizationID).Take(&found).Error
		if err != nil || found.Recent {
			return err
		}
		change := map[string]any{"reminded_at": tx.NowFunc()}
		if found.Stale { // reminders of the timer before the last progress no longer count
			change["reminders"] = 0
		}
		if err := pg.Audit(tx, actor.Entry(scope, models.AuditRemind, "onboarding", o.OrganizationID)); err != nil {
			return err
		}
		return changeOnboarding(tx, scope, change)
	})
	if err != nil {
		return models.Onboarding{}, pg.Translate(err)
	}
	return s.Onboarding(ctx, scope)
}
