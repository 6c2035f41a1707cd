package pg

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"levy/models"
	"levy/tax/money"
)

// KeyKind is what the values of a sort key are, which a cursor carries as text.
type KeyKind int

// The kinds of sort keys.
const (
	TextKey KeyKind = iota
	TimeKey
	AmountKey
)

// SortKey is one key of the order of a list: a column, as its statement names it.
type SortKey struct {
	Column         string
	Kind           KeyKind
	Desc, Nullable bool
}

// SortKeys is the order of a list. The last key is unique; absent values come last in either direction.
type SortKeys []SortKey

// OrderBy writes the ORDER BY, or its exact reverse. NULLS LAST stands only where an index would put
// them elsewhere, since it would keep the index from giving the order.
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

// After is the condition on the rows that follow a place. arg takes a value and returns its
// placeholder; it is asked in the order in which the placeholders stand.
func (k SortKeys) After(keys []*string, arg func(value string) string) string {
	key, column, operator := k[0], k[0].Column, " > "
	if key.Desc {
		operator = " < "
	}
	if k.isUniform() { // an index answers a comparison of whole rows, whatever many of them have in common
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

// isUniform reports whether all keys are of one table and go in one direction, and none can be absent.
func (k SortKeys) isUniform() bool {
	for _, key := range k {
		if key.Desc != k[0].Desc || key.Nullable || key.table() != k[0].table() {
			return false
		}
	}
	return true
}

// table is the name of the table before the column; empty where the statement has only one.
func (k SortKey) table() string { return k.Column[:strings.IndexByte(k.Column, '.')+1] }

// Present is the order of the rows that have the first key, and Absent that of the others, which come
// last. One index gives each of them, in either direction, and never both together.
func (k SortKeys) Present() SortKeys {
	present := slices.Clone(k)
	present[0].Nullable = false
	return present
}

// Absent is described at Present.
func (k SortKeys) Absent() SortKeys { return k[1:] }

// Check refuses a place that cannot be one of a list with this order. Errors: *models.InvalidError.
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

// KeyOfTime is the time as a cursor carries it.
func KeyOfTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
