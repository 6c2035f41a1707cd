package convert

import (
	"strings"

	"levy/models"
)

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
