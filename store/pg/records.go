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

// Change is how a record is changed.
type Change[T any] struct {
	Columns []string       // that may change, beside the time of the change
	Alter   func(*T) error // changes the record as it is stored
	// AfterWrite hears which fields differ (see Changed), once the record is written.
	AfterWrite func(tx *gorm.DB, record *T, fields map[string]any) error
}

// Update changes a record of an organization, all in one database transaction: of two changes at once the second sees
// the first. Errors: models.ErrNotFound, and those of the change.
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

// OneOf restricts q by a condition that ends in "IN ?", unless there are no values: then the client
// asked for all.
func OneOf[T any](q *gorm.DB, condition string, values []T) *gorm.DB {
	if len(values) == 0 {
		return q
	}
	return q.Where(condition, values)
}
