package engine

import (
	"context"
	"fmt"
	"slices"

	"levy/models"
	"levy/store/pg"
)

// requeueRows bounds one statement, because other writers of its records wait for it.
const requeueRows = 1000

// Requeue makes records of a kind due, so that a process takes them within seconds. Transactions lose the pause after
// their last attempt. It returns the ids of the records that it made due. Other transactions need no run, or are
// refunds that wait for their original.
func (s *Store) Requeue(ctx context.Context, kind string, ids []string) ([]string, error) {
	w := waitingOf(kind)
	var requeued []string
	for some := range slices.Chunk(ids, requeueRows) {
		page, err := s.requeue(ctx, w, w.id+" = ANY ($3)", models.Ref{}, some)
		if err != nil {
			return requeued, err
		}
		for _, record := range page {
			requeued = append(requeued, record.ID)
		}
	}
	return requeued, nil
}

// RequeueAll makes all records of a kind due that need a run, and returns how many. Of transactions it makes those due
// that have had an attempt.
func (s *Store) RequeueAll(ctx context.Context, kind string) (int, error) {
	condition := "true"
	if kind == models.WaitingTransactions {
		condition = "attempts > 0"
	}
	n, after := 0, models.Ref{}
	for {
		page, err := s.requeue(ctx, waitingOf(kind), condition, after)
		if err != nil || len(page) == 0 {
			return n, err
		}
		n += len(page)
		after = slices.MaxFunc(page, compareKeys)
	}
}

// waitingOf returns the description of a kind.
func waitingOf(kind string) waiting {
	for _, w := range waitingRecords {
		if w.kind == kind {
			return w
		}
	}
	return waitingOutbox
}

// requeue makes the next records after a key due. It locks them in the order of their keys, as every other writer does.
func (s *Store) requeue(
	ctx context.Context, w waiting, condition string, after models.Ref, args ...any,
) ([]models.Ref, error) {
	rows, err := s.db.Query(ctx, fmt.Sprintf(`
		WITH page AS (%[1]s FOR NO KEY UPDATE)
		UPDATE %[2]s r SET %[4]s FROM page
		 WHERE r.organization_id = page.organization_id AND r.%[3]s = page.id
		RETURNING r.organization_id, r.%[3]s`, w.next(condition, requeueRows), w.table, w.id, w.due),
		append([]any{after.OrganizationID, after.ID}, args...)...)
	return pg.Collect(rows, err, scanKey)
}

// dueDeliveries makes some deliveries due that wait for their next attempt. A delivery in progress is leased for two
// minutes and stays as it is. So does a row that another transaction has locked, because the statement waits for no
// lock.
const dueDeliveries = `
	WITH page AS (
	  SELECT d.organization_id, d.endpoint_id, d.id FROM webhook_endpoints w CROSS JOIN LATERAL (
	    SELECT d.organization_id, d.endpoint_id, d.id FROM webhook_deliveries d
	     WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.status = 'PENDING'
	       AND d.next_attempt_at > now() + interval '2 minutes'
	     LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED) d
	   WHERE w.` + openRecords + ` AND ($1::text[] IS NULL OR w.id = ANY ($1)) LIMIT $2)
	UPDATE webhook_deliveries d SET next_attempt_at = now() FROM page p
	 WHERE d.organization_id = p.organization_id AND d.endpoint_id = p.endpoint_id AND d.id = p.id`

// EndWebhookPauses ends the pauses of deliveries, and those that receivers requested. endpoints names the endpoints;
// nil stands for all. Requeue makes the endpoints due.
func (s *Store) EndWebhookPauses(ctx context.Context, endpoints []string) error {
	for {
		done, err := s.db.Exec(ctx, dueDeliveries, endpoints, requeueRows)
		if err != nil {
			return pg.Translate(err)
		}
		if done.RowsAffected() < requeueRows {
			break
		}
	}
	_, err := s.db.Exec(ctx, `UPDATE webhook_endpoints SET paused_until = NULL
		WHERE paused_until > now() AND ($1::text[] IS NULL OR id = ANY ($1))`, endpoints)
	return pg.Translate(err)
}
