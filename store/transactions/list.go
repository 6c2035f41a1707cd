package transactions

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// PageLines is how many lines of transactions a list reads at a time. A transaction with a thousand lines takes about
// ten megabytes with its answer.
const PageLines = 1000

// ListTransactions returns a page of the transactions that pass the filter, with all their parts. It needs the same
// number of statements for any page with up to PageLines. Errors: *models.InvalidError for a cursor of another list.
func (s *Store) ListTransactions(
	ctx context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order, page models.Page,
) (models.TransactionPage, error) {
	return s.listTransactions(ctx, scope, filterTransactions(scope, f), order, page)
}

func (s *Store) listTransactions(
	ctx context.Context, scope models.Scope, q *transactionQuery, order []models.Order, page models.Page,
) (models.TransactionPage, error) {
	list := models.TransactionPage{}
	keys, err := orderTransactions(order)
	if err != nil {
		return list, err
	}
	if page.After != nil {
		if err := keys.Check(page.After); err != nil {
			return list, err
		}
	}
	found := transactionSet{transactions: []models.Transaction{}, limit: PageLines}
	err = s.db.Snapshot(ctx, func(conn *pg.Pipeline, batch *pgx.Batch) error {
		var ids *statement
		if place := page.After; place != nil && !keys.byState() {
			list.Total, ids = place.Total, q.pageAfter(keys, place.Keys, int64(page.Limit)+1, place.Total)
		} else {
			if list.Total, ids, err = q.choose(ctx, conn, batch, keys, page); err != nil {
				return err
			}
			batch = &pgx.Batch{}
		}
		if ids != nil {
			batch.Queue(selectPage(ids, keys), ids.args...).Query(found.read)
			if err := conn.Send(ctx, batch); err != nil {
				return err
			}
			batch = &pgx.Batch{}
			list.Next = found.cut(keys, page, list.Total)
		}
		if len(found.transactions) > 0 {
			conn.Set(ctx, batch, pg.PlanByKey)
			found.queueParts(batch, "= ANY ($2)", scope.OrganizationID, found.ids())
		}
		conn.Commit(batch)
		return conn.Send(ctx, batch)
	})
	if err == nil && found.lines > found.limit {
		list.Parts, err = s.partsOf(ctx, scope, found.ids())
		return list, err
	}
	if err == nil {
		err = s.openTaxIDs(ctx, found.transactions)
	}
	list.Items = found.transactions
	return list, err
}

// partsOf divides transactions, in their order, into parts with at most PageLines, or of one transaction.
func (s *Store) partsOf(ctx context.Context, scope models.Scope, ids []string) ([][]string, error) {
	rows, err := s.db.Query(ctx, `
		SELECT transaction_id, count(*)
		  FROM transaction_items
		 WHERE organization_id = $1 AND transaction_id = ANY ($2) GROUP BY 1`,
		scope.OrganizationID, ids)
	lines, id, n := map[string]int{}, "", 0
	if err := pg.ForEach(rows, err, []any{&id, &n}, func() error { lines[id] = n; return nil }); err != nil {
		return nil, err
	}
	var parts [][]string
	begin, size := 0, 0
	for i, id := range ids {
		if size += lines[id]; size > PageLines && i > begin {
			parts = append(parts, ids[begin:i])
			begin, size = i, lines[id]
		}
	}
	return append(parts, ids[begin:]), nil
}

// TransactionsOf returns transactions with all their parts at one moment, in the order of the ids.
// It omits those that do not exist.
func (s *Store) TransactionsOf(ctx context.Context, scope models.Scope, ids []string) ([]models.Transaction, error) {
	var found transactionSet
	err := s.db.Snapshot(ctx, func(conn *pg.Pipeline, begin *pgx.Batch) error {
		conn.Set(ctx, begin, pg.PlanByKey)
		begin.Queue(selectTransactions+" WHERE t.organization_id = $1 AND t.id = ANY ($2) ORDER BY array_position($2, t.id)",
			scope.OrganizationID, ids).Query(found.read)
		found.queueParts(begin, "= ANY ($2)", scope.OrganizationID, ids)
		conn.Commit(begin)
		return conn.Send(ctx, begin)
	})
	if err == nil {
		err = s.openTaxIDs(ctx, found.transactions)
	}
	return found.transactions, err
}

// statement is SQL with its arguments.
type statement struct {
	sql  string
	args []any
}

// locateFrom is the number of rows before a page from which the days of the page are located first.
const locateFrom = 1000

// choose counts the transactions that pass the filter and returns the statement that selects the keys of a page;
// nil for an empty page. It sends batch.
func (q *transactionQuery) choose(
	ctx context.Context, conn *pg.Pipeline, batch *pgx.Batch, keys sortKeysOfTransactions, page models.Page,
) (total int64, ids *statement, err error) {
	offset, limit := int64(page.Offset), int64(page.Limit)
	if !q.counted {
		where, args := q.where()
		batch.Queue("SELECT count(*) FROM transactions t"+
			where, args...).QueryRow(func(row pgx.Row) error { return row.Scan(&total) })
		if err := conn.Send(ctx, batch); err != nil || total <= offset {
			return total, nil, err
		}
		return total, q.pageOfKeys(keys, offset, limit, total), nil
	}
	var buckets []bucket
	if keys.byState() {
		q.queueStates(batch, &buckets)
	} else {
		q.queueCounts(batch, &buckets)
	}
	if err := conn.Send(ctx, batch); err != nil {
		return 0, nil, err
	}
	for _, b := range buckets {
		total += b.n
	}
	if place := page.After; place != nil {
		return place.Total, q.pageByStateAfter(keys, buckets, place, limit+1, total), nil
	}
	if total <= offset {
		return total, nil, nil
	}
	if keys.byState() {
		return total, q.pageByState(keys, buckets, offset, limit, total), nil
	}
	if !keys.byDate() || len(q.conditions) == 1 && offset < locateFrom || q.isSorted(total) {
		return total, q.pageOfKeys(keys, offset, limit, total), nil
	}
	part, err := q.locate(ctx, conn, buckets, keys.SortKeys[0].Desc, page)
	if err != nil {
		return 0, nil, err
	}
	return total, q.pageOfDays(keys, part), nil
}

// locate returns the days of a page in date order.
func (q *transactionQuery) locate(
	ctx context.Context, conn *pg.Pipeline, buckets []bucket, desc bool, page models.Page,
) ([]bucketPart, error) {
	offset, limit := int64(page.Offset), int64(page.Limit)
	inOrder := func(buckets []bucket) []bucket {
		if desc {
			slices.Reverse(buckets)
		}
		return buckets
	}
	months := locate(inOrder(buckets), offset, limit)
	first, last, skip := months[0], months[len(months)-1], months[0].skip
	if desc {
		first, last = last, first
	}
	all := days{first.since, last.until}
	part := all
	if len(months) == 1 {
		part = all.window(skip, limit, first.n, desc)
	}
	for {
		batch := &pgx.Batch{}
		var byDay []bucket
		q.queueDays(batch, part, &byDay)
		if err := conn.Send(ctx, batch); err != nil {
			return nil, err
		}
		found := locate(inOrder(byDay), skip, limit)
		if part == all || rowsOf(found) == min(limit, first.n-skip) {
			return found, nil
		}
		part = all
	}
}

func rowsOf(part []bucketPart) (n int64) {
	for _, p := range part {
		n += p.take
	}
	return n
}

func (s *transactionSet) ids() []string {
	ids := make([]string, len(s.transactions))
	for i := range s.transactions {
		ids[i] = s.transactions[i].ID
	}
	return ids
}
