package convert

import (
	"strings"
	"time"

	"levy/models"
	"levy/tax/calendar"
)

// Instant returns a time in the form of answers: UTC, to the microsecond.
func Instant(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// OptionalInstant is Instant for an optional time.
func OptionalInstant(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := Instant(*t)
	return &at
}

// Optional returns a pointer to a submitted value, or nil for the zero value. The validator accepts no empty value
// in an optional field.
func Optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// ValueOf returns the value of an optional field, or the zero value, which answers leave out.
func ValueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// PageOf returns the part of a list that page (from 1) and size select.
func PageOf(page, size int) models.Page {
	return models.Page{Limit: size, Offset: (page - 1) * size}
}

// Pages returns the number of pages of a list.
func Pages(total int64, size int) int { return int((total + int64(size) - 1) / int64(size)) }

// OrderOf converts the names of order_by into sort keys. The validator has checked them against the list's allow list,
// which names the columns.
func OrderOf(names []string) []models.Order {
	order := make([]models.Order, 0, len(names))
	for _, name := range names {
		column, desc := strings.CutPrefix(name, "-")
		order = append(order, models.Order{Column: column, Desc: desc})
	}
	return order
}

// Answered returns the converted record, or the error.
func Answered[A, B any](record A, err error, convert func(A) B) (answer B, _ error) {
	if err == nil {
		answer = convert(record)
	}
	return answer, err
}

// ConvertAll converts every element. The result is never nil.
func ConvertAll[A, B any](in []A, convert func(A) B) []B {
	out := make([]B, len(in))
	for i := range in {
		out[i] = convert(in[i])
	}
	return out
}

// NotNil returns the list, or an empty list instead of nil.
func NotNil[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// listPage is a page of a list. The contract's types for such pages differ only in their names.
type listPage[T any] struct {
	Items []T
	Page  int
	Pages int
	Size  int
	Total int64
}

// cursorPage is a page of a list with a cursor for the next page.
type cursorPage[T any] struct {
	Items      []T
	NextCursor *string
	Page       int
	Pages      int
	Size       int
	Total      int64
}

// CursorAnswer returns a page of a list with its cursor, or the error.
func CursorAnswer[A, B any](list models.List[A], err error, page listed, convert func(A) B) (cursorPage[B], error) {
	if err != nil {
		return cursorPage[B]{}, err
	}
	return cursorPage[B]{
		ConvertAll(list.Items, convert), page.Next(list.Next), page.Number(), Pages(list.Total, page.Limit), page.Limit,
		list.Total,
	}, nil
}

// ListAnswer returns a page of a list, or the error.
func ListAnswer[A, B any](list models.List[A], err error, page, size int, convert func(A) B) (listPage[B], error) {
	if err != nil {
		return listPage[B]{}, err
	}
	return listPage[B]{ConvertAll(list.Items, convert), page, Pages(list.Total, size), size, list.Total}, nil
}

// DateOf returns the UTC day of a time.
func DateOf(t time.Time) calendar.Date { return calendar.DateOf(t.UTC()) }
