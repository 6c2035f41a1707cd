package transactions

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

const (
	// The transaction is locked before it is checked, so that no filing claims it in between.
	lockForReprocess = `
	SELECT t.type, t.status, t.processing_status, t.filing_id, t.epoch FROM transactions t
	 WHERE t.organization_id = $1 AND t.id = $2 FOR NO KEY UPDATE`
	reprocessTransaction = `
	WITH updated AS (
	  UPDATE transactions t SET processing_status = 'QUEUED', processing_reason = NULL, epoch = t.epoch + 1,
	         updated_at = now()
	   WHERE t.organization_id = $1 AND t.id = $2
	  RETURNING t.organization_id, t.id, t.epoch, t.revision),` + reverseContributions + `,` +
		reverseExemptions + `,` + pendingWork + `,` + deleteRefetches + `
	SELECT epoch FROM updated`
	// A refund that waits for its original continues to wait, because only the original makes it due.
	retryNow = `
	UPDATE outbox SET attempts = 0, next_attempt_at = now()
	 WHERE organization_id = $1 AND kind = 1 AND aggregate_id = $2 AND waits_for IS NULL`
)

// ReprocessTransaction queues a processed transaction again, as a new version of its processing. A transaction in
// processing is retried at once. Its contributions to nexus and returns are reversed until it is processed.
// A repetition only causes another retry.
//
// Errors: models.ErrNotFound; those of rules.CheckReprocess; models.ErrUnavailable (nothing was written),
// models.ErrOutcomeUnknown.
func (s *Store) ReprocessTransaction(
	ctx context.Context, scope models.Scope, actor models.Actor, id string,
) (models.Ref, error) {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return models.Ref{}, fmt.Errorf("%w: no database connection: %w", models.ErrUnavailable, err)
	}
	defer conn.Release()
	ref, err := reprocess(ctx, conn, scope, actor, id)
	if err != nil {
		conn.Rollback(ctx)
		return models.Ref{}, pg.Translate(err)
	}
	return ref, nil
}

func reprocess(
	ctx context.Context, conn *pg.Pipeline, scope models.Scope, actor models.Actor, id string,
) (models.Ref, error) {
	ref := models.Ref{OrganizationID: scope.OrganizationID, ID: id}
	t := &models.Transaction{OrganizationID: scope.OrganizationID, ID: id}
	batch := &pgx.Batch{}
	conn.Begin(batch, "")
	batch.Queue(lockForReprocess, scope.OrganizationID, id).QueryRow(func(row pgx.Row) error {
		return row.Scan(&t.Type, &t.Status, &t.ProcessingStatus, &t.FilingID, &ref.Epoch)
	})
	if err := conn.Send(ctx, batch); err != nil {
		return ref, err
	}
	if err := rules.CheckReprocess(t); err != nil {
		return ref, err
	}
	batch = &pgx.Batch{}
	if t.ProcessingStatus.Terminal() {
		batch.Queue(reprocessTransaction, scope.OrganizationID, id).QueryRow(func(row pgx.Row) error {
			return row.Scan(&ref.Epoch)
		})
	} else {
		batch.Queue(retryNow, scope.OrganizationID, id)
	}
	pg.QueueAudit(batch, actor.Entry(scope, models.AuditReprocess, "transaction", id).
		With(map[string]any{"processing_status": t.ProcessingStatus}))
	conn.Commit(batch)
	return ref, conn.SendLast(ctx, batch)
}
