package api

import (
	"strings"
	"time"

	"levy/models"
	"levy/tax/calendar"
)

// instant is a time as answers carry it: UTC, to the microsecond.
func instant(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// optionalInstant is instant for a time that may be missing.
func optionalInstant(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := instant(*t)
	return &at
}

// optional is a pointer to a value that was sent, nil for one that was not: the
// validator leaves nothing empty that was sent.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// valueOf is the value of a field that may be missing, else the zero value, which
// answers leave out.
func valueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// pageOf is the part of a list that page (from 1) and size select.
func pageOf(page, size int) models.Page {
	return models.Page{Limit: size, Offset: (page - 1) * size}
}

// pages is the number of pages of a list.
func pages(total int64, size int) int { return int((total + int64(size) - 1) / int64(size)) }

// orderOf turns the names of order_by into sort keys. The validator has checked
// them against the list's allow list, which names the columns.
func orderOf(names []string) []models.Order {
	order := make([]models.Order, 0, len(names))
	for _, name := range names {
		column, desc := strings.CutPrefix(name, "-")
		order = append(order, models.Order{Column: column, Desc: desc})
	}
	return order
}

// answered is the answer with a record, unless there is an error instead.
func answered[A, B any](record A, err error, convert func(A) B) (answer B, _ error) {
	if err == nil {
		answer = convert(record)
	}
	return answer, err
}

// convertAll converts every element; the result is never nil.
func convertAll[A, B any](in []A, convert func(A) B) []B {
	out := make([]B, len(in))
	for i := range in {
		out[i] = convert(in[i])
	}
	return out
}

// notNil is the list itself, [] instead of none.
func notNil[T any](in []T) []T {
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

// cursorAnswer is listAnswer for a list whose next page is behind a cursor.
func cursorAnswer[A, B any](list models.List[A], err error, page listed, convert func(A) B) (cursorPage[B], error) {
	if err != nil {
		return cursorPage[B]{}, err
	}
	return cursorPage[B]{
		convertAll(list.Items, convert), page.next(list.Next), page.number(), pages(list.Total, page.Limit), page.Limit,
		list.Total,
	}, nil
}

// listAnswer is the answer with a page of a list, unless there is an error instead.
func listAnswer[A, B any](list models.List[A], err error, page, size int, convert func(A) B) (listPage[B], error) {
	if err != nil {
		return listPage[B]{}, err
	}
	return listPage[B]{convertAll(list.Items, convert), page, pages(list.Total, size), size, list.Total}, nil
}

// dateOf is the UTC day of a time.
func dateOf(t time.Time) calendar.Date { return calendar.DateOf(t.UTC()) }
