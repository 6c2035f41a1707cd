package nexus

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// RecordNexusJurisdictions keeps where organizations can have nexus by the content
// in force: new organizations get their records from it. It may be repeated at will.
func (s *Store) RecordNexusJurisdictions(ctx context.Context, all []models.NexusJurisdiction) error {
	if len(all) == 0 {
		return nil
	}
	err := s.db.GORM(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&all).Error
	return pg.Translate(err)
}

// organizationsWithoutNexus are those that lack a record of some jurisdiction.
const organizationsWithoutNexus = `
	SELECT s.* FROM organizations o JOIN organization_settings s ON s.organization_id = o.id
	 WHERE o.id > ? AND o.status = 'ACTIVE' AND EXISTS (
	   SELECT FROM nexus_jurisdictions j WHERE NOT EXISTS (
	     SELECT FROM nexus_records r WHERE r.organization_id = o.id AND r.country_code = j.country_code
	       AND r.state_code = j.state_code))
	 ORDER BY o.id LIMIT ?`

// ensurePage bounds the organizations of one step.
const ensurePage = 50

// EnsureNexusRecords gives organizations the records that they lack, a bounded
// number of organizations behind after in the order of their ids: those that were
// here before their jurisdictions. next is where to go on, empty when all have theirs.
// It crosses organizations, and may be repeated at will.
func (s *Store) EnsureNexusRecords(ctx context.Context, after string) (created int, next string, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		var lacking []models.OrganizationSettings
		err := tx.Raw(organizationsWithoutNexus, after, ensurePage).Find(&lacking).Error
		if err != nil {
			return err
		}
		if len(lacking) == ensurePage {
			next = lacking[len(lacking)-1].OrganizationID
		}
		created, err = Begin(tx, 0, lacking...)
		return err
	})
	return created, next, err
}

// EnableRecords follows a change of the enabled jurisdictions.
func EnableRecords(tx *gorm.DB, settings *models.OrganizationSettings) error {
	var records []models.NexusRecord
	err := tx.Table("nexus_records r").Select("id", "country_code", "state_code", "enabled").
		Where("organization_id = ?", settings.OrganizationID).
		Order(RecordOrder("r")).Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Find(&records).Error
	if err != nil {
		return err
	}
	changed := map[bool][]string{}
	for _, r := range records {
		if enabled := settings.Enables(r.CountryCode, r.StateCode); enabled != r.Enabled {
			changed[enabled] = append(changed[enabled], r.ID)
		}
	}
	for enabled, ids := range changed {
		err := tx.Model(&models.NexusRecord{}).Where("organization_id = ? AND id IN ?", settings.OrganizationID, ids).
			Updates(map[string]any{"enabled": enabled, "updated_at": tx.NowFunc()}).Error
		if err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return MarkAllChanged(tx, settings.OrganizationID)
}
