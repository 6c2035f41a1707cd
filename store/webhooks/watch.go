package webhooks

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// fresh reports of an endpoint w whether something behind its cursor, up to the number $1, is for it.
const fresh = `
	w.cursor_sequence < $1 AND EXISTS (
	  SELECT FROM events x
	   WHERE x.organization_id = ANY (CASE WHEN w.include_clients
	           THEN ARRAY(SELECT o.id::text FROM organizations o WHERE o.id = w.organization_id OR o.parent_organization_id = w.organization_id)
	           ELSE ARRAY[w.organization_id::text] END)
	     AND x.sequence > w.cursor_sequence AND x.sequence <= $1 AND x.created_at >= w.cursor_at - interval '1 hour'
	     AND x.type <> 'test.ping'
	     AND (w.enabled_events ? '*' OR w.enabled_events ? x.type OR w.enabled_events ? (split_part(x.type, '.', 1) || '.*')))`

// LeaseWebhooks takes up to limit endpoints for which there is something to do that no run sees to; nobody else gets
// them for a minute. It is one of the few queries that cross organizations.
func (s *Store) LeaseWebhooks(ctx context.Context, limit int) ([]models.WebhookEndpoint, error) {
	horizon, err := s.events.Horizon(ctx)
	if err != nil {
		return nil, err
	}
	// The question below opens every partition of the events, which is most of what an installation without webhooks
	// would cost PostgreSQL while nothing happens.
	var some bool
	err = s.db.QueryRow(ctx, `
		SELECT EXISTS (SELECT FROM webhook_endpoints w
		  WHERE w.next_check_at <= now() OR w.status = 'ENABLED' AND w.cursor_sequence < $1)`, horizon).Scan(&some)
	if err != nil || !some {
		return nil, pg.Translate(err)
	}
	rows, err := s.db.Query(ctx, `
		WITH due AS (
		  SELECT w.organization_id, w.id FROM webhook_endpoints w
		   WHERE w.next_check_at <= now()
		      OR w.status = 'ENABLED' AND (w.rests_until IS NULL OR w.rests_until <= now()) AND `+fresh+`
		     AND EXISTS (SELECT FROM organizations o WHERE o.id = w.organization_id AND o.status = 'ACTIVE')
		   LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE webhook_endpoints w SET rests_until = now() + interval '`+runLease+`', next_check_at = now() + interval '`+runLease+`'
		  FROM due WHERE w.organization_id = due.organization_id AND w.id = due.id
		RETURNING w.organization_id, w.id, w.url`, horizon, limit)
	if err != nil {
		return nil, pg.Translate(err)
	}
	leased, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (w models.WebhookEndpoint, err error) {
		err = row.Scan(&w.OrganizationID, &w.ID, &w.URL)
		return w, err
	})
	return leased, pg.Translate(err)
}

const (
	// followEvery is how often cursors are moved over what is not for their endpoint, and followFrom behind how many
	// events of all organizations; forgetEvery is how often old deliveries are deleted.
	followEvery, followFrom = 10 * time.Second, 1000
	forgetEvery             = 10 * time.Minute
)

// Follow keeps cursors close to the end of the feed and forgets deliveries of events that are kept no longer, until
// ctx ends.
func (s *Store) Follow(ctx context.Context) {
	forget := time.Now()
	for ctx.Err() == nil {
		_ = s.skip(ctx) // the next time does it
		if time.Now().After(forget) {
			_ = s.forget(ctx)
			forget = time.Now().Add(forgetEvery)
		}
		select {
		case <-ctx.Done():
		case <-time.After(followEvery):
		}
	}
}

// skip moves the cursors of endpoints that are far behind and have missed nothing.
func (s *Store) skip(ctx context.Context) error {
	feed, err := s.seen(ctx)
	if err != nil || feed.horizon < feed.at.Sequence {
		return err
	}
	_, err = s.db.Exec(ctx, `
		UPDATE webhook_endpoints w SET cursor_sequence = $1, cursor_at = $3
		 WHERE w.status = 'ENABLED' AND w.cursor_sequence < $1 - $2::bigint AND (w.rests_until IS NULL OR w.rests_until <= now()) AND NOT (`+fresh+`)`,
		feed.horizon, followFrom, feed.at.At)
	return pg.Translate(err)
}

// forget deletes deliveries that are over, of events that are kept no longer, in bounded steps.
func (s *Store) forget(ctx context.Context) error {
	for {
		deleted, err := s.db.Exec(ctx, `
			DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
			  SELECT d.ctid FROM webhook_endpoints w CROSS JOIN LATERAL (
			    SELECT d.ctid FROM webhook_deliveries d
			     WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.created_at < now() - $1::interval AND d.status <> 'PENDING'
			     ORDER BY d.created_at LIMIT $2) d LIMIT $2))`, models.EventsKept, clearRows)
		if err != nil || deleted.RowsAffected() == 0 {
			return pg.Translate(err)
		}
	}
}

// WebhookBacklog is what waits to be sent.
func (s *Store) WebhookBacklog(ctx context.Context) (models.WebhookBacklog, error) {
	b := models.WebhookBacklog{Disabled: map[string]int64{}}
	var oldest int64
	horizon, err := s.events.Horizon(ctx)
	if err != nil {
		return b, err
	}
	err = s.db.QueryRow(ctx, `
		SELECT count(d.id), coalesce(extract(epoch FROM now() - least(min(d.event_at), (
		         SELECT min(x.created_at) FROM webhook_endpoints w CROSS JOIN LATERAL (
		           SELECT x.created_at FROM events x WHERE x.organization_id = w.organization_id AND x.sequence > w.cursor_sequence AND x.sequence <= $1
		              AND x.created_at >= w.cursor_at - interval '1 hour'
		              AND (w.enabled_events ? '*' OR w.enabled_events ? x.type OR w.enabled_events ? (split_part(x.type, '.', 1) || '.*'))
		            ORDER BY x.sequence LIMIT 1) x WHERE w.status = 'ENABLED')))::bigint, 0)
		  FROM webhook_deliveries d WHERE d.status = 'PENDING'`, horizon).Scan(&b.Pending, &oldest)
	if err != nil {
		return b, pg.Translate(err)
	}
	b.Oldest = time.Duration(oldest) * time.Second
	rows, err := s.db.Query(ctx, "SELECT disabled_reason, count(*) FROM webhook_endpoints WHERE status = 'DISABLED' AND deleted_at IS NULL GROUP BY 1")
	if err != nil {
		return b, pg.Translate(err)
	}
	var reason string
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&reason, &n}, func() error {
		b.Disabled[reason] = n
		return nil
	})
	return b, pg.Translate(err)
}
