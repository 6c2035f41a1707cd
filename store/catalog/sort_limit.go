package catalog

import (
	"fmt"
	"slices"

	"gorm.io/gorm"

	"levy/models"
)

// mostSorted is the most rows that a list sorts without an index. Sorting so many customers takes about 0.1 s.
const mostSorted = 100_000

// sortedCount returns the count of a list in an order. If a column of the order has no index, the count refuses a list
// with too many rows to sort. A nil count runs the usual query.
func sortedCount[T any](
	q *gorm.DB, count func(*int64) error, order []models.Order, indexed ...string,
) func(*int64) error {
	if !slices.ContainsFunc(order, func(o models.Order) bool { return !slices.Contains(indexed, o.Column) }) {
		return count
	}
	if count == nil {
		records := q.Model(new(T)).Session(&gorm.Session{})
		count = func(total *int64) error { return records.Count(total).Error }
	}
	return func(total *int64) error {
		// guard: lists: an order without an index sorts a bounded number of rows
		if err := count(total); err != nil || *total <= mostSorted {
			return err
		}
		return &models.InvalidError{Faults: []models.Fault{{
			Code: models.FieldTooMany, In: models.InQuery, Path: "order_by",
			Message: fmt.Sprintf("%d records would have to be sorted, and %d can be: narrow the list down by a filter, "+
				"or order it by %v.", *total, mostSorted, indexed),
		}}}
	}
}
