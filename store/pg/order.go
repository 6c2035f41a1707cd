package pg

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"levy/models"
	"levy/tax/money"
)

// KeyKind is the type of the values of a sort key. A cursor carries them as texts.
type KeyKind int

// The kinds of sort keys.
const (
	TextKey KeyKind = iota
	TimeKey
	AmountKey
)

// SortKey is one key of the order of a list. Column is its expression in the statement.
type SortKey struct {
	Column         string
	Kind           KeyKind
	Desc, Nullable bool
}

// SortKeys is the order of a list. The last key is unique. Absent values come last in either direction.
type SortKeys []SortKey

// OrderBy returns the ORDER BY, or its exact reverse. It has NULLS LAST only for a column that an index would order
// otherwise, because NULLS LAST keeps the planner from using the index.
func (k SortKeys) OrderBy(reverse bool) string {
	texts := make([]string, len(k))
	for i, key := range k {
		texts[i] = key.Column
		if key.Desc != reverse {
			texts[i] += " DESC"
		}
		switch {
		case key.Nullable && reverse:
			texts[i] += " NULLS FIRST"
		case key.Nullable:
			texts[i] += " NULLS LAST"
		}
	}
	return " ORDER BY " + strings.Join(texts, ", ")
}

// After returns the condition on the rows after a cursor with these keys. arg takes a value and returns its
// placeholder. It is called in the order of the placeholders.
func (k SortKeys) After(keys []*string, arg func(value string) string) string {
	key, column, operator := k[0], k[0].Column, " > "
	if key.Desc {
		operator = " < "
	}
	if k.isUniform() { // an index answers a comparison of whole rows, even if many rows have equal values
		columns, values := make([]string, len(k)), make([]string, len(k))
		for i := range k {
			columns[i], values[i] = k[i].Column, arg(*keys[i])
		}
		return "(" + strings.Join(columns, ", ") + ")" + operator + "(" + strings.Join(values, ", ") + ")"
	}
	if keys[0] == nil { // absent values come last
		return "(" + column + " IS NULL AND " + k[1:].After(keys[1:], arg) + ")"
	}
	index := ""
	if !key.Nullable {
		index = column + strings.TrimRight(operator, " ") + "= " + arg(*keys[0]) + " AND "
	}
	beyond := column + operator + arg(*keys[0])
	if key.Nullable {
		beyond += " OR " + column + " IS NULL"
	}
	same := column + " = " + arg(*keys[0])
	return index + "(" + beyond + " OR " + same + " AND " + k[1:].After(keys[1:], arg) + ")"
}

// isUniform reports whether all keys are columns of one table in one direction, and none is nullable.
func (k SortKeys) isUniform() bool {
	for _, key := range k {
		if key.Desc != k[0].Desc || key.Nullable || key.table() != k[0].table() {
			return false
		}
	}
	return true
}

// table returns the name of the table before the column, with the dot; "" if the column has none.
func (k SortKey) table() string { return k.Column[:strings.IndexByte(k.Column, '.')+1] }

// Present returns the order of the rows that have the first key. Absent returns that of the others, which come last. An
// index gives each of them in either direction, but no index gives both together.
func (k SortKeys) Present() SortKeys {
	present := slices.Clone(k)
	present[0].Nullable = false
	return present
}

// Absent returns the order of the rows without the first key, see Present.
func (k SortKeys) Absent() SortKeys { return k[1:] }

// Check returns an error if a cursor does not fit this order. Errors: *models.InvalidError.
func (k SortKeys) Check(place *models.Place) error {
	if len(place.Keys) != len(k) {
		return models.ErrorOfCursor(models.FieldMismatch)
	}
	for i, value := range place.Keys {
		if value == nil && k[i].Nullable {
			continue
		}
		if value == nil || !k[i].Kind.isValid(*value) {
			return models.ErrorOfCursor(models.FieldInvalidFormat)
		}
	}
	return nil
}

func (kind KeyKind) isValid(value string) bool {
	var err error
	switch kind {
	case TimeKey:
		_, err = time.Parse(time.RFC3339Nano, value)
	case AmountKey:
		_, err = money.ParseDecimal(value)
	default:
		return utf8.ValidString(value) && !strings.ContainsRune(value, 0)
	}
	return err == nil
}

// KeyOfTime returns a time as the text of a cursor.
func KeyOfTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
