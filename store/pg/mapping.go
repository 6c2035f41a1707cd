package pg

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/govalues/decimal"
	"gorm.io/gorm/schema"

	"levy/tax/money"
)

// Mapping is how a record is stored: its table, and its columns in the order of its fields. It is derived once from
// GORM's schema of the record. So fixed set-based statements and GORM always agree, and a new field of the struct is in
// all of them.
//
// GORM's permissions of a field say which statement writes it. `<-:create` is written once, with the record,
// `<-:update` by later statements only, `<-:false` by special statements.
type Mapping[T any] struct {
	Table   string
	Created []Column[T] // the columns that an insert writes
	Updated []Column[T] // the columns that an update may write
	columns []string    // all columns that are read
	index   [][]int     // the field indexes of columns
}

// MappingOf derives the mapping of a record. It panics on a record that GORM cannot map, which is a defect of the
// program.
func MappingOf[T any]() Mapping[T] {
	parsed, err := schema.Parse(new(T), &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: %T cannot be mapped: %v", *new(T), err))
	}
	m := Mapping[T]{Table: parsed.Table}
	for _, f := range parsed.Fields {
		if f.DBName == "" {
			continue
		}
		index := f.StructField.Index
		column := Column[T]{Name: f.DBName, Cast: castOf(f), Value: valueOf[T](f)}
		if f.Creatable {
			m.Created = append(m.Created, column)
		}
		if f.Updatable && !f.PrimaryKey {
			m.Updated = append(m.Updated, column)
		}
		m.columns, m.index = append(m.columns, f.DBName), append(m.index, index)
	}
	return m
}

// Select returns the columns that are read, with the alias of the table.
func (m Mapping[T]) Select(alias string) string {
	return alias + "." + strings.Join(m.columns, ", "+alias+".")
}

// Targets returns pointers to the fields of a record that the columns of Select are scanned into.
func (m Mapping[T]) Targets(record *T) []any {
	value := reflect.ValueOf(record).Elem()
	targets := make([]any, len(m.index))
	for i, index := range m.index {
		targets[i] = value.FieldByIndex(index).Addr().Interface()
	}
	return targets
}

// Without returns the mapping without some columns.
func (m Mapping[T]) Without(names ...string) Mapping[T] {
	left := Mapping[T]{Table: m.Table}
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	for i, name := range m.columns {
		if !out[name] {
			left.columns, left.index = append(left.columns, name), append(left.index, m.index[i])
		}
	}
	for _, c := range m.Created {
		if !out[c.Name] {
			left.Created = append(left.Created, c)
		}
	}
	for _, c := range m.Updated {
		if !out[c.Name] {
			left.Updated = append(left.Updated, c)
		}
	}
	return left
}

// Insert returns the statement that inserts any number of records.
func (m Mapping[T]) Insert() string { return InsertFrom(m.Table, m.Created) }

var (
	textType    = reflect.TypeFor[*string]()
	timeType    = reflect.TypeFor[time.Time]()
	decimalType = reflect.TypeFor[decimal.Decimal]()
	totalType   = reflect.TypeFor[money.Total]()
	jsonType    = reflect.TypeFor[json.RawMessage]()
)

// castOf returns the PostgreSQL type that the text of a field is cast to.
func castOf(f *schema.Field) string {
	if declared := strings.ToLower(string(f.DataType)); f.TagSettings["TYPE"] != "" {
		return declared
	}
	if f.TagSettings["SERIALIZER"] == "json" {
		return "jsonb"
	}
	switch f.IndirectFieldType {
	case timeType:
		return "timestamptz"
	case decimalType, totalType:
		return "numeric"
	case jsonType:
		return "jsonb"
	}
	switch f.IndirectFieldType.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int64:
		return "bigint"
	case reflect.Int, reflect.Int16, reflect.Int32:
		return "integer"
	case reflect.String:
		return "text"
	default:
		panic(fmt.Sprintf("store: field %s of %s has a type without a column type", f.Name, f.Schema.Name))
	}
}

// valueOf returns the function that reads a field as the text of its column; nil is NULL. Every insert of the intake
// uses it, so it returns optional texts, which are most fields, without a copy.
func valueOf[T any](f *schema.Field) func(*T) *string {
	of := fieldOf[T](f.StructField.Index)
	text := textOf(f)
	switch {
	case f.TagSettings["SERIALIZER"] == "json" || !f.FieldType.AssignableTo(reflect.PointerTo(f.IndirectFieldType)):
		return func(record *T) *string { return text(of(record)) }
	case f.FieldType == textType:
		return func(record *T) *string { return *of(record).Addr().Interface().(**string) }
	}
	return func(record *T) *string {
		pointer := of(record)
		if pointer.IsNil() {
			return nil
		}
		return text(pointer.Elem())
	}
}

// fieldOf returns the function that reads a field of a record. A field that is not embedded has a faster one.
func fieldOf[T any](index []int) func(*T) reflect.Value {
	if len(index) == 1 {
		return func(record *T) reflect.Value { return reflect.ValueOf(record).Elem().Field(index[0]) }
	}
	return func(record *T) reflect.Value { return reflect.ValueOf(record).Elem().FieldByIndex(index) }
}

func textOf(f *schema.Field) func(reflect.Value) *string {
	if f.TagSettings["SERIALIZER"] == "json" {
		return serialized
	}
	switch f.IndirectFieldType {
	case timeType:
		if strings.EqualFold(f.TagSettings["TYPE"], "date") {
			return func(v reflect.Value) *string { return Date(*v.Addr().Interface().(*time.Time)) }
		}
		return func(v reflect.Value) *string { return Timestamp(*v.Addr().Interface().(*time.Time)) }
	case decimalType:
		return func(v reflect.Value) *string { return Numeric(*v.Addr().Interface().(*decimal.Decimal)) }
	case totalType:
		return func(v reflect.Value) *string { return Text(v.Addr().Interface().(*money.Total).String()) }
	case jsonType:
		return func(v reflect.Value) *string { return Optional(string(v.Bytes())) }
	}
	switch f.IndirectFieldType.Kind() {
	case reflect.Bool:
		return func(v reflect.Value) *string { return Bool(v.Bool()) }
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(v reflect.Value) *string { return Text(strconv.FormatInt(v.Int(), 10)) }
	default:
		return func(v reflect.Value) *string { return Text(v.String()) }
	}
}

// serialized returns a value as JSON. A value whose IsZero is true becomes NULL.
func serialized(v reflect.Value) *string {
	value := v.Interface()
	if empty, ok := value.(interface{ IsZero() bool }); ok && empty.IsZero() {
		return nil
	}
	return JSON(value)
}
