package pg

import (
	"gorm.io/gorm"

	"levy/models"
)

// Quotas returns the limits of a partner.
func (db *DB) Quotas() models.Quotas { return db.quotas }

// CheckStorage returns an error if the partner of an organization stores more than its quota after the changes of this
// database transaction. Triggers have counted these changes on the row of the partner. Other transactions wait for that
// row, so two concurrent ones see each other's changes. Errors: *models.LimitError.
func (db *DB) CheckStorage(tx *gorm.DB, scope models.Scope) error {
	bytes, err := StoredBytes(tx, scope)
	if err != nil {
		return err
	}
	// guard: quotas: a partner stores no more than it may
	if bytes > db.quotas.Storage {
		return &models.LimitError{What: models.LimitStorage, Limit: int(db.quotas.Storage)}
	}
	return nil
}

// StoredBytes returns how many bytes the partner of an organization and all its clients store.
func StoredBytes(tx *gorm.DB, scope models.Scope) (bytes int64, err error) {
	err = tx.Raw(`
		SELECT coalesce(sum(s.bytes), 0) FROM organizations o
		  JOIN partner_storage s ON s.organization_id = coalesce(o.parent_organization_id, o.id) WHERE o.id = ?`,
		scope.OrganizationID).Scan(&bytes).Error
	return bytes, err
}
