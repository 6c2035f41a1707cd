package organizations

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// CheckPause is the pause between two checks of an onboarding by the sweeper while it waits for steps.
// checkPauseUndo is that while steps are to be undone.
const (
	CheckPause     = 10 * time.Minute
	checkPauseUndo = 20 * time.Second
)

// onboardingRow is an onboarding with columns of other tables.
type onboardingRow struct {
	models.Onboarding
	ProgressAt       time.Time
	OrganizationName *string
	Root, Unlimited  bool
}

func (r *onboardingRow) onboarding() models.Onboarding {
	o := r.Onboarding
	o.ProgressAt, o.OrganizationName, o.Root, o.Unlimited = r.ProgressAt, r.OrganizationName, r.Root, r.Unlimited
	return o
}

// Onboarding returns the onboarding of an organization. Errors: models.ErrNotFound.
func (s *Store) Onboarding(ctx context.Context, scope models.Scope) (models.Onboarding, error) {
	var row onboardingRow
	err := s.db.GORM(ctx).Raw(`
		SELECT b.*, coalesce(p.at, b.created_at) AS progress_at, o.parent_organization_id IS NULL AS root,
		       o.name AS organization_name, s.disable_onboarding AS unlimited
		  FROM onboardings b
		  JOIN organizations o ON o.id = b.organization_id
		  JOIN organization_settings s ON s.organization_id = b.organization_id
		  LEFT JOIN LATERAL (`+lastProgress+`) p ON true
		 WHERE b.organization_id = ?`, scope.OrganizationID).Take(&row).Error
	if err != nil {
		return models.Onboarding{}, pg.Translate(err)
	}
	o := row.onboarding()
	err = s.db.OpenTables().GORM(ctx).Where("organization_id = ?", scope.OrganizationID).
		Order("number").Find(&o.Steps).Error
	return o, pg.Translate(err)
}

// lastProgress is the time of the last accepted write of an organization b. Writes of keys, people and links are in the
// audit trail, whose ids ascend with time. Reads and reminders are no progress.
const lastProgress = `
	SELECT a.at FROM audit a
	 WHERE a.organization_id = b.organization_id AND (a.api_key_id IS NOT NULL OR a.user_id IS NOT NULL)
	   AND a.action NOT IN ('remind', 'read', 'export')
	 ORDER BY a.id DESC LIMIT 1`

// createOnboarding writes the empty details of a new organization and its onboarding, with the first steps as done.
func createOnboarding(tx *gorm.DB, o *models.Organization, done int) error {
	now := o.CreatedAt
	details := models.OrganizationDetails{
		OrganizationID: o.ID, ID: models.NewID(models.PrefixDetails),
		AddressStatus: "BLANK", Revision: 1, CreatedAt: now, UpdatedAt: now,
	}
	if err := tx.Create(&details).Error; err != nil {
		return err
	}
	onboarding := models.Onboarding{
		OrganizationID: o.ID, Status: o.OnboardingStatus, Completed: done, Version: 1, CreatedAt: now,
		UpdatedAt: now,
	}
	if o.ParentOrganizationID != nil {
		check := now.Add(CheckPause)
		onboarding.NextCheckAt = &check
	}
	if err := tx.Omit(clause.Associations).Create(&onboarding).Error; err != nil {
		return err
	}
	steps := make([]models.OnboardingStepRecord, 0, done+1)
	for number := models.StepOrganization; number <= done; number++ {
		steps = append(steps, models.OnboardingStepRecord{
			OrganizationID: o.ID, Number: number, StartedAt: now, CompletedAt: &now, Attempts: 1,
		})
	}
	steps = append(steps, models.OnboardingStepRecord{OrganizationID: o.ID, Number: done + 1, StartedAt: now})
	return tx.Create(&steps).Error
}

// lockOnboarding locks and reads an onboarding. Every change of an onboarding calls it, so changes run one after the
// other.
func lockOnboarding(tx *gorm.DB, scope models.Scope) (models.Onboarding, error) {
	var o models.Onboarding
	err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Where("organization_id = ?",
		scope.OrganizationID).Take(&o).Error
	return o, err
}

// changeOnboarding writes a change and raises the version. It also writes a status to the organization.
func changeOnboarding(tx *gorm.DB, scope models.Scope, change map[string]any) error {
	change["version"], change["updated_at"] = gorm.Expr("version + 1"), tx.NowFunc()
	err := tx.Model(&models.Onboarding{}).Where("organization_id = ?", scope.OrganizationID).Updates(change).Error
	status, changed := change["status"]
	if err != nil || !changed {
		return err
	}
	return tx.Model(&models.Organization{}).Where("id = ?", scope.OrganizationID).
		Updates(map[string]any{"onboarding_status": status, "updated_at": tx.NowFunc()}).Error
}
