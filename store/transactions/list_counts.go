package transactions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/store/pg"
)

// Totals of lists come from counts by day and kind that every statement on
// transactions keeps exact (see the migration of transaction_counts): months as a
// whole, days at the edges of a range, and the rows themselves for what lies within a
// day. The same counts say on which days a page lies, so that a deep page skips
// months instead of rows.

// days is a range of whole days, until exclusive.
type days struct{ since, until time.Time }

// allDays covers every date a transaction can have.
var allDays = days{time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}

// countsOf are counts that distinguish some things, and add the others up.
type countsOf struct {
	table, suffix string // the suffix of their spans
	decided       bool   // they distinguish what processing decides, once it is decided
}

var (
	countsOfAll  = countsOf{table: "transaction_counts", suffix: " of all"}
	countsCoarse = countsOf{table: "transaction_coarse_counts", decided: true} // all but state and filing
	countsFull   = countsOf{table: "transaction_counts", decided: true}
)

// bucket is how many transactions that pass a filter lie in a range of days, or have a
// state.
type bucket struct {
	days
	state *string // of a bucket of a state; nil for those without one
	n     int64
}

// wholeDays is the range of days of which a filter takes all, and the moments left over
// before and behind it.
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

// countStatement is the statement that counts what passes the filter: the whole months one by
// one, the other days one by one, the pieces of days with their day. byState counts by
// state instead.
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
	if from.decided { // all that is under way has its row in the outbox
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
	// There are thousands of counts for a few days: they are added up before anything
	// else is computed of them.
	return fmt.Sprintf(`
		SELECT CASE WHEN d.part >= %[1]s AND d.part < %[2]s THEN date_trunc('month', d.part)::date ELSE d.part END,
		       sum(d.n)::bigint
		  FROM (%[3]s) d GROUP BY 1 HAVING sum(d.n) <> 0 ORDER BY 1`, firstMonth, endOfMonths, sums), args
}

// queueCounts counts by month and, at the edges of the range of dates, by day.
func (q *transactionQuery) queueCounts(batch *pgx.Batch, found *[]bucket) {
	whole, pieces := q.wholeDays()
	q.queueBuckets(batch, whole, whole.wholeMonths(), pieces, found)
}

// queueDays counts by day, in a range of days.
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

// bucketPart is the part of a page that lies in one bucket.
type bucketPart struct {
	bucket
	skip, take int64
}

// locate says in which buckets, taken in their order, the rows from offset on lie.
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
