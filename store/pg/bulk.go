package pg

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
)

// Column is a column of a set-based statement. It has a name, the type that its text is cast to, and the value of a row
// as text (nil is NULL). All columns are texts, so all have one shape and PostgreSQL gets decimals digit by digit.
type Column[T any] struct {
	Name, Cast string
	Value      func(*T) *string
	Bytes      func(*T) []byte // instead of Value, for bytea
}

// Col returns a column that is not a field of a record.
func Col[T any](name, cast string, value func(*T) *string) Column[T] {
	return Column[T]{Name: name, Cast: cast, Value: value}
}

// BytesCol returns a column of bytes for Rows. A nil slice is NULL.
func BytesCol[T any](name string, value func(*T) []byte) Column[T] {
	return Column[T]{Name: name, Cast: "bytea", Bytes: value}
}

// InsertFrom returns `INSERT INTO table (...) SELECT ... FROM unnest(...)`: one statement of fixed text for any number
// of rows.
func InsertFrom[T any](table string, columns []Column[T]) string {
	names, selected, arrays := make([]string, len(columns)), make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
		arrays[i] = fmt.Sprintf("$%d::text[]", i+1)
		selected[i] = fmt.Sprintf("u.%s::%s", c.Name, c.Cast)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM unnest(%s) AS u(%s)",
		table, strings.Join(names, ", "), strings.Join(selected, ", "), strings.Join(arrays, ", "), strings.Join(names, ", "))
}

// Queue adds a statement of InsertFrom with its rows to a batch. It adds nothing without rows.
func Queue[T any](batch *pgx.Batch, sql string, columns []Column[T], rows []*T) {
	if len(rows) > 0 {
		batch.Queue(sql, BulkArguments(TextArrays(columns, rows))...)
	}
}

// TextArrays returns the arguments of InsertFrom for rows: one array per column.
func TextArrays[T any](columns []Column[T], rows []*T) []any {
	return arraysOf(columns, len(rows), func(i int) *T { return rows[i] })
}

// arraysOf returns an array for each column of n rows.
func arraysOf[T any](columns []Column[T], n int, row func(i int) *T) []any {
	args := make([]any, len(columns))
	for i, c := range columns {
		if c.Bytes != nil {
			values := make([][]byte, n)
			for j := range n {
				values[j] = c.Bytes(row(j))
			}
			args[i] = values
			continue
		}
		values := make([]*string, n)
		for j := range n {
			values[j] = c.Value(row(j))
		}
		args[i] = values
	}
	return args
}

// Text returns any kind of string as the text of a column.
func Text[S ~string](s S) *string { v := string(s); return &v }

// Optional returns a text as the text of a column; the empty text is NULL.
func Optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Integer returns an integer as the text of a column.
func Integer(i int) *string { return Text(strconv.Itoa(i)) }

// Integers returns a list of integers as the text of an array: {1,2}, {} for none.
func Integers(list []int) *string {
	text := []byte{'{'}
	for n, i := range list {
		if n > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(i), 10)
	}
	return Text(string(append(text, '}')))
}

// OptionalInteger returns an integer as the text of a column; nil is NULL.
func OptionalInteger(i *int) *string {
	if i == nil {
		return nil
	}
	return Integer(*i)
}

// Numeric returns a decimal as the text of a column, digit by digit.
func Numeric(d decimal.Decimal) *string { return Text(d.String()) }

// Bool returns a boolean as the text of a column.
func Bool(b bool) *string {
	if b {
		return Text("t")
	}
	return Text("f")
}

// Timestamp returns a time as the text of a timestamptz, in microseconds.
func Timestamp(t time.Time) *string { return Text(t.UTC().Format("2006-01-02T15:04:05.999999Z")) }

// OptionalTimestamp returns a time as the text of a timestamptz; nil is NULL.
func OptionalTimestamp(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return Timestamp(*t)
}

// Interval returns a duration as the text of an interval, in microseconds.
func Interval(d time.Duration) *string { return Text(fmt.Sprintf("%d microseconds", d.Microseconds())) }

// Date returns the day of a time as the text of a date.
func Date(t time.Time) *string { return Text(t.Format(time.DateOnly)) }

// OptionalDate returns a day as the text of a date; nil is NULL.
func OptionalDate(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return Date(*t)
}

// JSON returns the JSON of a value that always marshals, such as a plain struct of strings and decimals.
// It panics on any other value, which is a defect of the program.
func JSON(v any) *string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("store: %T does not marshal: %v", v, err))
	}
	return Text(string(b))
}
