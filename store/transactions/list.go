package transactions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// PageLines is how many lines of transactions a list holds at a time. One with a thousand lines takes
// about ten megabytes with its answer.
const PageLines = 1000

// ListTransactions lists the transactions that pass the filter, with all their
// parts. A page costs the same number of statements whatever is on it, unless it has more than
// PageLines. Errors: *models.InvalidError for a place that is not of this list.
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
	found := transactionSet{transactions: []models.Transaction{}, most: PageLines}
	err = s.db.Snapshot(ctx, func(conn *pg.Pipeline, batch *pgx.Batch) error {
		var ids *statement
		if place := page.After; place != nil && !keys.byState() {
			list.Total, ids = place.Total, q.pageBehind(keys, place.Keys, int64(page.Limit)+1, place.Total)
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
	if err == nil && found.lines > found.most {
		list.Parts, err = s.partsOf(ctx, scope, found.ids())
		return list, err
	}
	if err == nil {
		err = s.openTaxIDs(ctx, found.transactions)
	}
	list.Items = found.transactions
	return list, err
}

// partsOf divides transactions, in their order, into pieces with no more than PageLines, or of one
// transaction.
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
	begin, held := 0, 0
	for i, id := range ids {
		if held += lines[id]; held > PageLines && i > begin {
			parts = append(parts, ids[begin:i])
			begin, held = i, lines[id]
		}
	}
	return append(parts, ids[begin:]), nil
}

// TransactionsOf reads transactions with all their parts, in the order of the ids and as they stood at
// one moment; those that do not exist are left out.
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

// nearPage is how many rows a page may have before it without its place being located.
const nearPage = 1000

// choose counts what passes the filter, and says how the keys of a page are found; nil
// when nothing is on it. It sends batch.
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
		q.queueSpread(batch, &buckets)
	}
	if err := conn.Send(ctx, batch); err != nil {
		return 0, nil, err
	}
	for _, b := range buckets {
		total += b.n
	}
	if place := page.After; place != nil {
		return place.Total, q.pageByStateBehind(keys, buckets, place, limit+1, total), nil
	}
	if total <= offset {
		return total, nil, nil
	}
	if keys.byState() {
		return total, q.pageByState(keys, buckets, offset, limit, total), nil
	}
	if !keys.byDate() || len(q.conditions) == 1 && offset < nearPage || q.sorted(total) {
		return total, q.pageOfKeys(keys, offset, limit, total), nil
	}
	part, err := q.locate(ctx, conn, buckets, keys.SortKeys[0].Desc, offset, limit)
	if err != nil {
		return 0, nil, err
	}
	return total, q.pageOfDays(keys, part), nil
}

// locate says on which days a page in the order of the date lies.
func (q *transactionQuery) locate(
	ctx context.Context, conn *pg.Pipeline, buckets []bucket, desc bool, offset, limit int64,
) ([]stretch, error) {
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
		if part == all || taken(found) == min(limit, first.n-skip) {
			return found, nil
		}
		part = all
	}
}

func taken(part []stretch) (n int64) {
	for _, p := range part {
		n += p.take
	}
	return n
}

// fewFound is how many rows are sorted rather than walked to in order: the planner
// would trust that what is sought lies scattered evenly. Of a status they lie on
// many days, each with many others, when they are no more than fewOfStatus.
const fewFound, fewOfStatus = 5000, 2000

// sorted reports whether so many rows are found first, by an index on what is asked for,
// and then sorted.
func (q *transactionQuery) sorted(total int64) bool {
	return !q.counted && total <= fewFound || q.counted && q.withStatus && total <= fewOfStatus
}

