package webhooks

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

const (
	// looks is how often a page is read while its deliveries are under way, and look is the pause between two reads.
	looks = 10
	look  = 10 * time.Millisecond
)

// ListWebhookDeliveries returns a page of the deliveries of an endpoint that pass a filter, the newest first. A receiver may ask for it as
// soon as it has answered. So the page waits a moment for results that are about to be written. Errors:
// models.ErrNotFound.
func (s *Store) ListWebhookDeliveries(
	ctx context.Context, scope models.Scope, endpointID string, filter models.WebhookDeliveryFilter, page models.Page,
) (models.List[models.WebhookDelivery], error) {
	if _, err := s.WebhookEndpoint(ctx, scope, endpointID); err != nil {
		return models.List[models.WebhookDelivery]{}, err
	}
	for n := 1; ; n++ {
		q := s.db.GORM(ctx).Where("organization_id = ? AND endpoint_id = ?", scope.OrganizationID, endpointID)
		if filter.Failed {
			q = q.Where(deliveryFailed)
		}
		if !filter.Since.IsZero() {
			q = q.Where("created_at >= ?", filter.Since)
		}
		list, err := pg.ReadPage[models.WebhookDelivery](q, pg.Sortable{"created_at": false},
			[]models.Order{{Column: "created_at", Desc: true}}, page)
		// guard: webhooks: a list waits for results that are about to be written
		if err != nil || n == looks || !slices.ContainsFunc(list.Items, underWay) {
			return list, err
		}
		if err := s.pause(ctx, look); err != nil {
			return list, err
		}
	}
}

// deliveryFailed is the condition of deliveries whose latest attempt failed.
const deliveryFailed = "(status = 'FAILED' OR status = 'PENDING' AND tries > 0)"

// WebhookDeliverySums counts the deliveries since then, by the ids of endpoints. An endpoint without any is left out.
func (s *Store) WebhookDeliverySums(
	ctx context.Context, scope models.Scope, endpointIDs []string, since time.Time,
) (map[string]models.WebhookDeliverySums, error) {
	var rows []struct {
		EndpointID string
		models.WebhookDeliverySums
	}
	err := s.db.GORM(ctx).Model(&models.WebhookDelivery{}).
		Select("endpoint_id, count(*) AS count, count(*) FILTER (WHERE "+deliveryFailed+") AS failed").
		Where("organization_id = ? AND endpoint_id IN ? AND created_at >= ?", scope.OrganizationID, endpointIDs, since).
		Group("endpoint_id").Find(&rows).Error
	sums := make(map[string]models.WebhookDeliverySums, len(rows))
	for i := range rows {
		sums[rows[i].EndpointID] = rows[i].WebhookDeliverySums
	}
	return sums, pg.Translate(err)
}

// underWay reports whether the first attempt of a delivery was leased and has no result yet.
func underWay(d models.WebhookDelivery) bool {
	return d.Status == models.WebhookPending && len(d.Attempts) == 0 && d.NextAttemptAt != nil &&
		time.Until(*d.NextAttemptAt) > time.Minute // the lease lasts longer
}

// pause waits, unless the context ends before.
func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// Redeliver makes the event of a delivery due again, with all its attempts. Errors: models.ErrNotFound,
// *models.TransitionError for a disabled endpoint.
func (s *Store) Redeliver(
	ctx context.Context, scope models.Scope, actor models.Actor, endpointID, id string,
) (models.WebhookDelivery, error) {
	var d models.WebhookDelivery
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if _, err := lockEnabled(tx, scope, endpointID); err != nil {
			return err
		}
		err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).
			Where("organization_id = ? AND endpoint_id = ? AND id = ?", scope.OrganizationID, endpointID, id).Take(&d).Error
		if err != nil {
			return err
		}
		if err := checkClient(tx, &d); err != nil {
			return err
		}
		err = tx.Raw(`UPDATE webhook_deliveries SET status = 'PENDING', tries = 0, next_attempt_at = now()
			WHERE organization_id = ? AND endpoint_id = ? AND id = ?
			RETURNING *`, scope.OrganizationID, endpointID, id).Scan(&d).Error
		if err != nil {
			return err
		}
		return s.makeDue(tx, scope, actor, models.AuditRedeliver, endpointID)
	})
	return d, err
}

