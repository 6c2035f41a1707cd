package transactions

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// startedPause is how long after the start of its workflow the relay checks whether a batch is still running.
const startedPause = "60 seconds"

// leaseTime is the minimum time between a relay's lease of a row and the next lease. It is longer than starting the
// batch and recording that. Otherwise, on a slow day, others would start the same rows in batches of their own.
const leaseTime = "15 seconds"

// LongestAttemptPause is the longest pause between two attempts at a transaction that fails because of its own data. A
// transaction that only met outages does not wait so long for their end.
const LongestAttemptPause = "5 minutes"

var markStarted = pg.Prepare(`
	WITH held AS (
	  SELECT o.at
	    FROM {ref}
	   CROSS JOIN LATERAL (
	     SELECT x.ctid AS at FROM outbox x
	      WHERE x.organization_id = ref.organization_id AND x.kind = 1 AND x.aggregate_id = ref.id AND x.epoch = ref.epoch
	        AND x.waits_for IS NULL
	        FOR UPDATE SKIP LOCKED) o)
	UPDATE outbox SET batch_id = @batch_id, next_attempt_at = now() + interval '`+startedPause+
	`' WHERE ctid = ANY (ARRAY (SELECT at FROM held))`, pg.Names{"batch_id"}, refRows)

// MarkStarted records the batch of transactions whose workflow was started, so that a slow engine does not make the
// relay start them twice. It skips rows that another transaction has locked or changed: they are being completed or
// leased.
//
// It finds rows by key and updates them by ctid. If the outbox was empty when it was analyzed, the planner would
// otherwise read all rows for every row of the batch.
func (s *Store) MarkStarted(ctx context.Context, batchID string, refs []models.Ref) error {
	_, err := s.db.Exec(ctx, markStarted.SQL, markStarted.Values([]any{batchID}, refRows.Of(refs))...)
	return pg.Translate(err)
}

// leaseWindow is how many of the oldest and of the newest due rows a lease chooses from.
const leaseWindow = 2000

// Lease takes up to limit due rows and postpones their next attempt. The commit is the lease: other relays skip the
// rows while it lasts. It is one of the few queries across organizations and serves them round-robin:
// the oldest row of each, then the second of each. It also reads the newest rows: they include rows of an organization
// with few, next to a backlog of a million rows. It takes no background rows.
func (s *Store) Lease(ctx context.Context, limit int) ([]models.OutboxRow, error) {
	return s.lease(ctx, leaseStatement, false, limit)
}

// LeaseBackground is Lease for background rows, for a batch that is started next. Rows without a batch get that one, so
// MarkStarted is not needed. If the batch is never started, Temporal does not know it when the next attempt is due. The
// rows are then released like those of an ended batch.
func (s *Store) LeaseBackground(ctx context.Context, batchID string, limit int) ([]models.OutboxRow, error) {
	return s.lease(ctx, leaseBackground, true, limit, batchID)
}

// LeaseRecent is Lease for recent transactions without an attempt, so that a backlog does not delay them.
func (s *Store) LeaseRecent(ctx context.Context, limit int) ([]models.OutboxRow, error) {
	return s.lease(ctx, leaseRecent, false, limit)
}

func (s *Store) lease(
	ctx context.Context, sql string, background bool, limit int, more ...any,
) ([]models.OutboxRow, error) {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return nil, pg.Translate(err)
	}
	defer conn.Release()
	var leased []models.OutboxRow
	batch := &pgx.Batch{}
	conn.BeginByKey(batch)
	batch.Queue(sql, append([]any{limit, leaseWindow}, more...)...).Query(pg.All(&leased,
		func(row pgx.CollectableRow) (o models.OutboxRow, err error) {
			o.Background = background
			err = row.Scan(&o.OrganizationID, &o.ID, &o.Epoch, &o.BatchID, &o.Attempts, &o.CreatedAt)
			return o, err
		}))
	conn.Commit(batch)
	if err := conn.SendLast(ctx, batch); err != nil {
		conn.Rollback(ctx)
		return nil, err
	}
	return leased, nil
}

// leaseStatement is the statement of Lease. One index has its condition, and another index the condition of
// LeaseBackground. When it locks the chosen rows, the planner might use that index again and read all due rows for each
// of them.
// If the outbox was empty when it was analyzed, they seem to be few. IS TRUE prevents that.
var leaseStatement = leaseWhere("NOT background", "true", leaseTime, "")

// leaseBackground is the statement of LeaseBackground. Its rows wait as long as those that MarkStarted marks.
var leaseBackground = leaseWhere("background", "true", startedPause, "batch_id = coalesce(o.batch_id, $3), ")

// leaseRecent is the statement of LeaseRecent. A row is never due before it was written, so only few rows are read.
var leaseRecent = leaseWhere("NOT background AND next_attempt_at > now() - "+recentTime,
	"attempts = 0 AND created_at > now() - "+recentTime, leaseTime, "")

