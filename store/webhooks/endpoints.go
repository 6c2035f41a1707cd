package webhooks

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/makers"
	"levy/store/pg"
)

const auditedEndpoint = "webhook_endpoint"

// CreateWebhookEndpoint writes a new endpoint. It gets later events only. Errors: *models.LimitError,
// models.ErrNotFound if the organization is not active.
func (s *Store) CreateWebhookEndpoint(
	ctx context.Context, scope models.Scope, actor models.Actor, w *models.WebhookEndpoint,
) error {
	w.OrganizationID = scope.OrganizationID
	begin, err := s.feedEnd(ctx)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// Creations of one organization wait for each other. Otherwise two calls could both count nine endpoints.
		err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Select("id").
			Where("id = ? AND status = ?", scope.OrganizationID, models.OrganizationActive).Take(&models.Organization{}).Error
		if err != nil {
			return err
		}
		var present int64
		err = tx.Model(w).Where("organization_id = ? AND deleted_at IS NULL", scope.OrganizationID).Count(&present).Error
		if err != nil {
			return err
		}
		if present >= models.MaxWebhookEndpoints {
			return &models.LimitError{What: models.LimitWebhookEndpoints, Limit: models.MaxWebhookEndpoints}
		}
		if err := tx.Create(w).Error; err != nil {
			return err
		}
		if err := setCursor(tx, w, begin); err != nil {
			return err
		}
		made := models.Maker{OrganizationID: w.OrganizationID, Kind: models.MadeWebhook, ID: w.ID}
		if _, err := makers.Record(tx, actor, made); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, auditedEndpoint, w.ID))
	})
}

// feedEnd returns the current end of the feed. Later events come after it.
func (s *Store) feedEnd(ctx context.Context) (models.EventPosition, error) {
	var at models.EventPosition
	err := s.db.OpenTables().QueryRow(pg.WithoutTransaction(ctx),
		"SELECT now(), coalesce(pg_sequence_last_value('event_sequence'), 0)").Scan(&at.At, &at.Sequence)
	return at, pg.Translate(err)
}

// setCursor sets the cursor of an endpoint to a position of the feed.
func setCursor(tx *gorm.DB, w *models.WebhookEndpoint, at models.EventPosition) error {
	return tx.Exec(`UPDATE webhook_endpoints
		SET cursor_sequence = ?, cursor_at = ?, next_check_at = NULL, rests_until = NULL,
		failing_since = NULL, concurrency = DEFAULT, setbacks = 0, paused_until = NULL
		WHERE organization_id = ? AND id = ?`, at.Sequence, at.At, w.OrganizationID, w.ID).Error
}

// WebhookEndpoint returns an endpoint. Errors: models.ErrNotFound.
func (s *Store) WebhookEndpoint(ctx context.Context, scope models.Scope, id string) (models.WebhookEndpoint, error) {
	var w models.WebhookEndpoint
	err := endpointOf(s.db.GORM(ctx), scope, id).Take(&w).Error
	return w, pg.Translate(err)
}

func endpointOf(tx *gorm.DB, scope models.Scope, id string) *gorm.DB {
	return tx.Where("organization_id = ? AND id = ? AND deleted_at IS NULL", scope.OrganizationID, id)
}

// lockEndpoint locks and reads an endpoint. Errors: gorm.ErrRecordNotFound.
func lockEndpoint(tx *gorm.DB, scope models.Scope, id string) (models.WebhookEndpoint, error) {
	var w models.WebhookEndpoint
	err := endpointOf(tx, scope, id).Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Take(&w).Error
	return w, err
}

// endpointOrder are the columns of an endpoint. An organization has few of them.
var endpointOrder = pg.Sortable{
	"created_at": false, "updated_at": false, "url": false, "description": true, "status": false,
}

// ListWebhookEndpoints returns a page of endpoints. order may contain the columns of endpointOrder.
func (s *Store) ListWebhookEndpoints(
	ctx context.Context, scope models.Scope, order []models.Order, page models.Page,
) (models.List[models.WebhookEndpoint], error) {
	q := s.db.GORM(ctx).Where("organization_id = ? AND deleted_at IS NULL", scope.OrganizationID)
	return pg.ReadPage[models.WebhookEndpoint](q, endpointOrder, order, page)
}

