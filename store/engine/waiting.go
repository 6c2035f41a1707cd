package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// waiting describes a kind of records: which of them need a run, and how a statement makes them due.
type waiting struct {
	kind, table, id string // id is the column of the id
	open            string // the condition that a record needs a run
	failed          string // the condition that another record waits for people
	due             string // the assignments that make a record due
}

// openRecords is the condition that the workflow of a record is not done.
const openRecords = "next_check_at IS NOT NULL"

// waitingRecords are all kinds but transactions, whose work is in the outbox.
var waitingRecords = []waiting{
	{models.WaitingOnboardings, "onboardings", "organization_id", openRecords, "false", "next_check_at = now()"},
	{
		models.WaitingRegistrations, "registrations", "id", openRecords, "false",
		"next_check_at = now(), changed = true", // a waiting run reads the record then, too
	},
	{models.WaitingFilings, "filings", "id", openRecords, "false", "next_check_at = now()"},
	{
		models.WaitingImports, "transaction_imports", "id", openRecords + " AND status <> 'UPLOADING'",
		"status = 'FAILED'", "next_check_at = now()",
	},
	{
		models.WaitingWebhooks, "webhook_endpoints", "id", openRecords, "false",
		"next_check_at = now(), rests_until = NULL", // a pause that its receiver requested stays: see EndWebhookPauses
	},
}

// waitingOutbox are the transactions of the outbox, without refunds that wait for their original: only that makes them
// due. The reason of the last failure stays until a success.
var waitingOutbox = waiting{
	models.WaitingTransactions, "outbox", "aggregate_id", "kind = 1 AND waits_for IS NULL", "false",
	"next_attempt_at = now(), attempts = 0, batch_id = NULL",
}

// Waiting returns the records that wait, and those of them that no process takes.
func (s *Store) Waiting(ctx context.Context) (models.Waiting, error) {
	var w models.Waiting
	err := s.db.InTx(ctx, func(ctx context.Context) (err error) {
		if w.Outbox, err = s.waitingOutbox(ctx); err != nil {
			return err
		}
		for _, kind := range waitingRecords {
			records, err := s.waitingRecords(ctx, kind)
			if err != nil {
				return err
			}
			w.Records = append(w.Records, records)
		}
		return nil
	})
	return w, err
}

// notMoved is the time before which a due record counts as taken by no process. Usually one takes it within seconds.
const notMoved = "now() - interval '1 minute'"

func (s *Store) waitingOutbox(ctx context.Context) (models.WaitingOutbox, error) {
	var o models.WaitingOutbox
	var oldest, oldestRefund int64
	err := s.db.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE waits_for IS NULL),
		       coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE waits_for IS NULL))::bigint, 0),
		       count(*) FILTER (WHERE waits_for IS NULL AND next_attempt_at < `+notMoved+`),
		       count(*) FILTER (WHERE waits_for IS NULL AND `+pg.TriedRepeatedly("outbox")+`),
		       count(*) FILTER (WHERE waits_for IS NOT NULL),
		       coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE waits_for IS NOT NULL))::bigint, 0)
		  FROM outbox`).Scan(&o.Rows, &oldest, &o.NotMoved, &o.Failing, &o.Refunds.Rows, &oldestRefund)
	if err != nil {
		return o, pg.Translate(err)
	}
	o.Oldest, o.Refunds.Oldest = time.Duration(oldest)*time.Second, time.Duration(oldestRefund)*time.Second
	rows, err := s.db.Query(ctx, `
		SELECT last_error, count(*), max(attempts) FROM outbox
		 WHERE last_error IS NOT NULL GROUP BY last_error ORDER BY count(*) DESC, last_error LIMIT 20`)
	o.Errors, err = pg.Collect(rows, err, pgx.RowToStructByPos[models.WaitingFailure])
	return o, err
}

func (s *Store) waitingRecords(ctx context.Context, kind waiting) (models.WaitingRecords, error) {
	w := models.WaitingRecords{Kind: kind.kind, ByStatus: map[string]int64{}}
	rows, err := s.db.Query(ctx, fmt.Sprintf(`
		SELECT status, count(*), count(*) FILTER (WHERE next_check_at < `+notMoved+`),
		       coalesce(extract(epoch FROM now() - min(next_check_at) FILTER (WHERE next_check_at < `+notMoved+`))::bigint, 0)
		  FROM %s WHERE %s OR %s GROUP BY status`, kind.table, kind.open, kind.failed))
	var status string
	var open, late, longest int64
	err = pg.ForEach(rows, err, []any{&status, &open, &late, &longest}, func() error {
		w.ByStatus[status] = open
		w.Open += open
		w.NotMoved += late
		w.Longest = max(w.Longest, time.Duration(longest)*time.Second)
		return nil
	})
	return w, err
}
