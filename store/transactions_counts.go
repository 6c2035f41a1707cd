package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Totals of lists come from counts by day and kind that every statement on
// transactions keeps exact (see the migration of transaction_counts): months as a
// whole, days at the edges of a range, and the rows themselves for what lies within a
// day. The same counts say on which days a page lies, so that a deep page skips
// months instead of rows.

// days is a range of whole days, until exclusive.
type days struct{ since, until time.Time }

// always covers every date a transaction can have.
var always = days{time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}

// bucket is how many transactions that pass a filter lie in a range of days.
type bucket struct {
	days
	n int64
}

// wholeDays is the range of days of which a filter takes all, and the moments left over
// before and behind it.
func (q *transactionQuery) wholeDays() (whole days, pieces []days) {
	whole = always
	if !q.from.IsZero() {
		whole.since = q.from.Truncate(24 * time.Hour)
		if whole.since.Before(q.from) {
			whole.since = whole.since.AddDate(0, 0, 1)
			pieces = append(pieces, days{q.from, whole.since})
		}
	}
	if q.to.IsZero() {
		return whole, pieces
	}
	end := q.to.Add(time.Microsecond) // the bound is inclusive, and this is the resolution
	whole.until = end.Truncate(24 * time.Hour)
	switch {
	case whole.until.Before(whole.since): // both within one day
		whole.until = whole.since
		return whole, []days{{q.from, end}}
	case whole.until.Before(end):
		pieces = append(pieces, days{whole.until, end})
	}
	return whole, pieces
}

// wholeMonths is the part of a range of days that consists of whole months; it is empty
// at the end of the range when there is none.
func (d days) wholeMonths() days {
	since, until := firstOfMonth(d.since), firstOfMonth(d.until)
	if since.Before(d.since) {
		since = since.AddDate(0, 1, 0)
	}
	if !since.Before(until) {
		return days{d.until, d.until}
	}
	return days{since, until}
}

func firstOfMonth(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// spread is the statement that counts what passes the filter: the whole months one by
// one, the other days one by one, the pieces of days with their day.
func (q *transactionQuery) spread(whole, months days, pieces []days) (string, []any) {
	args := slices.Clone(q.args)
	arg := func(v any) string {
		args = append(args, v)
		return fmt.Sprintf("$%d", len(args))
	}
	conditions := strings.Join(q.conditions, " AND ")
	cells, month, day := conditions, "month of all", "day of all"
	if q.decided {
		cells, month, day = cells+" AND t.settled", "month", "day"
	}
	since, until := arg(whole.since)+"::date", arg(whole.until)+"::date"
	firstMonth, endOfMonths := arg(months.since)+"::date", arg(months.until)+"::date"
	parts := []string{
		fmt.Sprintf(`SELECT t.start AS day, t.n FROM transaction_counts t WHERE %s AND t.span = '%s' AND t.start >= %s AND t.start < %s`, cells, month, firstMonth, endOfMonths),
		fmt.Sprintf(`SELECT t.start, t.n FROM transaction_counts t WHERE %s AND t.span = '%s' AND t.start >= %s AND t.start < %s`, cells, day, since, firstMonth),
		fmt.Sprintf(`SELECT t.start, t.n FROM transaction_counts t WHERE %s AND t.span = '%s' AND t.start >= %s AND t.start < %s`, cells, day, endOfMonths, until),
		fmt.Sprintf(`SELECT t.day, t.n FROM transaction_count_changes t WHERE %s AND t.day >= %s AND t.day < %s`, cells, since, until),
	}
	const dated = "(t.date AT TIME ZONE 'UTC')::date"
	if q.decided { // all that is under way has its row in the outbox
		parts = append(parts, fmt.Sprintf(`SELECT %[1]s, 1 FROM outbox o
			CROSS JOIN LATERAL (SELECT * FROM transactions x WHERE x.organization_id = o.organization_id AND x.id = o.aggregate_id OFFSET 0) t
			WHERE o.organization_id = $1 AND o.kind = 1 AND NOT is_settled(t.processing_status) AND %[2]s AND %[1]s >= %[3]s AND %[1]s < %[4]s`,
			dated, conditions, since, until))
	}
	for _, piece := range pieces {
		parts = append(parts, fmt.Sprintf(`SELECT %s, 1 FROM transactions t WHERE %s AND t.date >= %s AND t.date < %s`, dated, conditions, arg(piece.since), arg(piece.until)))
	}
	// There are thousands of counts for a few days: they are added up before anything
	// else is computed of them.
	return fmt.Sprintf(`
		SELECT CASE WHEN d.day >= %[1]s AND d.day < %[2]s THEN date_trunc('month', d.day)::date ELSE d.day END, sum(d.n)::bigint
		  FROM (SELECT c.day, sum(c.n) AS n FROM (%[3]s) c GROUP BY 1) d
		 GROUP BY 1 HAVING sum(d.n) <> 0 ORDER BY 1`, firstMonth, endOfMonths, strings.Join(parts, "\nUNION ALL ")), args
}

// queueSpread counts by month and, at the edges of the range of dates, by day.
func (q *transactionQuery) queueSpread(batch *pgx.Batch, found *[]bucket) {
	whole, pieces := q.wholeDays()
	q.queueBuckets(batch, whole, whole.wholeMonths(), pieces, found)
}

// queueDays counts by day, in a range of days.
func (q *transactionQuery) queueDays(batch *pgx.Batch, part days, found *[]bucket) {
	whole, pieces := q.wholeDays()
	since, until := later(whole.since, part.since), earlier(whole.until, part.until)
	pieces = slices.DeleteFunc(pieces, func(p days) bool { return !p.since.Before(part.until) || !p.until.After(part.since) })
	q.queueBuckets(batch, days{since, until}, days{until, until}, pieces, found)
}

func (q *transactionQuery) queueBuckets(batch *pgx.Batch, whole, months days, pieces []days, found *[]bucket) {
	sql, args := q.spread(whole, months, pieces)
	batch.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		var b bucket
		_, err := pgx.ForEachRow(rows, []any{&b.since, &b.n}, func() error {
			b.until = b.since.AddDate(0, 0, 1)
			if !b.since.Before(months.since) && b.since.Before(months.until) {
				b.until = b.since.AddDate(0, 1, 0)
			}
			*found = append(*found, b)
			return nil
		})
		return err
	})
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// stretch is the part of a page that lies in one bucket.
type stretch struct {
	bucket
	skip, take int64
}

