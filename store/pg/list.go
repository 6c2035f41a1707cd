package pg

import (
	"fmt"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
)

// Sortable are the columns a list may be sorted by; true marks those that may be
// NULL.
type Sortable map[string]bool

// ReadPage reads one page of what q selects, and counts all of it. Rows without a
// value in a sort column come last; the id decides between equals.
func ReadPage[T any](q *gorm.DB, columns Sortable, order []models.Order, page models.Page) (models.List[T], error) {
	return ReadCountedPage[T](q, nil, columns, order, page)
}

// ReadCountedPage is ReadPage where count, unless it is nil, knows how much q selects.
func ReadCountedPage[T any](
	q *gorm.DB, count func(total *int64) error, columns Sortable, order []models.Order, page models.Page,
) (models.List[T], error) {
	list := models.List[T]{Items: []T{}}
	keys, err := sortKeys(columns, order)
	if err != nil {
		return list, err
	}
	q = q.Model(new(T)).Session(&gorm.Session{}) // the count and the page start from the same conditions
	if count == nil {
		count = func(total *int64) error { return q.Count(total).Error }
	}
	if err := count(&list.Total); err != nil {
		return list, Translate(err)
	}
	if list.Total <= int64(page.Offset) {
		return list, nil
	}
	if err := q.Clauses(keys).Limit(page.Limit).Offset(page.Offset).Find(&list.Items).Error; err != nil {
		return list, Translate(err)
	}
	return list, nil
}

func sortKeys(columns Sortable, order []models.Order) (clause.OrderBy, error) {
	var keys clause.OrderBy
	for _, o := range order {
		nullable, ok := columns[o.Column]
		if !ok {
			return keys, fmt.Errorf("list cannot be sorted by %q", o.Column)
		}
		column := clause.Column{Table: clause.CurrentTable, Name: o.Column}
		if nullable {
			keys.Columns = append(keys.Columns, clause.OrderByColumn{
				Column: clause.Column{Name: o.Column + " IS NULL", Raw: true},
			})
		}
		keys.Columns = append(keys.Columns, clause.OrderByColumn{Column: column, Desc: o.Desc})
	}
	// In the direction of the first key, so that one index gives the whole order.
	last := clause.OrderByColumn{Column: clause.Column{Table: clause.CurrentTable, Name: "id"}}
	last.Desc = len(order) > 0 && order[0].Desc
	keys.Columns = append(keys.Columns, last)
	return keys, nil
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Containing is the pattern that matches every text with s in it.
func Containing(s string) string { return "%" + likeEscapes.Replace(s) + "%" }