// pageOfKeys chooses a page by the keys of its rows alone, so that rows that are only
// skipped are neither read in full nor joined. What lies in the second half is counted
// from the end.
func (q *transactionQuery) pageOfKeys(keys sortKeysOfTransactions, offset, limit, total int64) *statement {
	if first := keys.SortKeys[0]; offset == 0 && first.Nullable && first.Desc {
		return q.pageBehind(keys, nil, limit, total) // no index has absent values last in this direction
	}
	where, args := q.where()
	rows := "transactions t"
	if q.sorted(total) {
		rows, where = "(SELECT * FROM transactions t"+where+" OFFSET 0) t", ""
	}
	limit = min(limit, total-offset)
	fromEnd := total-offset-limit < offset
	if fromEnd {
		offset = total - offset - limit
	}
	args = append(args, limit, offset)
	return &statement{fmt.Sprintf("SELECT t.%s AS key%s%s%s LIMIT $%d OFFSET $%d",
		keys.name(), keys.from(rows), where, keys.OrderBy(fromEnd), len(args)-1, len(args)), args}
}

// pageBehind chooses the rows that follow a place in a list with so many rows; the first ones where the
// place is nil. Where the first key can be absent, rows without it are only looked for when the others
// do not fill the page.
func (q *transactionQuery) pageBehind(
	keys sortKeysOfTransactions, place []*string, limit, total int64,
) *statement {
	where, args := q.where()
	rows := "transactions t"
	if q.sorted(total) {
		rows, where = "(SELECT * FROM transactions t"+where+" OFFSET 0) t", " WHERE TRUE"
	}
	following := transactionQuery{args: args}
	part := func(of pg.SortKeys, condition string, place []*string) string {
		following.conditions = []string{condition}
		if place != nil {
			following.behind(of, place)
		}
		return fmt.Sprintf("SELECT t.%s AS key%s%s AND %s%s LIMIT %d", keys.name(), keys.from(rows), where,
			strings.Join(following.conditions, " AND "), of.OrderBy(false), limit)
	}
	first := keys.SortKeys[0]
	switch {
	case !first.Nullable:
		return &statement{part(keys.SortKeys, "TRUE", place), following.args}
	case place != nil && place[0] == nil:
		return &statement{part(keys.Absent(), first.Column+" IS NULL", place[1:]), following.args}
	}
	present := part(keys.Present(), first.Column+" IS NOT NULL", place)
	absent := part(keys.Absent(), first.Column+" IS NULL", nil)
	return &statement{"WITH present AS MATERIALIZED (" + present + ") SELECT key FROM present UNION ALL (" + absent +
		" - (SELECT count(*) FROM present))", following.args}
}

// cut leaves a page of what was found, and says what the place of its last row is when something follows.
func (s *transactionSet) cut(keys sortKeysOfTransactions, page models.Page, total int64) *models.Place {
	n, before := len(s.transactions), int64(page.Offset)
	more := before+int64(n) < total
	if page.After != nil {
		before, more = page.After.Rows, n > page.Limit
	}
	if n > page.Limit {
		n, s.transactions = page.Limit, s.transactions[:page.Limit]
	}
	if !more || n == 0 {
		return nil
	}
	return &models.Place{Keys: keys.valuesOf(&s.transactions[n-1]), Rows: before + int64(n), Total: total}
}

// pageOfDays chooses a page that lies on the given days.
func (q *transactionQuery) pageOfDays(keys sortKeysOfTransactions, part []stretch) *statement {
	where, args := q.whereOf("d")
	since, until := make([]time.Time, len(part)), make([]time.Time, len(part))
	skip, take := make([]int64, len(part)), make([]int64, len(part))
	for i, p := range part {
		since[i], until[i], skip[i], take[i] = p.since, p.until, p.skip, p.take
	}
	n := len(args)
	return &statement{fmt.Sprintf(`
		SELECT x.key FROM (
		  SELECT $1::text AS organization_id, u.* FROM unnest($%d::timestamptz[], $%d::timestamptz[], $%d::bigint[],
		         $%d::bigint[]) AS u(since, until, skip, take) OFFSET 0) d
		 CROSS JOIN LATERAL (SELECT t.%s AS key%s%s AND t.date >= d.since AND t.date < d.until%s
		                      LIMIT d.take OFFSET d.skip) x`,
		n+1, n+2, n+3, n+4, keys.name(), keys.from("transactions t"), where, keys.OrderBy(false)), append(
		args, since, until, skip, take,
	)}
}

func (s *transactionSet) ids() []string {
	ids := make([]string, len(s.transactions))
	for i := range s.transactions {
		ids[i] = s.transactions[i].ID
	}
	return ids
}
