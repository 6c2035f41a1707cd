package webhooks

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/rules"
	"levy/store/events"
	"levy/store/pg"
)

const (
	// runLease is how long no other process leases an endpoint after a run has begun a batch. checkLease is when the run
	// of a leased endpoint is checked.
	runLease, checkLease = "60 seconds", "90 seconds"
	// sendLease is longer than the attempts of one batch take. After it the deliveries of a dead worker are sent again.
	sendLease = "2 minutes"
	// maxPending is the most deliveries of an endpoint that wait for an attempt. Further events wait in the feed.
	maxPending = 10_000
	// fillRows is how many deliveries are created at a time.
	fillRows = 200
)

// progress is the state of the deliveries of an endpoint.
type progress struct {
	cursor   models.EventPosition
	throttle models.WebhookThrottle
	deleted  bool
	ended    bool // its organization has ended
	due      int  // deliveries that are due
	pending  int
}

// LeaseBatch creates the deliveries of new events, as far as there is room, and leases up to most due ones.
// A deleted or disabled endpoint gets none.
func (s *Store) LeaseBatch(ctx context.Context, ref models.WebhookRef, most int) (models.WebhookBatch, error) {
	var batch models.WebhookBatch
	feed, err := s.readFeed(ctx)
	if err != nil {
		return batch, err
	}
	var deliveries []models.WebhookDelivery
	var deleted bool
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		w, err := s.begin(ctx, ref, &batch.Endpoint)
		deleted = w.deleted
		if batch.Over = err != nil || w.deleted || w.ended || batch.Endpoint.Status != models.WebhookEnabled; batch.Over {
			if err == nil && w.ended && !w.deleted {
				return s.end(ctx, &batch.Endpoint)
			}
			return ignoreMissing(err)
		}
		batch.Throttle = w.throttle
		if w.throttle.Pause > 0 {
			return nil
		}
		if w.due < most && w.pending < maxPending {
			if err := s.fill(ctx, &batch.Endpoint, &w, feed); err != nil {
				return err
			}
		}
		deliveries, err = s.lease(ctx, ref, most)
		return err
	})
	if err == nil && deleted {
		return batch, s.clear(ctx, ref)
	}
	if err == nil {
		batch.Deliveries, err = s.withEvents(ctx, deliveries)
	}
	return batch, err
}

// end disables an endpoint whose organization has ended.
func (s *Store) end(ctx context.Context, w *models.WebhookEndpoint) error {
	w.SetStatus(models.WebhookDisabled, models.WebhookManual)
	if err := saveEndpoint(s.db.GORM(ctx), w); err != nil {
		return err
	}
	return s.announceDisabled(ctx, w)
}

// feedPosition is the position of the feed, read before a database transaction, because a transaction would hold the
// horizon back.
type feedPosition struct {
	at      models.EventPosition // the highest number that was drawn, and a time before it
	horizon int64
}

func (s *Store) readFeed(ctx context.Context) (f feedPosition, err error) {
	if f.at, err = s.feedEnd(ctx); err != nil {
		return f, err
	}
	f.horizon, err = s.events.Horizon(ctx)
	return f, err
}

// cursor returns the cursor of an endpoint that has seen all events up to the horizon. Events with a higher number are
// written after at, when that number had not been drawn yet.
func (f feedPosition) cursor(before models.EventPosition) models.EventPosition {
	next := models.EventPosition{At: before.At, Sequence: max(before.Sequence, f.horizon)}
	if f.horizon >= f.at.Sequence {
		next.At = f.at.At
	}
	return next
}

