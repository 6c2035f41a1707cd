package transactions

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// TransactionPageSQL is the statement that chooses the keys of a page of a list that
// has so many rows.
func TransactionPageSQL(
	scope models.Scope, f models.TransactionFilter, order []models.Order, page models.Page, total int64,
) (string, []any, error) {
	keys, err := orderTransactions(order)
	if err != nil {
		return "", nil, err
	}
	s := filterTransactions(scope, f).pageOfKeys(keys, int64(page.Offset), int64(page.Limit), total)
	return s.sql, s.args, nil
}

// PlainList is the ids of all transactions that match a filter, in order, read without any counts.
func PlainList(
	ctx context.Context, s *Store, scope models.Scope, f models.TransactionFilter, order []models.Order,
) ([]string, error) {
	keys, err := orderTransactions(order)
	if err != nil {
		return nil, err
	}
	where, args := filterTransactions(scope, f).where()
	rows, err := s.db.Query(ctx, "SELECT t.id"+keys.from("transactions t")+where+keys.OrderBy(false), args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// TransactionListSQL is the statement that reads a page of a list on one day.
func TransactionListSQL(scope models.Scope, f models.TransactionFilter, day time.Time) (string, []any, error) {
	keys, err := orderTransactions([]models.Order{{Column: "date", Desc: true}})
	if err != nil {
		return "", nil, err
	}
	on := bucketPart{bucket{days: days{day, day.AddDate(0, 0, 1)}, n: 1}, 0, 50}
	ids := filterTransactions(scope, f).pageOfDays(keys, []bucketPart{on})
	return selectPage(ids, keys), ids.args, nil
}

// InChunks is the ids of all transactions in order, as an export finds them.
func InChunks(
	ctx context.Context, s *Store, scope models.Scope, order []models.Order, size int,
) (all []string, err error) {
	keys, err := orderTransactions(order)
	if err != nil {
		return nil, err
	}
	var last []*string
	for {
		var ids []string
		ids, last, err = s.exportIDs(ctx, filterTransactions(scope, models.TransactionFilter{}), keys, last, size)
		if err != nil || len(ids) == 0 {
			return all, err
		}
		all = append(all, ids...)
	}
}
