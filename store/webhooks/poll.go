package webhooks

import (
	"context"
	"time"

	"levy/models"
	"levy/store/pg"
)

// hasLater is the condition on an endpoint w that its organizations have events after its cursor, up to a number.
// hasWanted is the same for events of the types that it requests.
var (
	hasLater = `
	w.cursor_sequence < @up_to AND EXISTS (` + laterEvents + `)`
	hasWanted = `
	w.cursor_sequence < @up_to AND EXISTS (` + laterEvents + `
	     AND x.type <> 'test.ping'
	     AND (w.enabled_events ? '*' OR w.enabled_events ? x.type
	          OR w.enabled_events ? (split_part(x.type, '.', 1) || '.*')))`
	laterEvents = `
	  SELECT FROM events x
	   WHERE x.organization_id = ANY (CASE WHEN w.include_clients
	           THEN ARRAY(SELECT o.id::text FROM organizations o
	                       WHERE o.id = w.organization_id
	                          OR o.parent_organization_id = w.organization_id AND NOT ` + grantEnded + `)
	           ELSE ARRAY[w.organization_id::text] END)
	     AND x.sequence > w.cursor_sequence AND x.sequence <= @up_to
	     AND x.created_at >= w.cursor_at - interval '1 hour' AND x.created_at < now() + interval '1 hour'`
)

// grantEnded is the condition on a client o that its partner may read nothing of it.
const grantEnded = `EXISTS (SELECT FROM client_grants g WHERE g.organization_id = o.id AND g.ended_at IS NOT NULL)`

// isBusy is the condition on an endpoint w that a run works on it, or that it requested a pause.
const isBusy = "w.rests_until > now()"

// endpointsOfNew selects the endpoints that get an event after the number @after, which is not below their cursor.
// A full poll finds the events of a database transaction that lasted longer than a day.
var endpointsOfNew = `
	SELECT DISTINCT w.organization_id, w.id
	  FROM (SELECT x.organization_id, x.type, max(x.sequence) AS last FROM events x
	         WHERE x.sequence > @after AND x.sequence <= @up_to AND x.type <> 'test.ping'
	           AND x.created_at >= now() - interval '25 hours' AND x.created_at < now() + interval '1 hour'
	         GROUP BY 1, 2) h
	  JOIN organizations o ON o.id = h.organization_id
	 CROSS JOIN LATERAL (VALUES (o.id, false), (o.parent_organization_id, true)) r (reader, client)
	  JOIN webhook_endpoints w ON w.organization_id = r.reader
	   AND (NOT r.client OR w.include_clients
	        /* guard: grants: webhooks omit clients that ended theirs */ AND NOT ` + grantEnded + `
	       )
	 WHERE w.status = 'ENABLED' AND h.last > w.cursor_sequence
	   AND (w.enabled_events ? '*' OR w.enabled_events ? h.type
	        OR w.enabled_events ? (split_part(h.type, '.', 1) || '.*'))`

// leaseAll and leaseNew lease endpoints with events after their cursor: of all endpoints, or of endpointsOfNew.
var (
	leaseAll = leaseOf("SELECT w.organization_id, w.id FROM webhook_endpoints w WHERE w.status = 'ENABLED' AND (" + isBusy +
		" OR " + hasWanted + ") AND @after::bigint IS NOT NULL")
	leaseNew = leaseOf(endpointsOfNew)
)

