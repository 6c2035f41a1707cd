package pg

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"levy/models"
)

// Audit writes an entry of the audit trail in the database transaction of the change.
func Audit(tx *gorm.DB, entry *models.AuditEntry) error {
	entry.At = tx.NowFunc()
	return tx.Create(entry).Error
}

// auditColumns are the columns of entries without their time, which the database sets.
var auditColumns = append(MappingOf[models.AuditEntry]().Without("at").Created,
	Col("leaf", "bytea", func(e *models.AuditEntry) *string {
		if e.Leaf == nil {
			return nil
		}
		return Text(`\x` + hex.EncodeToString(e.Leaf))
	}))

var insertAudit = InsertFrom("audit", auditColumns)

// QueueAudit adds one statement to the batch that writes all entries.
func QueueAudit(batch *pgx.Batch, entries ...*models.AuditEntry) {
	Queue(batch, insertAudit, auditColumns, entries)
}

// unreportedColumns are columns that change with every update and tell nothing about the intention of the user.
var unreportedColumns = []string{"updated_at", "next_check_at", "name_key", "revision"}

// Changed returns the sorted names of the columns in which two states of a record differ. It has the values of those in
// shownColumns: {"fields": ["email", "status"], "status": {"from": "ACTIVE", "to": "ARCHIVED"}}.
func Changed[T any](before, after *T) map[string]any {
	mapped, err := schema.Parse(before, schemas, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: %T cannot be mapped: %v", *before, err))
	}
	names, detail := []string{}, map[string]any{}
	shown := strings.Fields(shownColumns[mapped.Table])
	was, is := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for _, f := range mapped.Fields {
		if f.DBName == "" || !f.Updatable || slices.Contains(unreportedColumns, f.DBName) {
			continue
		}
		from, to := was.FieldByIndex(f.StructField.Index).Interface(), is.FieldByIndex(f.StructField.Index).Interface()
		if sameValue(from, to) {
			continue
		}
		names = append(names, f.DBName)
		// guard: audit: a column without a decision is masked
		if slices.Contains(shown, f.DBName) {
			detail[f.DBName] = map[string]any{"from": auditedValue(from), "to": auditedValue(to)}
		}
	}
	slices.Sort(names)
	detail["fields"] = names
	return detail
}

// schemas caches what GORM has parsed of the record types.
var schemas = &sync.Map{}

// sameValue compares the values of a column: times as instants, JSON documents by content.
func sameValue(a, b any) bool {
	switch x := a.(type) {
	case time.Time:
		return x.Equal(b.(time.Time))
	case *time.Time:
		y := b.(*time.Time)
		return x == y || x != nil && y != nil && x.Equal(*y)
	case json.RawMessage:
		var m, n any
		if json.Unmarshal(x, &m) == nil && json.Unmarshal(b.(json.RawMessage), &n) == nil {
			return reflect.DeepEqual(m, n)
		}
	}
	return reflect.DeepEqual(a, b)
}
