package pg

import (
	"context"
	"reflect"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

	"levy/models"
)

// Record selects the record of an organization with the id.
func Record(tx *gorm.DB, scope models.Scope, id string) *gorm.DB {
	return tx.Where("organization_id = ? AND id = ?", scope.OrganizationID, id)
}

// LockedRecord is Record with a lock against other changes, but not against new references to the record.
func LockedRecord(tx *gorm.DB, scope models.Scope, id string) *gorm.DB {
	return Record(tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}), scope, id)
}

// Change is a change of a record.
type Change[T any] struct {
	Columns []string       // the columns that may change; the time of the change is added
	Alter   func(*T) error // changes the record in memory
	// AfterWrite is called once the record is written, with the changed fields (see Changed).
	AfterWrite func(tx *gorm.DB, record *T, fields map[string]any) error
}

// Update changes a record of an organization in one database transaction. The second of two concurrent changes sees the
// first. Errors: models.ErrNotFound, and those of the change.
func Update[T any](ctx context.Context, db *DB, scope models.Scope, id string, change Change[T]) (record T, err error) {
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
		if err := change.Alter(&record); err != nil {
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
		err = Record(tx, scope, id).Model(new(T)).Select(append(change.Columns, "updated_at")).UpdateColumns(&sealed).Error
		if err != nil {
			return err
		}
		return change.AfterWrite(tx, &record, fields)
	})
	return record, err
}

// OneOf restricts q by a condition that ends in "IN ?". Without values it does not restrict q.
func OneOf[T any](q *gorm.DB, condition string, values []T) *gorm.DB {
	if len(values) == 0 {
		return q
	}
	return q.Where(condition, values)
}
