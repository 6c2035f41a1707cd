package imports

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// UploadTimeout is how long an upload without a new piece is kept.
const UploadTimeout = 2 * time.Hour

// BeginImport creates the record of a file that arrives in pieces. The import is invisible before QueueImport.
// The pieces of an upload that ends before are deleted.
func (s *Store) BeginImport(ctx context.Context, scope models.Scope, id string) error {
	_, err := s.db.OpenTables().Exec(ctx, `
		INSERT INTO transaction_imports (organization_id, id, status, next_check_at, created_at, updated_at)
		VALUES ($1, $2, 'UPLOADING', now() + $3::interval, now(), now())`, scope.OrganizationID, id, UploadTimeout)
	return pg.Translate(err)
}

// AddImportPiece stores a piece of the file, which begins at byte start. Errors: *models.LimitError if the partner
// stores too much.
func (s *Store) AddImportPiece(ctx context.Context, scope models.Scope, id string, start int64, content []byte) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, `INSERT INTO transaction_import_pieces (organization_id, import_id, start, content)
			VALUES ($1, $2, $3, $4)`,
			scope.OrganizationID, id, start, content)
		if err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, `UPDATE transaction_imports SET next_check_at = now() + $3::interval
			WHERE organization_id = $1 AND id = $2 AND status = 'UPLOADING' AND next_check_at < now() + $3::interval / 2`,
			scope.OrganizationID, id, UploadTimeout)
		if err != nil {
			return err
		}
		return s.db.CheckStorage(s.db.GORM(ctx), scope)
	})
}

// DropUpload marks an upload as abandoned, so its pieces are deleted soon.
func (s *Store) DropUpload(ctx context.Context, scope models.Scope, id string) error {
	_, err := s.db.OpenTables().Exec(ctx, `UPDATE transaction_imports
		SET next_check_at = now()
		WHERE organization_id = $1 AND id = $2 AND status = 'UPLOADING'`,
		scope.OrganizationID, id)
	return pg.Translate(err)
}

// QueueImport turns an upload into a queued import, and returns it. A file whose import is in progress is not imported
// again. The same holds with the same names of its columns, if its import rests or has recorded all its transactions. Its import is
// returned. Entries that were deleted may be added again. Errors: models.ErrTooManyImports if limit imports are in progress.
func (s *Store) QueueImport(
	ctx context.Context, scope models.Scope, actor models.Actor, im models.Import, limit int,
) (models.Import, error) {
	found := models.Import{}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// Uploads of one organization that end at the same moment wait for each other.
		if err := tx.Exec("SELECT "+pg.LockUploads.Wait("?"), scope.OrganizationID).Error; err != nil {
			return err
		}
		columns, err := json.Marshal(im.Columns)
		if err != nil {
			return err
		}
		same := tx.Where("organization_id = ? AND sha256 = ? AND (status IN ('QUEUED', 'RUNNING') OR (status IN ('PAUSED', 'FAILED') "+
			// guard: files: a file with other names of its columns is another import
			"OR status = 'COMPLETED' AND kind = 'TRANSACTIONS' AND rejected + conflicting = 0) AND columns = ?::jsonb)",
			scope.OrganizationID, im.SHA256, string(columns)).Order("created_at DESC").Limit(1).Find(&found)
		if same.Error != nil {
			return same.Error
		}
		if same.RowsAffected > 0 {
			return tx.Exec(`UPDATE transaction_imports
				SET next_check_at = now()
				WHERE organization_id = ? AND id = ? AND status = 'UPLOADING'`,
				scope.OrganizationID, im.ID).Error
		}
		var underWay int64
		err = tx.Model(&models.Import{}).Where("organization_id = ? AND status IN ('QUEUED', 'RUNNING', 'PAUSED')",
			scope.OrganizationID).Count(&underWay).Error
		if err != nil {
			return err
		}
		if underWay >= int64(limit) {
			return models.ErrTooManyImports
		}
		if err := queueUpload(tx, scope, actor, &im); err != nil {
			return err
		}
		found = im
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "transaction_import", im.ID))
	})
	return found, err
}

func queueUpload(tx *gorm.DB, scope models.Scope, actor models.Actor, im *models.Import) error {
	im.OrganizationID, im.Status, im.ImportPosition = scope.OrganizationID, models.ImportQueued, im.First(0)
	if im.Kind == models.ImportFilingEntries { // no two rows belong together
		im.Arranged, im.ImportPosition = true, im.First(1)
	}
	im.APIKeyID, im.RequestID = pg.Optional(actor.APIKeyID), pg.Optional(actor.RequestID)
	im.UserID, im.UserName = pg.Optional(actor.UserID), pg.Optional(actor.UserName)
	im.UpdatedAt = im.CreatedAt
	written := tx.Model(&models.Import{}).
		Where("organization_id = ? AND id = ? AND status = 'UPLOADING'", im.OrganizationID, im.ID).
		Select("kind", "arranged", "name", "status", "api_key_id", "request_id", "size", "sha256", "separator", "columns", "date_order",
			"header_size", "header_lines", "passes", "pass", "byte_offset", "line", "created_at", "updated_at").Updates(im)
	if written.Error != nil {
		return written.Error
	}
	if written.RowsAffected == 0 {
		return models.ErrNotFound
	}
	return tx.Exec("UPDATE transaction_imports SET next_check_at = now() WHERE organization_id = ? AND id = ?",
		im.OrganizationID, im.ID).Error
}
