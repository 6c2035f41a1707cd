package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// requeueRows bounds one statement: other writers of its records wait for it.
const requeueRows = 1000

// Requeue makes records of a kind due, so that they are taken up within seconds; transactions lose the pause that their
// attempts have earned them. It returns the ids of those that it made due: others have nothing left to do, or are
// refunds that wait for their original.
func (s *Store) Requeue(ctx context.Context, kind string, ids []string) ([]string, error) {
	var requeued []string
	for some := range slices.Chunk(ids, requeueRows) {
		page, err := s.requeue(ctx, waitingOf(kind), " AND %[2]s = ANY ($3)", place{}, some)
		if err != nil {
			return requeued, err
		}
		for _, p := range page {
			requeued = append(requeued, p.id)
		}
	}
	return requeued, nil
}

// RequeueAll makes all records of a kind due for which there is something left to do, and all
// transactions that were tried before, and returns how many.
func (s *Store) RequeueAll(ctx context.Context, kind string) (int, error) {
	which := ""
	if kind == models.WaitingTransactions {
		which = " AND attempts > 0"
	}
	n, after := 0, place{}
	for {
		page, err := s.requeue(ctx, waitingOf(kind), which, after)
		if err != nil || len(page) == 0 {
			return n, err
		}
		n += len(page)
		after = slices.MaxFunc(page, place.compare)
	}
}

func waitingOf(kind string) waiting {
	for _, w := range waitingRecords {
		if w.kind == kind {
			return w
		}
	}
	return waitingOutbox
}

// place is where a record is in the order of its key.
type place struct{ organizationID, id string }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.organizationID, q.organizationID), cmp.Compare(p.id, q.id))
}

// requeue makes the next records behind a place due, locking them in the order of their key as
// everybody does.
func (s *Store) requeue(ctx context.Context, w waiting, which string, after place, args ...any) ([]place, error) {
	rows, err := s.db.Query(ctx, fmt.Sprintf(`
		WITH page AS (
		  SELECT organization_id, %[2]s AS id FROM %[1]s
		   WHERE (organization_id, %[2]s) > ($1, $2) AND %[3]s`+which+`
		   ORDER BY organization_id, %[2]s LIMIT %[5]d FOR NO KEY UPDATE)
		UPDATE %[1]s r SET %[4]s FROM page
		 WHERE r.organization_id = page.organization_id AND r.%[2]s = page.id
		RETURNING r.organization_id, r.%[2]s`, w.table, w.id, w.open, w.due, requeueRows),
		append([]any{after.organizationID, after.id}, args...)...)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (p place, err error) {
		err = row.Scan(&p.organizationID, &p.id)
		return p, err
	})
}

// dueDeliveries makes some deliveries of endpoints due that wait for their next attempt. One that is being made is leased
// for two minutes: it stays. So does what somebody else writes just now, for whom nobody waits here.
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

// EndWebhookPauses ends what deliveries wait for, and what their receivers asked for: of endpoints that are named, or nil
// for all. Requeue makes the endpoints due.
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
