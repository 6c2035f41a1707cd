package transactions

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// startedPause is how long a batch whose workflow was started has until the relay
// checks whether it is still under way.
const startedPause = "60 seconds"

// leaseTime is how long a row is left alone at least once a relay has taken it: longer
// than to start its batch and to note that takes. On a slow day others would start the
// same rows in batches of their own.
const leaseTime = "15 seconds"

// LongestAttemptPause is the longest time between two attempts at a transaction that has
// failed by itself. One that only met outages does not wait so long for their end.
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

// MarkStarted notes which batch carries the transactions, so that a slow engine
// does not make the relay start everything twice. Rows that somebody holds, or has just
// changed, are passed over: they are being finished or leased, and need no mark.
//
// Both searches are by key and by place: of an outbox that was empty when it was analyzed
// the planner would read all rows for every row of the batch.
func (s *Store) MarkStarted(ctx context.Context, batchID string, refs []models.Ref) error {
	_, err := s.db.Exec(ctx, markStarted.SQL, markStarted.Values([]any{batchID}, refRows.Of(refs))...)
	return pg.Translate(err)
}

// leaseWindow is how many of the oldest and of the newest rows that are due a lease chooses from.
const leaseWindow = 2000

// Lease takes up to limit rows that are due and puts off their next attempt: the
// commit is the lease, other relays skip the rows while it lasts. It is one of the
// few queries that cross organizations, and serves them round-robin: the oldest row of each, then the
// second of each. Among the newest are those of an organization that has hardly any, beside the
// backlog of another one that has a million. It takes nothing of the background.
func (s *Store) Lease(ctx context.Context, limit int) ([]models.OutboxRow, error) {
	return s.lease(ctx, leaseStatement, false, limit)
}

// LeaseBackground is Lease of what is in the background, for a batch that is started next: rows without a batch have
// that one, and need no mark when it was started. Where it never is, Temporal does not know it when their next attempt
// is due, and they are released as those of a batch that is over.
func (s *Store) LeaseBackground(ctx context.Context, batchID string, limit int) ([]models.OutboxRow, error) {
	return s.lease(ctx, leaseBackground, true, limit, batchID)
}

// LeaseRecent is Lease for recent transactions without an attempt: a backlog does not delay them.
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

// leaseStatement is the statement of Lease. Its condition has an index, as that of LeaseBackground has, for the rows that are
// due. By it the planner may also look each of them up again to lock it, and so read all that are due for every one:
// of an outbox that was empty when it was analyzed they are hardly any. IS TRUE keeps the condition out of the index.
var leaseStatement = leaseWhere("NOT background", "true", leaseTime, "")

// leaseBackground is that of LeaseBackground. What it takes rests as what MarkStarted marks.
var leaseBackground = leaseWhere("background", "true", startedPause, "batch_id = coalesce(o.batch_id, $3), ")

// leaseRecent is that of LeaseRecent. A row is due no sooner than it was written, so that only few have to be read for it.
var leaseRecent = leaseWhere("NOT background AND next_attempt_at > now() - "+recentTime,
	"attempts = 0 AND created_at > now() - "+recentTime, leaseTime, "")

// recentTime is models.SentFor.
var recentTime = fmt.Sprintf("interval '%d seconds'", int(models.SentFor.Seconds()))

// leaseWhere is a lease of rows of the oldest and the newest that are due: which are chosen from, and among them those
// that are taken, how long they rest at least, and what else changes with them.
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

// Release frees rows that a batch which is over left: they are due now and leave with a new
// batch. Rows that have another batch meanwhile, or wait for their original, stay as they are.
func (s *Store) Release(ctx context.Context, rows []models.OutboxRow) error {
	_, err := s.db.Exec(ctx, releaseRows.SQL, releaseRows.Values(nil, leasedRows.Of(rows))...)
	return pg.Translate(err)
}

// Backlog is the work that waits: how much, how old the oldest is, and how much
// of it has been tried models.FailingAttempts times or more.
type Backlog struct {
	Rows, Failing int64
	OldestAge     time.Duration
}

// Backlog measures the outbox, for the metrics and for shedding load. A refund that
// waits for its original is no work that waits for somebody.
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

// WaitingRefunds measures the refunds that wait for their originals: a sale that is never
// processed keeps its refunds waiting, which no attempt tells.
func (s *Store) WaitingRefunds(ctx context.Context) (Backlog, error) {
	var b Backlog
	var seconds int64
	err := s.db.QueryRow(ctx, `
		SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at))::bigint, 0)
		  FROM outbox WHERE waits_for IS NOT NULL`).Scan(&b.Rows, &seconds)
	b.OldestAge = time.Duration(seconds) * time.Second
	return b, pg.Translate(err)
}