// recentTime is models.RecentFor as an SQL interval.
var recentTime = fmt.Sprintf("interval '%d seconds'", int(models.RecentFor.Seconds()))

// leaseWhere returns the statement of a lease of the oldest and newest due rows. The condition which selects the rows
// to choose from, and among those to take. atLeast is the minimum pause, set a further assignment.
func leaseWhere(which, among, atLeast, set string) string {
	return `
		WITH due AS (
		  SELECT o.at FROM (
		    SELECT w.* FROM (
		      (SELECT organization_id, kind, aggregate_id, next_attempt_at, attempts, created_at FROM outbox
		        WHERE ` + which + ` AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT $2)
		      UNION
		      (SELECT organization_id, kind, aggregate_id, next_attempt_at, attempts, created_at FROM outbox
		        WHERE ` + which + ` AND next_attempt_at <= now() ORDER BY next_attempt_at DESC LIMIT $2)) w
		     WHERE ` + among + `
		     ORDER BY row_number() OVER (PARTITION BY w.organization_id ORDER BY w.next_attempt_at),
		           w.next_attempt_at OFFSET 0) t
		   CROSS JOIN LATERAL (
		     SELECT x.ctid AS at FROM outbox x
		      WHERE x.organization_id = t.organization_id AND x.kind = t.kind AND x.aggregate_id = t.aggregate_id
		        AND (` + which + ` AND ` + among + ` AND x.next_attempt_at <= now()) IS TRUE
		        /* guard: outbox: a lease skips what another relay holds */ FOR UPDATE SKIP LOCKED) o
		   LIMIT $1)
		UPDATE outbox o SET ` + set + `attempts = o.attempts + 1,
		       next_attempt_at = now() + least(CASE WHEN o.last_error IS NULL THEN interval '` + startedPause +
		`' ELSE interval '` + LongestAttemptPause + `' END,
		         greatest(interval '` + atLeast + `',
		           /* guard: outbox: a lease puts off the next attempt */ interval '3 seconds' * power(2, least(o.attempts, 7))))
		 WHERE o.ctid = ANY (ARRAY (SELECT at FROM due))
		RETURNING o.organization_id, o.aggregate_id, o.epoch, coalesce(o.batch_id, ''), o.attempts, o.created_at`
}

var leasedRows = pg.RowsOf("leased", refColumns(func(row *models.OutboxRow) *models.Ref { return &row.Ref },
	pg.Col("batch_id", "text", func(row *models.OutboxRow) *string { return &row.BatchID }),
)...)

var releaseRows = pg.Prepare(`
	WITH held AS (
	  SELECT o.at
	    FROM {leased}
	   CROSS JOIN LATERAL (
	     SELECT x.ctid AS at FROM outbox x
	      WHERE x.organization_id = leased.organization_id AND x.kind = 1 AND x.aggregate_id = leased.id AND x.epoch = leased.epoch
	        AND x.batch_id = leased.batch_id AND x.waits_for IS NULL
	        FOR UPDATE SKIP LOCKED) o)
	UPDATE outbox SET batch_id = NULL, next_attempt_at = now() WHERE ctid = ANY (ARRAY (SELECT at FROM held))`, nil, leasedRows)

// Release frees the rows of a batch that has ended: they are due now and get a new batch. It skips rows that have
// another batch by now, or wait for their original.
func (s *Store) Release(ctx context.Context, rows []models.OutboxRow) error {
	_, err := s.db.Exec(ctx, releaseRows.SQL, releaseRows.Values(nil, leasedRows.Of(rows))...)
	return pg.Translate(err)
}

// Backlog is the waiting work: the number of rows, the age of the oldest, and how many rows had models.FailingAttempts
// attempts or more.
type Backlog struct {
	Rows, Failing int64
	OldestAge     time.Duration
}

// Backlog measures the outbox, for metrics and load shedding. It ignores refunds that wait for their original.
func (s *Store) Backlog(ctx context.Context) (Backlog, error) {
	var b Backlog
	var seconds int64
	err := s.db.QueryRow(ctx, `
		SELECT count(*), count(*) FILTER (WHERE `+pg.TriedRepeatedly("outbox")+`),
		       coalesce(extract(epoch FROM now() - min(created_at))::bigint, 0)
		  FROM outbox WHERE waits_for IS NULL`).Scan(&b.Rows, &b.Failing, &seconds)
	b.OldestAge = time.Duration(seconds) * time.Second
	return b, pg.Translate(err)
}

// WaitingRefunds measures the refunds that wait for their originals. A sale that is never processed keeps its refunds
// waiting, and no attempt shows that.
func (s *Store) WaitingRefunds(ctx context.Context) (Backlog, error) {
	var b Backlog
	var seconds int64
	err := s.db.QueryRow(ctx, `
		SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at))::bigint, 0)
		  FROM outbox WHERE waits_for IS NOT NULL`).Scan(&b.Rows, &seconds)
	b.OldestAge = time.Duration(seconds) * time.Second
	return b, pg.Translate(err)
}
