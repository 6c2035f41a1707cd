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

// Column is a column of a set-based statement: its name, the type its text is cast to, and
// the value of a row as text (nil is NULL). Text for every column keeps one shape for
// all of them and hands decimals to PostgreSQL digit by digit.
type Column[T any] struct {
	Name, Cast string
	Value      func(*T) *string
	Bytes      func(*T) []byte // in the place of Value, for bytea
}

// Col is a column that is not a field of a record.
func Col[T any](name, cast string, value func(*T) *string) Column[T] {
	return Column[T]{Name: name, Cast: cast, Value: value}
}

// BytesCol is a column of Rows with bytes: nil is NULL.
func BytesCol[T any](name string, value func(*T) []byte) Column[T] {
	return Column[T]{Name: name, Cast: "bytea", Bytes: value}
}

// InsertFrom writes `INSERT INTO table (...) SELECT ... FROM unnest(...)`: any
// number of rows in one statement of fixed text.
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

// Queue adds a statement of InsertFrom with its rows to a batch; nothing when there are none.
func Queue[T any](batch *pgx.Batch, sql string, columns []Column[T], rows []*T) {
	if len(rows) > 0 {
		batch.Queue(sql, BulkArguments(TextArrays(columns, rows))...)
	}
}

// TextArrays makes of rows the arguments of InsertFrom, one array per column.
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

// Text is any kind of string as the text of a column.
func Text[S ~string](s S) *string { v := string(s); return &v }

// Optional is a text of which the empty one is NULL.
func Optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Integer is a whole number as the text of a column.
func Integer(i int) *string { return Text(strconv.Itoa(i)) }

// Integers is a list of whole numbers, {} for none.
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

// OptionalInteger is a whole number that may be NULL.
func OptionalInteger(i *int) *string {
	if i == nil {
		return nil
	}
	return Integer(*i)
}

// Numeric is a decimal as the text of a column, digit by digit.
func Numeric(d decimal.Decimal) *string { return Text(d.String()) }

// Bool is a truth value as the text of a column.
func Bool(b bool) *string {
	if b {
		return Text("t")
	}
	return Text("f")
}

// Timestamp is a moment as the text of a timestamptz, in microseconds.
func Timestamp(t time.Time) *string { return Text(t.UTC().Format("2006-01-02T15:04:05.999999Z")) }

// OptionalTimestamp is a moment that may be NULL.
func OptionalTimestamp(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return Timestamp(*t)
}

// Interval is a duration as the text of an interval, in microseconds.
func Interval(d time.Duration) *string { return Text(fmt.Sprintf("%d microseconds", d.Microseconds())) }

// Date is the day of a time as the text of a date.
func Date(t time.Time) *string { return Text(t.Format(time.DateOnly)) }

// OptionalDate is a day that may be NULL.
func OptionalDate(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return Date(*t)
}

// JSON is the text of values that always marshal: plain structs of strings and decimals.
// It panics on any other, which is a defect of the program.
func JSON(v any) *string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("store: %T does not marshal: %v", v, err))
	}
	return Text(string(b))
}
