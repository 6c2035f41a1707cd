package imports

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

const (
	cleanupInterval = 10 * time.Minute
	// forgetImports and forgetRejections are the most rows of one step.
	forgetImports    = 50
	forgetRejections = 2000
)

// ForgetImports deletes the remains of expired imports, until ctx ends. Several processes may do so at once.
func (s *Store) ForgetImports(ctx context.Context) {
	pg.Repeat(ctx, "removing old imports", cleanupInterval, s.ForgetSomeImports)
}

// deleteRejections deletes the oldest first, and skips imports that another process handles.
const (
	deleteRejections = `
	DELETE FROM transaction_import_rejections WHERE ctid = ANY (ARRAY(
	  SELECT r.ctid FROM (
	    SELECT organization_id, id FROM transaction_imports
	     WHERE forget_at <= now() AND status IN ('COMPLETED', 'CANCELLED') ORDER BY forget_at LIMIT $1
	       FOR UPDATE SKIP LOCKED) i
	   CROSS JOIN LATERAL (
	     SELECT x.ctid FROM transaction_import_rejections x WHERE x.organization_id = i.organization_id
	       AND x.import_id = i.id LIMIT $2) r
	   LIMIT $2))`
	markForgotten = `
	UPDATE transaction_imports i SET forget_at = NULL
	 WHERE i.forget_at <= now() AND i.status IN ('COMPLETED', 'CANCELLED') AND NOT EXISTS (
	   SELECT FROM transaction_import_rejections x WHERE x.organization_id = i.organization_id AND x.import_id = i.id)`
)

// ForgetSomeImports cancels imports that were not resumed for models.ImportsKept. Their files are then deleted like
// those of all ended imports. It deletes the rejected rows of imports that ended that long ago. It reports whether
// there may be more.
func (s *Store) ForgetSomeImports(ctx context.Context) (more bool, err error) {
	found := 0
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		var imports []models.Import
		err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE", Options: "SKIP LOCKED"}).
			Where("forget_at <= now() AND status IN ('PAUSED', 'FAILED')").
			Order("forget_at").Limit(forgetImports).Find(&imports).Error
		if err != nil {
			return err
		}
		found = len(imports)
		for i := range imports {
			im := &imports[i]
			if err := saveStatus(tx, im, models.ImportCancelled, "It was not resumed in time."); err != nil {
				return err
			}
			err := pg.Audit(tx, models.Actor{}.Entry(im.Scope(), models.AuditExpire, "transaction_import", im.ID))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	deleted, err := s.db.Exec(ctx, deleteRejections, forgetImports, forgetRejections)
	if err != nil {
		return false, pg.Translate(err)
	}
	if deleted.RowsAffected() == forgetRejections || found == forgetImports {
		return true, nil
	}
	_, err = s.db.Exec(ctx, markForgotten)
	return false, pg.Translate(err)
}

// EndAll cancels the imports of an organization that is deleted, and makes their rejected rows due for deletion at
// once.
func EndAll(tx *gorm.DB, scope models.Scope) error {
	return tx.Exec(`
		UPDATE transaction_imports
		   SET status = CASE WHEN status IN ('QUEUED', 'RUNNING', 'PAUSED', 'FAILED') THEN 'CANCELLED' ELSE status END,
		       finished_at = CASE WHEN status IN ('QUEUED', 'RUNNING', 'PAUSED', 'FAILED') THEN now()
		       ELSE finished_at END,
		       next_check_at = CASE WHEN status IN ('QUEUED', 'RUNNING', 'PAUSED', 'FAILED', 'UPLOADING') THEN now()
		       ELSE next_check_at END,
		       forget_at = CASE WHEN status <> 'UPLOADING' THEN now() END, updated_at = now()
		 WHERE organization_id = ?`, scope.OrganizationID).Error
}
