package transactions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"levy/models"
	"levy/store/pg"
)

// These functions choose how to select the keys of a page.

// maxSorted is the number of rows up to which a list is sorted instead of read in index order. In index order the
// planner would assume that the wanted rows are evenly scattered. maxSortedOfStatus is the same for rows of a status,
// which are on many days, each with many others.
const maxSorted, maxSortedOfStatus = 5000, 2000

// isSorted reports whether a number of rows is first found, by an index on the filter, and then sorted.
func (q *transactionQuery) isSorted(total int64) bool {
	return !q.counted && total <= maxSorted || q.counted && q.withStatus && total <= maxSortedOfStatus
}

// pageOfKeys returns the statement for a page that reads only the keys of its rows. So the statement neither reads
// skipped rows in full nor joins them. A page in the second half is read from the end.
func (q *transactionQuery) pageOfKeys(keys sortKeysOfTransactions, offset, limit, total int64) *statement {
	if first := keys.SortKeys[0]; offset == 0 && first.Nullable && first.Desc {
		return q.pageAfter(keys, nil, limit, total) // no index has absent values last in this direction
	}
	where, args := q.where()
	rows := "transactions t"
	if q.isSorted(total) {
		rows, where = "(SELECT * FROM transactions t"+where+" OFFSET 0) t", ""
	}
	limit = min(limit, total-offset)
	fromEnd := total-offset-limit < offset
	if fromEnd {
		offset = total - offset - limit
	}
	if keys.byTotal() && !q.isSorted(total) {
		return q.pageByTotal(keys, nil, offset, limit, fromEnd)
	}
	args = append(args, limit, offset)
	return &statement{fmt.Sprintf("SELECT t.%s AS key%s%s%s LIMIT $%d OFFSET $%d",
		keys.keyColumn(), keys.from(rows), where, keys.OrderBy(fromEnd), len(args)-1, len(args)), args}
}

// pageAfter returns the statement for the rows after a cursor in a list of total rows; the first rows without a cursor.
// If the first key is nullable, rows without it are read only if the others do not fill the page.
func (q *transactionQuery) pageAfter(
	keys sortKeysOfTransactions, place []*string, limit, total int64,
) *statement {
	if keys.byTotal() && !q.isSorted(total) {
		return q.pageByTotal(keys, place, 0, limit, false)
	}
	where, args := q.where()
	rows := "transactions t"
	if q.isSorted(total) {
		rows, where = "(SELECT * FROM transactions t"+where+" OFFSET 0) t", " WHERE TRUE"
	}
	following := transactionQuery{args: args}
	part := func(of pg.SortKeys, condition string, place []*string) string {
		following.conditions = []string{condition}
		if place != nil {
			following.after(of, place)
		}
		return fmt.Sprintf("SELECT t.%s AS key%s%s AND %s%s LIMIT %d", keys.keyColumn(), keys.from(rows), where,
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

// pageByTotal returns the statement for a page by total: the rows after a cursor, or those after offset without one. The
// index of submitted totals gives the transactions that have one. The keys of all other transactions, whose totals
// follow from their lines, are sorted. With an index on these sums, the stage that stores the tax would write to every
// index of the table.
func (q *transactionQuery) pageByTotal(
	keys sortKeysOfTransactions, place []*string, offset, limit int64, fromEnd bool,
) *statement {
	where, args := q.where()
	following := transactionQuery{args: args}
	part := func(of pg.SortKeys, condition string) string {
		following.conditions = []string{condition}
		if place != nil {
			following.after(of, place)
		}
		columns := ""
		for i, key := range of {
			columns += fmt.Sprintf(", %s AS k%d", key.Column, i)
		}
		return fmt.Sprintf("(SELECT t.%s AS key%s%s%s AND %s%s LIMIT %d)", keys.keyColumn(), columns, keys.from("transactions t"),
			where, strings.Join(following.conditions, " AND "), of.OrderBy(fromEnd), offset+limit)
	}
	submitted, both := slices.Clone(keys.SortKeys), slices.Clone(keys.SortKeys)
	submitted[0].Column = "t.total_amount"
	for i := range both {
		both[i].Column = fmt.Sprintf("k%d", i)
	}
	parts := part(submitted, "t.total_amount <> 0") + " UNION ALL " + part(keys.SortKeys, "t.total_amount = 0")
	args = append(following.args, limit, offset)
	return &statement{fmt.Sprintf("SELECT key FROM (%s) x%s LIMIT $%d OFFSET $%d",
		parts, both.OrderBy(fromEnd), len(args)-1, len(args)), args}
}

// cut limits the set to a page. It returns the cursor of the last row if more rows follow.
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

// pageOfDays returns the statement for a page on the given days.
func (q *transactionQuery) pageOfDays(keys sortKeysOfTransactions, part []bucketPart) *statement {
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
		n+1, n+2, n+3, n+4, keys.keyColumn(), keys.from("transactions t"), where, keys.OrderBy(false)), append(
		args, since, until, skip, take,
	)}
}
