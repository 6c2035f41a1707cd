package pg

import (
	"gorm.io/gorm"

	"levy/models"
)

// Quotas are what a partner may take up.
func (db *DB) Quotas() models.Quotas { return db.quotas }

// CheckStorage refuses what the database transaction has stored for an organization when its partner has more than
// its quota now. Triggers have counted it on the partner's row, for which others that store wait until the end of the
// database transaction: two that come at the same moment see each other. Errors: *models.LimitError.
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

// StoredBytes is how many bytes the partner of an organization stores with all its clients.
func StoredBytes(tx *gorm.DB, scope models.Scope) (bytes int64, err error) {
	err = tx.Raw(`
		SELECT coalesce(sum(s.bytes), 0) FROM organizations o
		  JOIN partner_storage s ON s.organization_id = coalesce(o.parent_organization_id, o.id) WHERE o.id = ?`,
		scope.OrganizationID).Scan(&bytes).Error
	return bytes, err
}
