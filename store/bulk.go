package store

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/govalues/decimal"
)

// A column of a set-based insert: its name, the type its text is cast to, and the
// value of a row as text (nil is NULL). Text for every column keeps one shape for
// all of them and hands decimals to PostgreSQL digit by digit.
type column[T any] struct {
	name, cast string
	value      func(*T) *string
}

// insertFrom writes `INSERT INTO table (...) SELECT ... FROM unnest(...)`: any
// number of rows in one statement of fixed text.
func insertFrom[T any](table string, columns []column[T]) string {
	names, selected, arrays := make([]string, len(columns)), make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
		arrays[i] = fmt.Sprintf("$%d::text[]", i+1)
		selected[i] = fmt.Sprintf("u.%s::%s", c.name, c.cast)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM unnest(%s) AS u(%s)",
		table, strings.Join(names, ", "), strings.Join(selected, ", "), strings.Join(arrays, ", "), strings.Join(names, ", "))
}

// updateFrom writes `UPDATE table t SET ... FROM unnest(...) AS u(...) WHERE`, with
// the arguments of insertFrom. The condition is left to the caller, and so are
// further columns, which come first; none when empty.
func updateFrom[T any](table, further string, columns []column[T]) string {
	names, set, arrays := make([]string, len(columns)), []string{}, make([]string, len(columns))
	if further != "" {
		set = append(set, further)
	}
	for i, c := range columns {
		names[i] = c.name
		arrays[i] = fmt.Sprintf("$%d::text[]", i+1)
		set = append(set, fmt.Sprintf("%[1]s = u.%[1]s::%[2]s", c.name, c.cast))
	}
	return fmt.Sprintf("UPDATE %s t SET %s FROM unnest(%s) AS u(%s) WHERE",
		table, strings.Join(set, ", "), strings.Join(arrays, ", "), strings.Join(names, ", "))
}

// textArrays turns rows into the arguments of insertFrom, one array per column.
func textArrays[T any](columns []column[T], rows []*T) []any {
	args := make([]any, len(columns))
	for i, c := range columns {
		values := make([]*string, len(rows))
		for j, row := range rows {
			values[j] = c.value(row)
		}
		args[i] = values
	}
	return args
}

// Conversions of Go values to the text of a column.

func text[S ~string](s S) *string { v := string(s); return &v }

func integer(i int) *string { return text(strconv.Itoa(i)) }

func number(d decimal.Decimal) *string { return text(d.String()) }

func boolean(b bool) *string {
	if b {
		return text("t")
	}
	return text("f")
}

func instant(t time.Time) *string { return text(t.UTC().Format("2006-01-02T15:04:05.999999Z")) }

func day(t time.Time) *string { return text(t.Format(time.DateOnly)) }

func optionalDay(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return day(*t)
}

// jsonText marshals values that always marshal: plain structs of strings and decimals.
func jsonText(v any) *string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("store: %T does not marshal: %v", v, err))
	}
	return text(string(b))
}

func optionalInteger(i *int) *string {
	if i == nil {
		return nil
	}
	return integer(*i)
}
