package pg

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

	"levy/models"
)

// recordKeys are the sort keys of a list of records, with the fields that have their values.
type recordKeys struct {
	SortKeys
	fields []*schema.Field // nil for a computed column, such as a rank
}

// keysOf returns the sort keys of a list of T.
func keysOf[T any](q *gorm.DB, columns Sortable, order []models.Order) (recordKeys, error) {
	var keys recordKeys
	record := gorm.Statement{DB: q}
	if err := record.Parse(new(T)); err != nil {
		return keys, err
	}
	add := func(column string, desc, nullable bool) {
		key, field := SortKey{Column: column, Desc: desc, Nullable: nullable}, record.Schema.LookUpField(column)
		if field != nil && field.IndirectFieldType == reflect.TypeFor[time.Time]() {
			key.Kind = TimeKey
		}
		keys.SortKeys, keys.fields = append(keys.SortKeys, key), append(keys.fields, field)
	}
	for _, o := range order {
		nullable, ok := columns[o.Column]
		if !ok {
			return keys, fmt.Errorf("list cannot be sorted by %q", o.Column)
		}
		add(o.Column, o.Desc, nullable)
	}
	if len(order) == 0 || order[0].Column != "id" {
		// The id has the direction of the first key, so that one index gives the whole order.
		add("id", len(order) > 0 && order[0].Desc, false)
	}
	return keys, nil
}

// clause returns the ORDER BY. present means that the first key is present in all rows or absent in all.
func (k recordKeys) clause(present bool) clause.OrderBy {
	var order clause.OrderBy
	for i, key := range k.SortKeys {
		if key.Nullable && key.Desc && (i != 0 || !present) {
			order.Columns = append(order.Columns, clause.OrderByColumn{
				Column: clause.Column{Name: key.Column + " IS NULL", Raw: true},
			})
		}
		column := clause.Column{Table: clause.CurrentTable, Name: key.Column}
		order.Columns = append(order.Columns, clause.OrderByColumn{Column: column, Desc: key.Desc})
	}
	return order
}

// placeOf returns the cursor of the last item on a page, which follows before rows. It returns nil if a sort key is
// computed.
func placeOf[T any](ctx context.Context, keys recordKeys, items []T, before, total int64) *models.Place {
	place := models.Place{Rows: before + int64(len(items)), Total: total}
	last := reflect.ValueOf(&items[len(items)-1])
	for _, field := range keys.fields {
		if field == nil {
			return nil
		}
		value := reflect.Indirect(last)
		value = field.ReflectValueOf(ctx, value)
		if value.Kind() == reflect.Pointer && value.IsNil() {
			place.Keys = append(place.Keys, nil)
			continue
		}
		value = reflect.Indirect(value)
		text := ""
		if at, ok := value.Interface().(time.Time); ok {
			text = KeyOfTime(at)
		} else {
			text = fmt.Sprint(value.Interface())
		}
		place.Keys = append(place.Keys, &text)
	}
	return &place
}

// readParts reads the first rows of a list, or those after a cursor. If the first key is nullable,
// it reads the rows with a value before the others, because no index has NULLs last in both directions.
func readParts[T any](q *gorm.DB, keys recordKeys, place []*string, limit int) (items []T, err error) {
	items = []T{}
	read := func(part *gorm.DB) {
		if err != nil || len(items) == limit {
			return
		}
		var found []T
		err = part.Clauses(keys.clause(true)).Limit(limit - len(items)).Find(&found).Error
		items = append(items, found...)
	}
	first, rest := keys.SortKeys[0], keys.SortKeys
	if !first.Nullable {
		read(after(q, rest, place))
		return items, err
	}
	if place == nil || place[0] != nil {
		read(after(q.Where(first.Column+" IS NOT NULL"), rest.Present(), place))
		place = nil
	}
	if place != nil {
		place = place[1:]
	}
	read(after(q.Where(first.Column+" IS NULL"), rest.Absent(), place))
	return items, err
}

// after restricts q to the rows after a cursor. It changes nothing without a cursor.
func after(q *gorm.DB, keys SortKeys, place []*string) *gorm.DB {
	if place == nil {
		return q
	}
	var args []any
	condition := keys.After(place, func(value string) string {
		args = append(args, value)
		return "?"
	})
	return q.Where(condition, args...)
}
