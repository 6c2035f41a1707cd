package store

import (
	"gorm.io/gorm"

	"levy/models"
)

// followRegistration brings what depends on the status of a registration in line with
// it: the nexus record of its jurisdiction and, for the one-stop shop, the settings.
func followRegistration(tx *gorm.DB, r models.Registration) error {
	if err := followNexus(tx, r); err != nil {
		return err
	}
	if r.RegistrationImportType != models.ImportOSS {
		return nil
	}
	scheme := r.OSSType
	if r.Status.Over() {
		scheme = nil
	}
	return tx.Model(&models.OrganizationSettings{}).Where("organization_id = ?", r.OrganizationID).
		Updates(map[string]any{"oss_scheme": scheme, "updated_at": tx.NowFunc()}).Error
}

// followNexus moves the nexus record of a jurisdiction with its registration. Once
// that is over the record is what it is without one; its evaluation says more.
func followNexus(tx *gorm.DB, r models.Registration) error {
	to := "PENDING_REGISTRATION"
	switch {
	case r.Status.Collects():
		to = "REGISTERED"
	case r.Status.Over():
		to = ""
	}
	err := tx.Exec(`
		UPDATE nexus_records n SET status = t.status, updated_at = ?
		  FROM nexus_records o
		 CROSS JOIN LATERAL (SELECT coalesce(nullif(?, ''), CASE WHEN o.nexus_met THEN 'EXPOSED' ELSE 'NOT_EXPOSED' END) AS status) t
		 WHERE o.organization_id = ? AND o.country_code = ? AND o.state_code = ?
		   AND n.organization_id = o.organization_id AND n.id = o.id AND n.status <> t.status`,
		tx.NowFunc(), to, r.OrganizationID, r.CountryCode, r.StateCode).Error
	if err != nil {
		return err
	}
	return nexusChanged(tx, r.OrganizationID, r.CountryCode, r.StateCode)
}
