package transactions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/store/pg"
)

// Totals of lists come from counts by day and kind, which every statement on transactions updates (see the migration of
// transaction_counts). Whole months have one count, days at the edges of a range have theirs, and parts of a day are
// counted by rows. The same counts tell the days of a page, so that a deep page skips months instead of rows.

// days is a range of whole days; until is exclusive.
type days struct{ since, until time.Time }

// allDays covers every date that a transaction can have.
var allDays = days{time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}

// countsOf are counts that distinguish some columns and sum up the others.
type countsOf struct {
	table, suffix string // the suffix of their spans
	decided       bool   // they distinguish columns that processing sets, for transactions that are processed
}

var (
	countsOfAll  = countsOf{table: "transaction_counts", suffix: " of all"}
	countsCoarse = countsOf{table: "transaction_coarse_counts", decided: true} // without state and filing
	countsFull   = countsOf{table: "transaction_counts", decided: true}
)

// bucket is the number of transactions that pass a filter within a range of days, or with a state.
type bucket struct {
	days
	state *string // of a bucket by state; nil for transactions without one
	n     int64
}

// wholeDays returns the whole days in the range of a filter, and the parts of days before and after them.
func (q *transactionQuery) wholeDays() (whole days, pieces []days) {
	whole = allDays
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
	end := q.to.Add(time.Microsecond) // the bound is inclusive, and times have microseconds
	whole.until = end.Truncate(24 * time.Hour)
	switch {
	case whole.until.Before(whole.since): // both bounds are on one day
		whole.until = whole.since
		return whole, []days{{q.from, end}}
	case whole.until.Before(end):
		pieces = append(pieces, days{whole.until, end})
	}
	return whole, pieces
}

// wholeMonths returns the whole months in a range of days. Without any it returns an empty range at the end.
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

// countStatement returns the statement that counts the transactions that pass the filter. It counts by month for whole
// months, by day for other days and parts of days. byState counts by state instead.
func (q *transactionQuery) countStatement(whole, months days, pieces []days, byState bool) (string, []any) {
	const dated = "(t.date AT TIME ZONE 'UTC')::date"
	of := struct{ counted, changed, row string }{"t.start", "t.day", dated}
	from := q.counts
	if byState {
		of.counted, of.changed, of.row, from = "t.state", "t.state", "t.state", countsFull
	}
	args := slices.Clone(q.args)
	arg := func(v any) string {
		args = append(args, v)
		return fmt.Sprintf("$%d", len(args))
	}
	conditions := strings.Join(q.conditions, " AND ")
	cells := conditions
	if from.decided {
		cells += " AND t.settled"
	}
	counts := func(span, since, until string) string {
		return fmt.Sprintf(`SELECT %s AS part, t.n FROM %s t WHERE %s AND t.span = '%s%s' AND t.start >= %s AND t.start < %s`,
			of.counted, from.table, cells, span, from.suffix, since, until)
	}
	since, until := arg(whole.since)+"::date", arg(whole.until)+"::date"
	firstMonth, endOfMonths := arg(months.since)+"::date", arg(months.until)+"::date"
	parts := []string{
		counts("month", firstMonth, endOfMonths),
		counts("day", since, firstMonth),
		counts("day", endOfMonths, until),
		fmt.Sprintf(
			`SELECT %s, t.n FROM transaction_count_changes t WHERE %s AND t.day >= %s AND t.day < %s`,
			of.changed, cells, since, until,
		),
	}
	if from.decided { // transactions in processing have an outbox row
		parts = append(parts, fmt.Sprintf(`SELECT %[5]s, 1 FROM outbox o
			CROSS JOIN LATERAL (SELECT * FROM transactions x WHERE x.organization_id = o.organization_id
			  AND x.id = o.aggregate_id OFFSET 0) t
			WHERE o.organization_id = $1 AND o.kind = 1 AND NOT is_settled(t.processing_status) AND %[2]s AND %[1]s >= %[3]s
			   AND %[1]s < %[4]s`,
			dated, conditions, since, until, of.row))
	}
	for _, piece := range pieces {
		parts = append(parts, fmt.Sprintf(`SELECT %s, 1 FROM transactions t WHERE %s AND t.date >= %s AND t.date < %s`,
			of.row, conditions, arg(piece.since), arg(piece.until)))
	}
	sums := fmt.Sprintf("SELECT c.part, sum(c.n)::bigint AS n FROM (%s) c GROUP BY 1", strings.Join(parts, "\nUNION ALL "))
	if byState {
		return sums + " HAVING sum(c.n) <> 0 ORDER BY 1", args
	}
	// A few days have thousands of counts. They are summed up before any other computation.
	return fmt.Sprintf(`
		SELECT CASE WHEN d.part >= %[1]s AND d.part < %[2]s THEN date_trunc('month', d.part)::date ELSE d.part END,
		       sum(d.n)::bigint
		  FROM (%[3]s) d GROUP BY 1 HAVING sum(d.n) <> 0 ORDER BY 1`, firstMonth, endOfMonths, sums), args
}

// queueCounts adds the statement that counts by month, and by day at the edges of the range of dates.
func (q *transactionQuery) queueCounts(batch *pgx.Batch, found *[]bucket) {
	whole, pieces := q.wholeDays()
	q.queueBuckets(batch, whole, whole.wholeMonths(), pieces, found)
}

// queueDays adds the statement that counts by day, in a range of days.
func (q *transactionQuery) queueDays(batch *pgx.Batch, part days, found *[]bucket) {
	whole, pieces := q.wholeDays()
	since, until := later(whole.since, part.since), earlier(whole.until, part.until)
	pieces = slices.DeleteFunc(pieces,
		func(p days) bool { return !p.since.Before(part.until) || !p.until.After(part.since) })
	q.queueBuckets(batch, days{since, until}, days{until, until}, pieces, found)
}

func (q *transactionQuery) queueBuckets(batch *pgx.Batch, whole, months days, pieces []days, found *[]bucket) {
	sql, args := q.countStatement(whole, months, pieces, false)
	var b bucket
	batch.Queue(sql, args...).Query(pg.Each([]any{&b.since, &b.n}, func() error {
		b.until = b.since.AddDate(0, 0, 1)
		if !b.since.Before(months.since) && b.since.Before(months.until) {
			b.until = b.since.AddDate(0, 1, 0)
		}
		*found = append(*found, b)
		return nil
	}))
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

// bucketPart is the part of a page in one bucket: skip rows of it precede the page, take rows are on it.
type bucketPart struct {
	bucket
	skip, take int64
}

// locate returns the buckets, in order, with the rows from offset on.
func locate(buckets []bucket, offset, limit int64) []bucketPart {
	var found []bucketPart
	for _, b := range buckets {
		if limit <= 0 {
			break
		}
		if offset >= b.n {
			offset -= b.n
			continue
		}
		take := min(limit, b.n-offset)
		found = append(found, bucketPart{b, offset, take})
		offset, limit = 0, limit-take
	}
	return found
}

// spareDays are the days that are counted in addition to the likely days of a page.
const spareDays = 3

// window returns the days that likely have the rows from skip to skip + take of n. It begins with the first day or,
// desc, with the last one. It assumes that each day has about as many sales.
func (d days) window(skip, take, n int64, desc bool) days {
	all := int64(d.until.Sub(d.since) / (24 * time.Hour))
	likely := int((skip+take)*all/n) + 1 + spareDays
	if desc {
		return days{later(d.since, d.until.AddDate(0, 0, -likely)), d.until}
	}
	return days{d.since, earlier(d.until, d.since.AddDate(0, 0, likely))}
}
