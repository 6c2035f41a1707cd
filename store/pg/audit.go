package pg

import (
	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"levy/models"
)

// Audit writes who changed which record, in the database transaction of the change.
func Audit(tx *gorm.DB, scope models.Scope, actor models.Actor, action, entityType, entityID string) error {
	return tx.Create(&models.AuditEntry{
		OrganizationID: scope.OrganizationID,
		ID:             models.NewID(models.PrefixAudit),
		At:             tx.NowFunc(),
		APIKeyID:       Optional(actor.APIKeyID),
		RequestID:      Optional(actor.RequestID),
		Action:         action,
		EntityType:     entityType,
		EntityID:       entityID,
	}).Error
}

// auditRecord leaves the time to the database.
var auditRecord = MappingOf[models.AuditEntry]().Without("at")

var insertAudit = auditRecord.Insert()

// QueueAudit writes any number of entries in one statement of the batch.
func QueueAudit(batch *pgx.Batch, entries ...*models.AuditEntry) {
	Queue(batch, insertAudit, auditRecord.Created, entries)
}
