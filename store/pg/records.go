package pg

import (
	"context"
	"reflect"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

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

// Update reads a record of an organization, lets change alter it, writes the columns and the time of the change, and
// hands the names of what differs to changed, all in one database transaction: of two changes at once the second sees
// the first. Errors: models.ErrNotFound, and those of change and changed.
func Update[T any](
	ctx context.Context, db *DB, scope models.Scope, id string, columns []string, change func(*T) error,
	changed func(tx *gorm.DB, record *T, fields map[string]any) error,
) (record T, err error) {
	err = db.InTx(ctx, func(ctx context.Context) error {
		tx := db.GORM(ctx)
		if err := LockedRecord(tx, scope, id).Take(&record).Error; err != nil {
			return err
		}
		if ids, ok := any(&record).(models.TaxIDs); ok {
			if err := db.OpenTaxIDs(ctx, scope.OrganizationID, ids); err != nil {
				return err
			}
		}
		before := record
		if err := change(&record); err != nil {
			return err
		}
		fields := Changed(&before, &record)
		mapped, err := schema.Parse(&record, schemas, schema.NamingStrategy{})
		if err != nil {
			return err
		}
		err = mapped.LookUpField("updated_at").Set(ctx, reflect.ValueOf(&record).Elem(), tx.NowFunc())
		if err != nil {
			return err
		}
		sealed := record
		if ids, ok := any(&sealed).(models.TaxIDs); ok {
			if err := db.SealTaxIDs(ctx, scope.OrganizationID, ids); err != nil {
				return err
			}
		}
		err = Record(tx, scope, id).Model(new(T)).Select(append(columns, "updated_at")).UpdateColumns(&sealed).Error
		if err != nil {
			return err
		}
		return changed(tx, &record, fields)
	})
	return record, err
}

// OneOf restricts q by a condition that ends in "IN ?", unless there are no values: then the client
// asked for all.
func OneOf[T any](q *gorm.DB, condition string, values []T) *gorm.DB {
	if len(values) == 0 {
		return q
	}
	return q.Where(condition, values)
}
