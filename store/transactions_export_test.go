package store

import "levy/models"

// TransactionPageSQL is the statement that chooses the ids of a page.
func TransactionPageSQL(scope models.Scope, f models.TransactionFilter, order []models.Order, page models.Page) (string, []any, error) {
	q := filterTransactions(scope, f)
	sql, err := q.pageOfIDs(order, page)
	return sql, q.args, err
}
