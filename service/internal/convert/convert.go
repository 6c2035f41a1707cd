package convert

import (
	"strings"
	"time"

	"levy/models"
	"levy/tax/calendar"
)

// Instant is a time as answers carry it: UTC, to the microsecond.
func Instant(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// OptionalInstant is instant for a time that may be missing.
func OptionalInstant(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := Instant(*t)
	return &at
}

// Optional is a pointer to a value that was sent, nil for one that was not: the
// validator leaves nothing empty that was sent.
func Optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// ValueOf is the value of a field that may be missing, else the zero value, which
// answers leave out.
func ValueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// PageOf is the part of a list that page (from 1) and size select.
func PageOf(page, size int) models.Page {
	return models.Page{Limit: size, Offset: (page - 1) * size}
}

// Pages is the number of pages of a list.
func Pages(total int64, size int) int { return int((total + int64(size) - 1) / int64(size)) }

// OrderOf turns the names of order_by into sort keys. The validator has checked
// them against the list's allow list, which names the columns.
func OrderOf(names []string) []models.Order {
	order := make([]models.Order, 0, len(names))
	for _, name := range names {
		column, desc := strings.CutPrefix(name, "-")
		order = append(order, models.Order{Column: column, Desc: desc})
	}
	return order
}

// Answered is the answer with a record, unless there is an error instead.
func Answered[A, B any](record A, err error, convert func(A) B) (answer B, _ error) {
	if err == nil {
		answer = convert(record)
	}
	return answer, err
}

// ConvertAll converts every element; the result is never nil.
func ConvertAll[A, B any](in []A, convert func(A) B) []B {
	out := make([]B, len(in))
	for i := range in {
		out[i] = convert(in[i])
	}
	return out
}

// NotNil is the list itself, [] instead of none.
func NotNil[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// listPage is a page of a list: the types of the contract for such pages differ in their names only.
type listPage[T any] struct {
	Items []T
	Page  int
	Pages int
	Size  int
	Total int64
}

// cursorPage is a page of a list whose next page is behind a cursor.
type cursorPage[T any] struct {
	Items      []T
	NextCursor *string
	Page       int
	Pages      int
	Size       int
	Total      int64
}

// CursorAnswer is listAnswer for a list whose next page is behind a cursor.
func CursorAnswer[A, B any](list models.List[A], err error, page listed, convert func(A) B) (cursorPage[B], error) {
	if err != nil {
		return cursorPage[B]{}, err
	}
	return cursorPage[B]{
		ConvertAll(list.Items, convert), page.Next(list.Next), page.Number(), Pages(list.Total, page.Limit), page.Limit,
		list.Total,
	}, nil
}

// ListAnswer is the answer with a page of a list, unless there is an error instead.
func ListAnswer[A, B any](list models.List[A], err error, page, size int, convert func(A) B) (listPage[B], error) {
	if err != nil {
		return listPage[B]{}, err
	}
	return listPage[B]{ConvertAll(list.Items, convert), page, Pages(list.Total, size), size, list.Total}, nil
}

// DateOf is the UTC day of a time.
func DateOf(t time.Time) calendar.Date { return calendar.DateOf(t.UTC()) }
