package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// SaveBatch writes the results of the attempts of a batch, and the speed for the next ones. It disables a receiver that
// refuses all further events, or has had no success for days, and writes the event about it. Leased deliveries without
// an attempt are due again.
func (s *Store) SaveBatch(
	ctx context.Context, ref models.WebhookRef, throttle models.WebhookThrottle,
	results []models.WebhookResult, left []string,
) error {
	scope := models.Scope{OrganizationID: ref.OrganizationID}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		w, err := lockEndpoint(tx, scope, ref.ID)
		if err = notFound(err); err != nil {
			return ignoreMissing(err) // it was deleted meanwhile
		}
		if w.Status != models.WebhookEnabled { // it was disabled meanwhile: its deliveries have ended
			return s.SaveDelivered(ctx, ref, results)
		}
		if err := s.saveResults(ctx, ref, results); err != nil {
			return err
		}
		if err := s.release(ctx, ref, left); err != nil {
			return err
		}
		gone, attempted, succeeded := false, false, false
		for _, r := range results {
			gone = gone || r.Outcome.Gone
			attempted = attempted || rules.WebhookConcernsReceiver(r.Attempt)
			succeeded = succeeded || r.Outcome.Status == models.WebhookDelivered
		}
		failing, err := s.saveThrottle(ctx, ref, throttle, attempted, succeeded)
		switch {
		case err != nil:
			return err
		case gone:
			return s.disable(ctx, &w, models.WebhookGone)
		case attempted && failing >= rules.WebhookDisableAfter:
			return s.disable(ctx, &w, models.WebhookFailing)
		}
		return nil
	})
}

var saveOutcomes = pg.Prepare(`
	UPDATE webhook_deliveries d SET status = outcome.status, tries = d.tries + outcome.tries,
	       next_attempt_at = CASE WHEN outcome.status = 'PENDING' THEN now() + outcome.pause END,
	       attempts = CASE WHEN jsonb_array_length(d.attempts) >= @most_attempts THEN d.attempts - 0
	                       ELSE d.attempts END || jsonb_build_array(outcome.attempt)
	  FROM {outcome}
	 WHERE d.organization_id = @organization_id AND d.endpoint_id = @endpoint_id AND d.id = outcome.id
	   AND (d.status = 'PENDING' OR outcome.status = 'DELIVERED' AND d.status = 'FAILED'
	        AND d.attempts -> -1 ->> 'error' = '`+models.WebhookEndpointClosed+`')`,
	pg.Names{"organization_id", "endpoint_id", "most_attempts"}, outcomeRows)

var outcomeRows = pg.RowsOf("outcome",
	pg.Col("id", "text", func(r *models.WebhookResult) *string { return &r.DeliveryID }),
	pg.Col("status", "text", func(r *models.WebhookResult) *string { return (*string)(&r.Outcome.Status) }),
	pg.Col("attempt", "jsonb", func(r *models.WebhookResult) *string { return pg.JSON(r.Attempt) }),
	pg.Col("pause", "interval", func(r *models.WebhookResult) *string { return pg.Interval(r.Outcome.Pause) }),
	pg.Col("tries", "integer", func(r *models.WebhookResult) *string {
		if rules.WebhookConcernsReceiver(r.Attempt) {
			return pg.Integer(1)
		}
		return pg.Integer(0)
	}),
)

// SaveDelivered writes those of the results that delivered their events, also where the endpoint was disabled meanwhile.
// It may precede SaveBatch with the same results.
func (s *Store) SaveDelivered(ctx context.Context, ref models.WebhookRef, results []models.WebhookResult) error {
	return s.saveResults(ctx, ref, slices.DeleteFunc(slices.Clone(results), func(r models.WebhookResult) bool {
		return r.Outcome.Status != models.WebhookDelivered
	}))
}

// saveResults writes the results that are not written yet.
func (s *Store) saveResults(ctx context.Context, ref models.WebhookRef, results []models.WebhookResult) error {
	results = slices.DeleteFunc(slices.Clone(results), func(r models.WebhookResult) bool { return r.Saved })
	if len(results) == 0 {
		return nil
	}
	_, err := s.db.Exec(ctx, saveOutcomes.SQL, saveOutcomes.Values(
		[]any{ref.OrganizationID, ref.ID, models.MaxWebhookAttempts}, outcomeRows.Of(results))...)
	return pg.Translate(err)
}

// release makes leased deliveries without an attempt due again.
func (s *Store) release(ctx context.Context, ref models.WebhookRef, left []string) error {
	if len(left) == 0 {
		return nil
	}
	_, err := s.db.Exec(ctx, `
		UPDATE webhook_deliveries SET next_attempt_at = now()
		 WHERE organization_id = $1 AND endpoint_id = $2 AND id = ANY ($3::text[])
		   AND status = 'PENDING'`, ref.OrganizationID, ref.ID, left)
	return pg.Translate(err)
}