func leaseOf(enabled string) pg.Statement {
	return pg.Prepare(`
	WITH wanted AS (
	  SELECT w.organization_id, w.id FROM webhook_endpoints w WHERE w.next_check_at <= now()
	   UNION (`+enabled+`)
	   UNION SELECT w.organization_id, w.id FROM {running}
	           JOIN webhook_endpoints w ON w.organization_id = running.organization_id AND w.id = running.id
	          WHERE w.status = 'ENABLED' AND (`+isBusy+` OR `+hasWanted+`)),
	due AS (
	  SELECT w.organization_id, w.id FROM wanted
	    JOIN webhook_endpoints w ON w.organization_id = wanted.organization_id AND w.id = wanted.id
	   WHERE w.next_check_at <= now() OR w.status = 'ENABLED' AND (`+isBusy+`) IS NOT TRUE
	     AND EXISTS (SELECT FROM organizations o WHERE o.id = w.organization_id AND o.status = 'ACTIVE')
	   LIMIT @at_most FOR NO KEY UPDATE OF w SKIP LOCKED),
	leased AS (
	  UPDATE webhook_endpoints w SET rests_until = now() + interval '`+runLease+`',
	         next_check_at = now() + interval '`+runLease+`'
	    FROM due WHERE w.organization_id = due.organization_id AND w.id = due.id
	  RETURNING w.organization_id, w.id, w.url)
	SELECT organization_id, id, url FROM leased
	 UNION ALL
	SELECT w.organization_id, w.id, ''
	  FROM wanted
	  JOIN webhook_endpoints w ON w.organization_id = wanted.organization_id AND w.id = wanted.id
	 WHERE w.status = 'ENABLED' AND `+isBusy+` AND w.rests_until <= now() + interval '`+runLease+`'`,
		pg.Names{"up_to", "at_most", "after"}, runningRows)
}

var runningRows = pg.RowsOf("running",
	pg.Col("organization_id", "text", func(ref *models.WebhookRef) *string { return &ref.OrganizationID }),
	pg.Col("id", "text", func(ref *models.WebhookRef) *string { return &ref.ID }),
)

// LeaseWebhooks leases up to limit endpoints that have something to do and no open run. No other caller gets them for a
// minute. It is one of the few queries across organizations.
func (s *Store) LeaseWebhooks(
	ctx context.Context, poll models.WebhookPoll, limit int,
) (polled models.WebhookPolled, err error) {
	if polled.UpTo, err = s.events.Horizon(ctx); err != nil {
		return polled, err
	}
	statement := leaseAll
	if !poll.Full && polled.UpTo >= poll.After {
		statement = leaseNew
	}
	rows, err := s.db.Query(ctx, statement.SQL, statement.Values(
		[]any{polled.UpTo, limit, poll.After}, runningRows.Of(poll.Running))...)
	var w models.WebhookEndpoint
	err = pg.ForEach(rows, err, []any{&w.OrganizationID, &w.ID, &w.URL}, func() error {
		if w.URL == "" {
			polled.Running = append(polled.Running, models.WebhookRef{OrganizationID: w.OrganizationID, ID: w.ID})
		} else {
			polled.Leased = append(polled.Leased, w)
		}
		return nil
	})
	return polled, err
}

