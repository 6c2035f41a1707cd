package pg

import (
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
)

// Record is the record of an organization that has the id.
func Record(tx *gorm.DB, scope models.Scope, id string) *gorm.DB {
	return tx.Where("organization_id = ? AND id = ?", scope.OrganizationID, id)
}

// LockedRecord is Record, locked against other changes of it, but not against new references to it.
func LockedRecord(tx *gorm.DB, scope models.Scope, id string) *gorm.DB {
	return Record(tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}), scope, id)
}

// OneOf restricts q by a condition that ends in "IN ?", unless there are no values: then the client
// asked for all.
func OneOf[T any](q *gorm.DB, condition string, values []T) *gorm.DB {
	if len(values) == 0 {
		return q
	}
	return q.Where(condition, values)
}