// begin locks an endpoint and records that a run works on it. Errors: models.ErrNotFound.
func (s *Store) begin(
	ctx context.Context, ref models.WebhookRef, endpoint *models.WebhookEndpoint,
) (w progress, err error) {
	var pause int64
	err = s.db.QueryRow(ctx, `
		WITH locked AS (
		  UPDATE webhook_endpoints SET rests_until = now() + interval '`+runLease+`',
		         next_check_at = now() + interval '`+checkLease+`'
		   WHERE organization_id = $1 AND id = $2 RETURNING *),
		waiting AS (
		  SELECT count(*) FILTER (WHERE due) AS due, count(*) AS pending FROM (
		    SELECT next_attempt_at <= now() AS due FROM webhook_deliveries
		     WHERE organization_id = $1 AND endpoint_id = $2 AND status = 'PENDING' LIMIT $3) p)
		SELECT l.cursor_sequence, l.cursor_at, l.concurrency, l.setbacks, l.deleted_at IS NOT NULL,
		       coalesce(extract(epoch FROM greatest(l.paused_until - now(), interval '0')) * 1000, 0)::bigint,
		       o.status <> 'ACTIVE', waiting.due, waiting.pending
		  FROM locked l JOIN organizations o ON o.id = l.organization_id CROSS JOIN waiting`,
		ref.OrganizationID, ref.ID, maxPending).Scan(&w.cursor.Sequence, &w.cursor.At, &w.throttle.Concurrency,
		&w.throttle.Setbacks,
		&w.deleted, &pause, &w.ended, &w.due, &w.pending)
	if err != nil {
		return w, pg.Translate(err)
	}
	w.throttle.Pause = time.Duration(pause) * time.Millisecond
	err = s.db.GORM(ctx).Where("organization_id = ? AND id = ?", ref.OrganizationID, ref.ID).Take(endpoint).Error
	return w, pg.Translate(err)
}

// selectedTypes returns the types of events that an endpoint or a replay requests; nil for all.
func selectedTypes(requested []string) []string {
	types, all := rules.WebhookSelection(requested)
	if all {
		return nil
	}
	return types
}

// fill creates the deliveries of events after the cursor of an endpoint, and then of its replays.
func (s *Store) fill(ctx context.Context, endpoint *models.WebhookEndpoint, w *progress, feed feedPosition) error {
	organizations, err := s.organizationsOf(ctx, endpoint)
	if err != nil {
		return err
	}
	room := min(fillRows, maxPending-w.pending)
	if feed.horizon > w.cursor.Sequence {
		found, more, err := s.events.UpTo(ctx, feed.horizon, models.EventQuery{
			Organizations: organizations, After: w.cursor, Types: selectedTypes(endpoint.EnabledEvents), Limit: room,
		})
		if err != nil {
			return err
		}
		next := feed.cursor(w.cursor)
		if more {
			next = found[len(found)-1].Position()
		}
		if err := s.createDeliveries(ctx, endpoint, nil, found); err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, `UPDATE webhook_endpoints
			SET cursor_sequence = $3, cursor_at = $4
			WHERE organization_id = $1 AND id = $2`,
			endpoint.OrganizationID, endpoint.ID, next.Sequence, next.At)
		if err != nil {
			return pg.Translate(err)
		}
		room -= len(found)
	}
	if room <= 0 {
		return nil
	}
	return s.fillReplay(ctx, endpoint, organizations, room, feed.horizon)
}

// organizationsOf returns the organizations whose events an endpoint gets.
func (s *Store) organizationsOf(ctx context.Context, endpoint *models.WebhookEndpoint) ([]string, error) {
	if !endpoint.IncludeClients {
		return []string{endpoint.OrganizationID}, nil
	}
	var ids []string
	// guard: grants: deliveries omit clients that ended theirs
	err := s.db.GORM(ctx).Raw("SELECT o.id FROM organizations o WHERE o.id = ? OR o.parent_organization_id = ? AND NOT "+
		grantEnded, endpoint.OrganizationID, endpoint.OrganizationID).Scan(&ids).Error
	return ids, pg.Translate(err)
}

var insertDeliveries = pg.Prepare(`
	INSERT INTO webhook_deliveries (organization_id, endpoint_id, replay_id, id, event_organization_id, type, sequence,
	                                event_at)
	SELECT @organization_id, @endpoint_id, @replay_id, delivery.* FROM {delivery}
	    ON CONFLICT (organization_id, endpoint_id, sequence, replay_id) DO NOTHING`,
	pg.Names{"organization_id", "endpoint_id", "replay_id"}, deliveryRows)