// WebhookSummary reports whether endpoints may have something to do, without reading events.
func (s *Store) WebhookSummary(ctx context.Context) (summary models.WebhookSummary, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT coalesce(pg_sequence_last_value('event_sequence'), 0),
		       EXISTS (SELECT FROM webhook_endpoints WHERE status = 'ENABLED'),
		       EXISTS (SELECT FROM webhook_endpoints WHERE next_check_at <= now())`,
	).Scan(&summary.Newest, &summary.Enabled, &summary.Due)
	return summary, pg.Translate(err)
}

const (
	// skipInterval is how often cursors are moved past events that are not for their endpoint. skipDistance is the number
	// of events of all organizations after the cursor from which on it is moved. cleanupInterval is how often old
	// deliveries are deleted.
	skipInterval, skipDistance = 10 * time.Second, 1000
	cleanupInterval            = 10 * time.Minute
)

// Follow keeps cursors close to the end of the feed until ctx ends.
func (s *Store) Follow(ctx context.Context) {
	pg.Repeat(ctx, "moving cursors of webhooks", skipInterval, func(ctx context.Context) (bool, error) {
		return false, s.skip(ctx)
	})
}

// ForgetDeliveries deletes deliveries of expired events, until ctx ends.
func (s *Store) ForgetDeliveries(ctx context.Context) {
	pg.Repeat(ctx, "removing old deliveries of webhooks", cleanupInterval, s.ForgetSomeDeliveries)
}

var skipCursors = pg.Prepare(`
	UPDATE webhook_endpoints w SET cursor_sequence = @up_to, cursor_at = @at
	 WHERE w.status = 'ENABLED' AND w.cursor_sequence < @up_to - @follow_from::bigint
	   AND (w.rests_until IS NULL OR w.rests_until <= now())
	   AND (w.cursor_at < now() - interval '10 minutes' OR `+hasLater+`) AND NOT (`+hasWanted+`)`,
	pg.Names{"up_to", "follow_from", "at"})

// skip moves the cursors of endpoints that are far from the end of the feed and have missed no event.
// If it passes no event, it only updates the cursor's day from time to time, because events are read from that day on.
func (s *Store) skip(ctx context.Context) error {
	feed, err := s.readFeed(ctx)
	if err != nil || feed.horizon < feed.at.Sequence {
		return err
	}
	var far bool // rarely true, and planning the statement takes milliseconds
	err = s.db.QueryRow(ctx, `
		SELECT EXISTS (SELECT FROM webhook_endpoints WHERE status = 'ENABLED' AND cursor_sequence < $1 - $2::bigint)`,
		feed.horizon, skipDistance).Scan(&far)
	if err != nil || !far {
		return pg.Translate(err)
	}
	_, err = s.db.Exec(ctx, skipCursors.SQL, skipCursors.Values([]any{feed.horizon, skipDistance, feed.at.At})...)
	return pg.Translate(err)
}

// ForgetSomeDeliveries deletes some ended deliveries of expired events, and reports whether there may be more.
func (s *Store) ForgetSomeDeliveries(ctx context.Context) (more bool, err error) {
	deleted, err := s.db.Exec(ctx, `
		DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
		  SELECT d.ctid FROM webhook_endpoints w CROSS JOIN LATERAL (
		    SELECT d.ctid FROM webhook_deliveries d
		     WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.created_at < now() - $1::interval
		       AND d.status <> 'PENDING'
		     ORDER BY d.created_at LIMIT $2) d LIMIT $2))`, models.EventsKept, clearRows)
	return deleted.RowsAffected() > 0, pg.Translate(err)
}

// WebhookBacklog returns the deliveries that wait to be sent.
func (s *Store) WebhookBacklog(ctx context.Context) (models.WebhookBacklog, error) {
	b := models.WebhookBacklog{Disabled: map[string]int64{}}
	var oldest int64
	horizon, err := s.events.Horizon(ctx)
	if err != nil {
		return b, err
	}
	err = s.db.QueryRow(ctx, `
		SELECT count(d.id), coalesce(extract(epoch FROM now() - least(min(d.event_at), (
		         SELECT min(x.created_at) FROM webhook_endpoints w
		           JOIN organizations r ON r.id = w.organization_id AND r.status = 'ACTIVE' CROSS JOIN LATERAL (
		           SELECT r.id UNION ALL SELECT o.id FROM organizations o
		            WHERE w.include_clients AND o.parent_organization_id = r.id AND NOT `+grantEnded+`) o CROSS JOIN LATERAL (
		           SELECT x.created_at FROM events x
		            WHERE x.organization_id = o.id AND x.sequence > w.cursor_sequence AND x.sequence <= $1
		              AND x.created_at >= w.cursor_at - interval '1 hour' AND x.created_at < now() + interval '1 hour'
		              AND x.type <> 'test.ping'
		              AND (w.enabled_events ? '*' OR w.enabled_events ? x.type
		                   OR w.enabled_events ? (split_part(x.type, '.', 1) || '.*'))
		            ORDER BY x.sequence LIMIT 1) x WHERE w.status = 'ENABLED')))::bigint, 0)
		  FROM webhook_deliveries d WHERE d.status = 'PENDING'`, horizon).Scan(&b.Pending, &oldest)
	if err != nil {
		return b, pg.Translate(err)
	}
	b.Oldest = time.Duration(oldest) * time.Second
	rows, err := s.db.Query(ctx,
		"SELECT disabled_reason, count(*) FROM webhook_endpoints WHERE status = 'DISABLED' AND deleted_at IS NULL GROUP BY 1")
	var reason string
	var n int64
	err = pg.ForEach(rows, err, []any{&reason, &n}, func() error {
		b.Disabled[reason] = n
		return nil
	})
	return b, err
}
