package pg

import (
	"gorm.io/gorm"

	"levy/models"
)

// Quotas returns the limits of a partner and of an organization.
func (db *DB) Quotas() models.Quotas { return db.quotas }

// CheckStorage returns an error if an organization, or its partner, stores more than its quota after the changes of this
// database transaction. Triggers have counted these changes on the rows of both. Other transactions wait for these
// rows, so two concurrent ones see each other's changes. If both quotas are exceeded, the partner's is named: it stays
// exceeded when the organization frees its own part. Errors: *models.LimitError.
func (db *DB) CheckStorage(tx *gorm.DB, scope models.Scope) error {
	stored, err := db.Stored(tx, scope)
	if err != nil {
		return err
	}
	// guard: quotas: a partner stores no more than it may
	if stored.Partner > db.quotas.Storage {
		return &models.LimitError{What: models.LimitStorage, Limit: int(db.quotas.Storage)}
	}
	// guard: quotas: an organization stores no more than it may
	if stored.Own > stored.Most {
		return &models.LimitError{What: models.LimitOwnStorage, Limit: int(stored.Most)}
	}
	return nil
}

// Stored returns how many bytes an organization, and its partner with all its clients, stores and may store. An
// organization without a quota of its own has that of the installation. A root organization stores for its clients, too,
// and may use the whole quota of the partner.
func (db *DB) Stored(tx *gorm.DB, scope models.Scope) (stored models.Stored, err error) {
	err = tx.Raw(`
		SELECT coalesce(w.bytes, 0) AS own, w.most IS NULL AS by_default, coalesce(p.bytes, 0) AS partner,
		       coalesce(w.most, CASE WHEN o.parent_organization_id IS NULL THEN ?::bigint ELSE ? END) AS most
		  FROM organizations o
		  LEFT JOIN organization_storage w ON w.organization_id = o.id
		  LEFT JOIN partner_storage p ON p.organization_id = coalesce(o.parent_organization_id, o.id)
		 WHERE o.id = ?`, db.quotas.Storage, db.quotas.OwnStorage, scope.OrganizationID).Scan(&stored).Error
	stored.MostOfPartner = db.quotas.Storage
	return stored, err
}