// locate says in which buckets, taken in their order, the rows from offset on lie.
func locate(buckets []bucket, offset, limit int64) []stretch {
	var found []stretch
	for _, b := range buckets {
		if limit <= 0 {
			break
		}
		if offset >= b.n {
			offset -= b.n
			continue
		}
		take := min(limit, b.n-offset)
		found = append(found, stretch{b, offset, take})
		offset, limit = 0, limit-take
	}
	return found
}

// spareDays are counted beyond those on which a page should lie.
const spareDays = 3

// window is the part of a range in which the rows from skip to skip + take of its n
// should lie, counted from its first day or, desc, from its last one: sales are made on
// every day about as often.
func (d days) window(skip, take, n int64, desc bool) days {
	all := int64(d.until.Sub(d.since) / (24 * time.Hour))
	likely := int((skip+take)*all/n) + 1 + spareDays
	if desc {
		return days{later(d.since, d.until.AddDate(0, 0, -likely)), d.until}
	}
	return days{d.since, earlier(d.until, d.since.AddDate(0, 0, likely))}
}

// foldAtOnce bounds what one statement folds.
const foldAtOnce = 10000

// foldCounts folds changes into the counts, and into those "of all", which leave out
// what processing decides. Rows are changed in key order, so that several processes may
// fold at once.
const foldCounts = `
	WITH taken AS (
	  DELETE FROM transaction_count_changes WHERE ctid = ANY (ARRAY(
	    SELECT ctid FROM transaction_count_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
	  RETURNING *),
	cells AS (
	  SELECT organization_id, '' AS of_all, day, settled, type, status, source, marketplace, connection_id,
	         processing_status, address_status, exempt, country, state, filing_id, n FROM taken
	  UNION ALL
	  SELECT organization_id, ' of all', day, false, type, status, source, marketplace, connection_id, NULL, NULL, NULL, NULL, NULL, NULL, n FROM taken),
	sums AS (
	  SELECT organization_id, s.span || of_all AS span, s.start, settled, type, status, source, marketplace, connection_id,
	         processing_status, address_status, exempt, country, state, filing_id, sum(n) AS n
	    FROM cells CROSS JOIN LATERAL (VALUES ('day', day), ('month', date_trunc('month', day)::date)) s(span, start)
	   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 HAVING sum(n) <> 0),
	folded AS (
	  INSERT INTO transaction_counts AS c (organization_id, span, start, cell, settled, type, status, source, marketplace, connection_id,
	         processing_status, address_status, exempt, country, state, filing_id, n)
	  SELECT organization_id, span, start,
	         md5(ROW(settled, type, status, source, marketplace, connection_id, processing_status, address_status, exempt, country, state, filing_id)::text)::uuid,
	         settled, type, status, source, marketplace, connection_id, processing_status, address_status, exempt, country, state, filing_id, n
	    FROM sums ORDER BY 1, 2, 3, 4
	  ON CONFLICT (organization_id, span, start, cell) DO UPDATE SET n = c.n + excluded.n)
	SELECT count(*) FROM taken`

// FoldCounts folds what is there and returns how many changes there were.
func (s *Store) FoldCounts(ctx context.Context) (int, error) {
	total := 0
	for _, fold := range []string{foldCounts, foldRecordCounts} {
		for taken := foldAtOnce; taken == foldAtOnce; total += taken {
			if err := s.pool.QueryRow(ctx, fold, foldAtOnce).Scan(&taken); err != nil {
				return total, translate(err)
			}
		}
	}
	return total, nil
}

// KeepCountsFolded folds about once a second, until ctx ends. Several processes may do
// so at once; lists are exact without it, and slower.
func (s *Store) KeepCountsFolded(ctx context.Context) {
	repeat(ctx, time.Second, func(ctx context.Context) (bool, error) {
		_, err := s.FoldCounts(ctx)
		return false, err
	})
}
