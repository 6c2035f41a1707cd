package pg

import (
	"strings"

	"gorm.io/gorm"

	"levy/models"
)

// Sortable are the columns that a list may be sorted by. True marks those that may be NULL.
type Sortable map[string]bool

// ReadPage reads one page of the rows that q selects. It counts all of them, unless the page begins after a cursor.
// Rows without a value in a sort column come last; the id orders equal rows. Errors: *models.InvalidError for a cursor
// of another list.
func ReadPage[T any](q *gorm.DB, columns Sortable, order []models.Order, page models.Page) (models.List[T], error) {
	return ReadCountedPage[T](q, nil, columns, order, page)
}

// ReadCountedPage is ReadPage with a count function for the rows that q selects. A nil count runs the usual query.
func ReadCountedPage[T any](
	q *gorm.DB, count func(total *int64) error, columns Sortable, order []models.Order, page models.Page,
) (models.List[T], error) {
	list := models.List[T]{Items: []T{}}
	keys, err := keysOf[T](q, columns, order)
	if err != nil {
		return list, err
	}
	q = q.Model(new(T)).Session(&gorm.Session{}) // the count and the page start from the same conditions
	if page.After != nil {
		return readAfter[T](q, keys, page)
	}
	if count == nil {
		count = func(total *int64) error { return q.Count(total).Error }
	}
	if err := count(&list.Total); err != nil {
		return list, Translate(err)
	}
	if list.Total <= int64(page.Offset) {
		return list, nil
	}
	if first := keys.SortKeys[0]; page.Offset == 0 && first.Nullable && first.Desc && list.Total > sortLimit {
		list.Items, err = readParts[T](q, keys, nil, page.Limit)
	} else {
		err = q.Clauses(keys.clause(false)).Limit(page.Limit).Offset(page.Offset).Find(&list.Items).Error
	}
	if n := len(list.Items); err == nil && n > 0 && int64(page.Offset+n) < list.Total {
		list.Next = placeOf(q.Statement.Context, keys, list.Items, int64(page.Offset), list.Total)
	}
	return list, Translate(err)
}

// readAfter reads the page after a cursor, which carries the total number of rows.
func readAfter[T any](q *gorm.DB, keys recordKeys, page models.Page) (models.List[T], error) {
	place := page.After
	if err := keys.Check(place); err != nil {
		return models.List[T]{Items: []T{}}, err
	}
	items, err := readParts[T](q, keys, place.Keys, page.Limit+1)
	list := models.List[T]{Items: items, Total: place.Total}
	if err == nil && len(items) > page.Limit {
		list.Items = items[:page.Limit]
		list.Next = placeOf(q.Statement.Context, keys, list.Items, place.Rows, list.Total)
	}
	return list, Translate(err)
}

// sortLimit is the number of rows up to which a list is sorted. A longer list is read in two parts,
// each in index order.
const sortLimit = 1000

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Containing returns the LIKE pattern that matches every text that contains s.
func Containing(s string) string { return "%" + likeEscapes.Replace(s) + "%" }