// UpdateWebhookEndpoint reads an endpoint, calls change and writes the result, in one database transaction.
// An endpoint that is enabled again gets later events only. A disabled one loses its pending deliveries.
// A replay brings both back. Errors: models.ErrNotFound.
func (s *Store) UpdateWebhookEndpoint(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.WebhookEndpoint),
) (models.WebhookEndpoint, error) {
	begin, err := s.feedEnd(ctx)
	if err != nil {
		return models.WebhookEndpoint{}, err
	}
	var w models.WebhookEndpoint
	err = s.db.InTx(ctx, func(ctx context.Context) (err error) {
		tx := s.db.GORM(ctx)
		if w, err = lockEndpoint(tx, scope, id); err != nil {
			return err
		}
		before := w
		change(&w)
		if err := saveEndpoint(tx, &w); err != nil {
			return err
		}
		switch {
		case before.Status == w.Status:
		case w.Status == models.WebhookEnabled:
			err = setCursor(tx, &w, begin)
		default:
			err = s.announceDisabled(ctx, &w)
		}
		if err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, auditedEndpoint, id).With(pg.Changed(&before, &w)))
	})
	return w, err
}

func saveEndpoint(tx *gorm.DB, w *models.WebhookEndpoint) error {
	w.UpdatedAt = tx.NowFunc()
	return tx.Model(&models.WebhookEndpoint{}).Where("organization_id = ? AND id = ?", w.OrganizationID, w.ID).
		Select("*").Omit("organization_id", "id", "created_at").UpdateColumns(w).Error
}

// announceDisabled writes to the feed that an endpoint was disabled, and drops its pending deliveries.
func (s *Store) announceDisabled(ctx context.Context, w *models.WebhookEndpoint) error {
	object, err := json.Marshal(endpointObject(w))
	if err != nil {
		return err
	}
	err = s.events.Append(ctx, models.Event{
		OrganizationID: w.OrganizationID, Type: "webhook_endpoint.disabled", ObjectID: w.ID, Record: object,
		Previous: json.RawMessage(`{"status": "ENABLED", "disabled_reason": null}`),
	})
	if err != nil {
		return err
	}
	return s.dropPending(ctx, w)
}

// dropPending drops the pending deliveries of a disabled endpoint.
func (s *Store) dropPending(ctx context.Context, w *models.WebhookEndpoint) error {
	batch := &pgx.Batch{}
	batch.Queue(`
		UPDATE webhook_deliveries SET status = 'FAILED', next_attempt_at = NULL, attempts = attempts || jsonb_build_array(
		         jsonb_build_object('at', now(), 'duration_ms', 0, 'error', $3::text))
		 WHERE organization_id = $1 AND endpoint_id = $2
		   AND status = 'PENDING'`, w.OrganizationID, w.ID, models.WebhookEndpointClosed)
	batch.Queue("DELETE FROM webhook_replays WHERE organization_id = $1 AND endpoint_id = $2", w.OrganizationID, w.ID)
	batch.Queue(`UPDATE webhook_endpoints
		SET next_check_at = now(), rests_until = NULL
		WHERE organization_id = $1 AND id = $2`, w.OrganizationID, w.ID)
	return pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

const deleteEndpoints = `
	UPDATE webhook_endpoints SET deleted_at = now(), status = 'DISABLED',
	       disabled_reason = coalesce(disabled_reason, 'MANUAL'),
	       next_check_at = now(), rests_until = NULL
	 WHERE deleted_at IS NULL AND organization_id = ?`

// DeleteWebhookEndpoint deletes an endpoint. Its workflow deletes its deliveries. Errors: models.ErrNotFound.
func (s *Store) DeleteWebhookEndpoint(ctx context.Context, scope models.Scope, actor models.Actor, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		w, err := lockEndpoint(tx, scope, id)
		if err != nil {
			return err
		}
		if err := tx.Exec(deleteEndpoints+" AND id = ?", w.OrganizationID, w.ID).Error; err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditDelete, auditedEndpoint, id))
	})
}

// EndAll deletes the endpoints of an organization, as DeleteWebhookEndpoint does.
func EndAll(tx *gorm.DB, scope models.Scope) error {
	return tx.Exec(deleteEndpoints, scope.OrganizationID).Error
}

// RotateWebhookSecret replaces the secret of an endpoint. The previous one also signs until the overlap ends. Errors:
// models.ErrNotFound, models.ErrChangedMeanwhile for an endpoint of another scheme.
func (s *Store) RotateWebhookSecret(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, secret models.WebhookSecret,
) (models.WebhookEndpoint, error) {
	var w models.WebhookEndpoint
	err := s.db.InTx(ctx, func(ctx context.Context) (err error) {
		tx := s.db.GORM(ctx)
		if w, err = lockEndpoint(tx, scope, id); err != nil {
			return err
		}
		if w.SignatureScheme != secret.Scheme {
			return models.ErrChangedMeanwhile
		}
		until := tx.NowFunc().Add(models.WebhookOverlap)
		w.FormerSecret, w.FormerUntil, w.Secret, w.PublicKey = w.Secret, &until, secret.Sealed, secret.PublicKey
		if err := saveEndpoint(tx, &w); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditRotate, auditedEndpoint, id))
	})
	return w, err
}