var deliveryRows = pg.RowsOf("delivery",
	pg.Col("id", "text", func(d *models.WebhookDelivery) *string { return &d.ID }),
	pg.Col("event_organization_id", "text", func(d *models.WebhookDelivery) *string { return &d.EventOrganizationID }),
	pg.Col("type", "text", func(d *models.WebhookDelivery) *string { return &d.Type }),
	pg.Col("sequence", "bigint", func(d *models.WebhookDelivery) *string { return pg.Integer(int(d.Sequence)) }),
	pg.Col("event_at", "timestamptz", func(d *models.WebhookDelivery) *string { return pg.Timestamp(d.EventAt) }),
)

// createDeliveries writes the deliveries of events that have none yet. It skips pings: they belong to one endpoint and
// have their delivery.
func (s *Store) createDeliveries(
	ctx context.Context, endpoint *models.WebhookEndpoint, replayID *string, found []models.Event,
) error {
	var deliveries []models.WebhookDelivery
	for _, e := range found {
		if e.Type != models.WebhookPing {
			deliveries = append(deliveries, models.WebhookDelivery{
				ID: models.NewID(models.PrefixDelivery), EventOrganizationID: e.OrganizationID, Type: e.Type,
				Sequence: e.Sequence, EventAt: e.CreatedAt,
			})
		}
	}
	if len(deliveries) == 0 {
		return nil
	}
	_, err := s.db.Exec(ctx, insertDeliveries.SQL, insertDeliveries.Values(
		[]any{endpoint.OrganizationID, endpoint.ID, replayID}, deliveryRows.Of(deliveries))...)
	return pg.Translate(err)
}

// lease takes due deliveries, the longest due first.
func (s *Store) lease(ctx context.Context, ref models.WebhookRef, most int) ([]models.WebhookDelivery, error) {
	var leased []models.WebhookDelivery
	err := s.db.GORM(ctx).Raw(`
		WITH due AS (
		  SELECT id FROM webhook_deliveries
		   WHERE organization_id = @organization AND endpoint_id = @endpoint AND status = 'PENDING'
		     AND next_attempt_at <= now()
		   ORDER BY next_attempt_at, sequence LIMIT @most FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE webhook_deliveries d SET next_attempt_at = now() + interval '`+sendLease+`' FROM due
		 WHERE d.organization_id = @organization AND d.endpoint_id = @endpoint AND d.id = due.id RETURNING d.*`,
		map[string]any{"organization": ref.OrganizationID, "endpoint": ref.ID, "most": most}).Scan(&leased).Error
	return leased, pg.Translate(err)
}

// withEvents joins the events to their deliveries, in the order of the feed.
func (s *Store) withEvents(ctx context.Context, deliveries []models.WebhookDelivery) ([]models.WebhookSending, error) {
	places := make([]events.Place, len(deliveries))
	for i, d := range deliveries {
		places[i] = events.Place{OrganizationID: d.EventOrganizationID,
			EventPosition: models.EventPosition{At: d.EventAt, Sequence: d.Sequence}}
	}
	found, err := s.events.Find(ctx, places)
	if err != nil {
		return nil, err
	}
	sendings := make([]models.WebhookSending, len(deliveries))
	for i, d := range deliveries {
		sendings[i].WebhookDelivery = d
		if e, ok := found[d.Sequence]; ok {
			sendings[i].Event = &e
		}
	}
	return sendings, nil
}

// clearRows is the most deliveries that one statement deletes.
const clearRows = 5000

// clear deletes the remaining rows of a deleted endpoint.
func (s *Store) clear(ctx context.Context, ref models.WebhookRef) error {
	for {
		deleted, err := s.db.Exec(ctx, `
			DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
			  SELECT ctid FROM webhook_deliveries WHERE organization_id = $1 AND endpoint_id = $2 LIMIT $3))`,
			ref.OrganizationID, ref.ID, clearRows)
		if err != nil {
			return pg.Translate(err)
		}
		if deleted.RowsAffected() == 0 {
			break
		}
	}
	_, err := s.db.Exec(ctx, `DELETE FROM webhook_endpoints
		WHERE organization_id = $1 AND id = $2 AND deleted_at IS NOT NULL`, ref.OrganizationID, ref.ID)
	return pg.Translate(err)
}

// notFound returns models.ErrNotFound for GORM's error, other errors unchanged.
func notFound(err error) error {
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return models.ErrNotFound
	}
	return err
}