// checkClient refuses an event of a client that has ended the grant of its partner. Errors: models.ErrGrantEnded.
func checkClient(tx *gorm.DB, d *models.WebhookDelivery) (err error) {
	var ended bool
	if d.EventOrganizationID != d.OrganizationID {
		err = tx.Raw("SELECT "+grantEnded+" FROM organizations o WHERE o.id = ?", d.EventOrganizationID).Scan(&ended).Error
	}
	// guard: grants: no event of a client is sent again after its grant
	if err == nil && ended {
		err = models.ErrGrantEnded
	}
	return err
}

// lockEnabled locks an endpoint that must be enabled. Errors: models.ErrNotFound, *models.TransitionError.
func lockEnabled(tx *gorm.DB, scope models.Scope, id string) (models.WebhookEndpoint, error) {
	w, err := lockEndpoint(tx, scope, id)
	if err == nil && w.Status != models.WebhookEnabled {
		err = &models.TransitionError{From: string(w.Status), To: string(models.WebhookEnabled),
			Allowed: []string{string(models.WebhookEnabled)}}
	}
	return w, err
}

// makeDue makes an endpoint due at once, and records the actor in the audit trail.
func (s *Store) makeDue(tx *gorm.DB, scope models.Scope, actor models.Actor, action, endpointID string) error {
	err := tx.Exec(`UPDATE webhook_endpoints
		SET next_check_at = now(), rests_until = NULL, paused_until = NULL
		WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, endpointID).Error
	if err != nil {
		return err
	}
	return pg.Audit(tx, actor.Entry(scope, action, auditedEndpoint, endpointID))
}

// Ping writes an event test.ping and its delivery to one endpoint. Errors: models.ErrNotFound, *models.TransitionError
// for a disabled endpoint.
func (s *Store) Ping(
	ctx context.Context, scope models.Scope, actor models.Actor, endpointID string,
) (models.WebhookDelivery, error) {
	d := models.WebhookDelivery{
		OrganizationID: scope.OrganizationID, EndpointID: endpointID, ID: models.NewID(models.PrefixDelivery),
		EventOrganizationID: scope.OrganizationID, Type: models.WebhookPing, Status: models.WebhookPending,
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if _, err := lockEnabled(tx, scope, endpointID); err != nil {
			return err
		}
		object, err := json.Marshal(map[string]any{"id": endpointID, "message": "This is a test."})
		if err != nil {
			return err
		}
		err = s.db.QueryRow(ctx, `
			INSERT INTO events (organization_id, type, object_id, record, request_id)
			VALUES ($1, $2, $3, $4::text::jsonb, nullif($5, ''))
			RETURNING sequence, created_at`,
			scope.OrganizationID, d.Type, endpointID, string(object), actor.RequestID).Scan(&d.Sequence, &d.EventAt)
		if err != nil {
			return err
		}
		now := tx.NowFunc()
		d.NextAttemptAt, d.CreatedAt, d.Attempts = &now, now, []models.WebhookAttempt{}
		err = tx.Raw(`INSERT INTO webhook_deliveries (organization_id, endpoint_id, id, event_organization_id, sequence,
			  event_at, type)
			VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *`,
			d.OrganizationID, d.EndpointID, d.ID, d.EventOrganizationID, d.Sequence, d.EventAt, d.Type).Scan(&d).Error
		if err != nil {
			return err
		}
		return s.makeDue(tx, scope, actor, models.AuditTest, endpointID)
	})
	return d, err
}

// Replay sends the events of a span to an endpoint again, and returns their number. Errors: models.ErrNotFound,
// *models.TransitionError for a disabled endpoint.
func (s *Store) Replay(
	ctx context.Context, scope models.Scope, actor models.Actor, endpointID string, span models.WebhookSpan,
) (models.WebhookReplay, error) {
	replay := models.WebhookReplay{ID: models.NewID(models.PrefixReplay)}
	feed, err := s.readFeed(ctx)
	if err != nil {
		return replay, err
	}
	if span.Until.IsZero() || span.Until.After(feed.at.At) {
		span.Until = feed.at.At
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		w, err := lockEnabled(tx, scope, endpointID)
		if err != nil {
			return err
		}
		if len(span.Types) == 0 {
			span.Types = w.EnabledEvents
		}
		organizations, err := s.organizationsOf(ctx, &w)
		if err != nil {
			return err
		}
		types, all := rules.WebhookSelection(span.Types)
		err = s.db.QueryRow(ctx, `
			SELECT count(*) FROM events e WHERE e.organization_id = ANY ($1::text[]) AND e.sequence <= $2
			   AND e.created_at BETWEEN $3 AND $4
			   AND e.created_at >= now() - $7::interval AND ($5 OR e.type = ANY ($6::text[])) AND e.type <> 'test.ping'`,
			organizations, feed.horizon, span.Since, span.Until, all, types, models.EventsKept).Scan(&replay.Events)
		if err != nil {
			return err
		}
		requested, err := json.Marshal(span.Types)
		if err != nil {
			return err
		}
		err = tx.Exec(`INSERT INTO webhook_replays (organization_id, endpoint_id, id, types, since_at, until_at,
			  until_sequence)
			VALUES (?, ?, ?, ?::text::jsonb, ?, ?, ?)`,
			scope.OrganizationID, endpointID, replay.ID, string(requested), span.Since, span.Until, feed.horizon).Error
		if err != nil {
			return err
		}
		return s.makeDue(tx, scope, actor, models.AuditReplay, endpointID)
	})
	return replay, err
}

// fillReplay creates deliveries of the oldest replay of an endpoint.
func (s *Store) fillReplay(
	ctx context.Context, endpoint *models.WebhookEndpoint, organizations []string, room int, horizon int64,
) error {
	var replays []struct {
		ID             string
		Types          []string `gorm:"serializer:json"`
		SinceAt        time.Time
		UntilAt        time.Time
		UntilSequence  int64
		CursorSequence int64
	}
	tx := s.db.GORM(ctx)
	err := tx.Raw(`SELECT id, types, since_at, until_at, until_sequence, cursor_sequence FROM webhook_replays
		WHERE organization_id = ? AND endpoint_id = ?
		ORDER BY id LIMIT 1`, endpoint.OrganizationID, endpoint.ID).Scan(&replays).Error
	if err != nil || len(replays) == 0 {
		return err
	}
	r := replays[0]
	after := models.EventPosition{At: r.SinceAt, Sequence: r.CursorSequence}
	found, more, err := s.events.UpTo(ctx, min(r.UntilSequence, horizon), models.EventQuery{
		Organizations: organizations, After: after, Types: selectedTypes(r.Types), Limit: room,
	})
	if err != nil {
		return err
	}
	var within []models.Event
	for _, e := range found {
		if !e.CreatedAt.Before(r.SinceAt) && !e.CreatedAt.After(r.UntilAt) {
			within = append(within, e)
		}
	}
	if err := s.createDeliveries(ctx, endpoint, &r.ID, within); err != nil {
		return err
	}
	if !more && horizon >= r.UntilSequence {
		return tx.Exec("DELETE FROM webhook_replays WHERE organization_id = ? AND endpoint_id = ? AND id = ?",
			endpoint.OrganizationID, endpoint.ID, r.ID).Error
	}
	if len(found) == 0 {
		return nil
	}
	return tx.Exec(`UPDATE webhook_replays
		SET cursor_sequence = ?
		WHERE organization_id = ? AND endpoint_id = ? AND id = ?`,
		found[len(found)-1].Sequence, endpoint.OrganizationID, endpoint.ID, r.ID).Error
}
