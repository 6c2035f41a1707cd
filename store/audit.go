package store

import (
	"gorm.io/gorm"

	"levy/models"
)

// audit writes who changed which record, in the database transaction of the change.
func audit(tx *gorm.DB, scope models.Scope, actor models.Actor, action, entityType, entityID string) error {
	return tx.Create(&models.AuditEntry{
		OrganizationID: scope.OrganizationID,
		ID:             models.NewID(models.PrefixAudit),
		At:             tx.NowFunc(),
		APIKeyID:       known(actor.APIKeyID),
		RequestID:      known(actor.RequestID),
		Action:         action,
		EntityType:     entityType,
		EntityID:       entityID,
	}).Error
}

// known is nil for an empty text.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