// saveThrottle stores the throttle and returns for how long the endpoint has had no success.
func (s *Store) saveThrottle(
	ctx context.Context, ref models.WebhookRef, throttle models.WebhookThrottle, attempted, succeeded bool,
) (time.Duration, error) {
	var failing int64
	err := s.db.QueryRow(ctx, `
		UPDATE webhook_endpoints SET concurrency = $3, setbacks = $4,
		       paused_until = CASE WHEN $5::interval > interval '0' THEN now() + $5::interval END,
		       failing_since = CASE WHEN $6 THEN NULL WHEN $7 THEN coalesce(failing_since, now()) ELSE failing_since END
		 WHERE organization_id = $1 AND id = $2
		RETURNING coalesce(extract(epoch FROM now() - failing_since)::bigint, 0)`,
		ref.OrganizationID, ref.ID, throttle.Concurrency, throttle.Setbacks, throttle.Pause, succeeded, attempted).Scan(&failing)
	return time.Duration(failing) * time.Second, pg.Translate(err)
}

// disable disables an endpoint, and writes that to the feed and the audit trail.
func (s *Store) disable(ctx context.Context, w *models.WebhookEndpoint, reason string) error {
	tx := s.db.GORM(ctx)
	w.SetStatus(models.WebhookDisabled, reason)
	if err := saveEndpoint(tx, w); err != nil {
		return err
	}
	if err := s.announceDisabled(ctx, w); err != nil {
		return err
	}
	scope := models.Scope{OrganizationID: w.OrganizationID}
	return pg.Audit(tx, models.Actor{}.Entry(scope, models.AuditDisable, auditedEndpoint, w.ID).
		With(map[string]any{"reason": reason}))
}

// endpointObject returns an endpoint as answers contain it.
func endpointObject(w *models.WebhookEndpoint) map[string]any {
	object := map[string]any{
		"id": w.ID, "organization_id": w.OrganizationID, "url": w.URL, "description": w.Description,
		"enabled_events": w.EnabledEvents,
		"status":         w.Status, "disabled_reason": w.DisabledReason, "include_clients": w.IncludeClients,
		"signature_scheme": w.SignatureScheme,
		"secret_available": false, "created_at": w.CreatedAt.UTC(), "updated_at": w.UpdatedAt.UTC(),
	}
	if w.PublicKey != nil {
		object["public_key"] = *w.PublicKey
	}
	return object
}

func ignoreMissing(err error) error {
	if errors.Is(err, models.ErrNotFound) {
		return nil
	}
	return err
}

// SetIdle records that nothing is to be sent to an endpoint now, and returns its state. LeaseWebhooks finds all later
// events, because this is committed before the next poll.
func (s *Store) SetIdle(ctx context.Context, ref models.WebhookRef) (models.WebhookState, error) {
	var state models.WebhookState
	var wait *int64
	var last *string
	err := s.db.QueryRow(ctx, `
		WITH left_over AS (
		  SELECT count(*) AS pending, min(next_attempt_at) AS next, count(*) >= $3 AS full_up FROM (
		    SELECT next_attempt_at FROM webhook_deliveries
		     WHERE organization_id = $1 AND endpoint_id = $2 AND status = 'PENDING' ORDER BY next_attempt_at LIMIT $3) p
		), planned AS (
		  SELECT l.*, r.replaying, CASE WHEN w.status = 'ENABLED' THEN greatest(
		           CASE WHEN r.replaying THEN now() ELSE l.next END,
		           CASE WHEN w.paused_until > now() THEN w.paused_until END) END AS at
		    FROM left_over l, webhook_endpoints w CROSS JOIN LATERAL (
		      SELECT NOT l.full_up AND EXISTS (SELECT FROM webhook_replays r
		                                        WHERE r.organization_id = $1 AND r.endpoint_id = $2) AS replaying) r
		   WHERE w.organization_id = $1 AND w.id = $2)
		UPDATE webhook_endpoints w SET next_check_at = CASE WHEN w.deleted_at IS NOT NULL THEN now()
		                                                    ELSE p.at + interval '30 seconds' END,
		       rests_until = CASE WHEN p.full_up THEN p.at WHEN w.paused_until > now() THEN w.paused_until END
		  FROM planned p WHERE w.organization_id = $1 AND w.id = $2
		RETURNING w.status, coalesce(w.disabled_reason, ''), p.pending, p.replaying,
		       (extract(epoch FROM greatest(p.at - now(), interval '0')) * 1000)::bigint,
		  (SELECT (d.attempts -> -1)::text FROM webhook_deliveries d
		    WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.status = 'PENDING'
		     AND d.attempts <> '[]' ORDER BY d.next_attempt_at LIMIT 1)`,
		ref.OrganizationID, ref.ID, maxPending).Scan(&state.Status, &state.Reason, &state.Pending, &state.Replaying,
		&wait, &last)
	if err = pg.Translate(err); err != nil {
		return state, ignoreMissing(err)
	}
	if wait != nil {
		pause := time.Duration(*wait) * time.Millisecond
		state.Wait = &pause
	}
	if last != nil {
		err = json.Unmarshal([]byte(*last), &state.LastAttempt)
	}
	return state, err
}
