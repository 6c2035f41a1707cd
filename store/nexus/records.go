package nexus

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// RecordNexusJurisdictions stores where organizations can have nexus by the current content. New organizations get
// their records from it. It may be repeated.
func (s *Store) RecordNexusJurisdictions(ctx context.Context, all []models.NexusJurisdiction) error {
	if len(all) == 0 {
		return nil
	}
	err := s.db.GORM(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&all).Error
	return pg.Translate(err)
}

// organizationsWithoutNexus selects the organizations that lack a record of a jurisdiction.
const organizationsWithoutNexus = `
	SELECT s.* FROM organizations o JOIN organization_settings s ON s.organization_id = o.id
	 WHERE o.id > ? AND o.status = 'ACTIVE' AND EXISTS (
	   SELECT FROM nexus_jurisdictions j WHERE NOT EXISTS (
	     SELECT FROM nexus_records r WHERE r.organization_id = o.id AND r.country_code = j.country_code
	       AND r.state_code = j.state_code))
	 ORDER BY o.id LIMIT ?`

// ensurePage is the most organizations of one step.
const ensurePage = 50

// EnsureNexusRecords creates missing records of organizations that are older than their jurisdictions.
// It takes a limited number of organizations after the id after. next is the last id, or "" if no organization lacks
// records. It crosses organizations and may be repeated.
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

// EnableRecords enables and disables records after a change of the enabled jurisdictions.
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
