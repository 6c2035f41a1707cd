package imports

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// Import returns an import. Errors: models.ErrNotFound.
func (s *Store) Import(ctx context.Context, scope models.Scope, id string) (models.Import, error) {
	var im models.Import
	err := s.db.OpenTables().GORM(ctx).Where("organization_id = ? AND id = ? AND status <> 'UPLOADING'",
		scope.OrganizationID, id).Take(&im).Error
	return im, pg.Translate(err)
}

// ListImports returns a page of the imports of an organization: those with the status, or all for "".
func (s *Store) ListImports(
	ctx context.Context, scope models.Scope, status models.ImportStatus, order []models.Order, page models.Page,
) (models.List[models.Import], error) {
	q := s.db.OpenTables().GORM(ctx).Where("organization_id = ? AND status <> 'UPLOADING'", scope.OrganizationID)
	if status != "" {
		q = q.Where("status = ?", status)
	}
	return pg.ReadPage[models.Import](q, pg.Sortable{"created_at": false}, order, page)
}

// TransitionImport pauses, resumes or cancels an import. If it has the status already, nothing changes.
// It waits for a chunk that is being stored. Errors: models.ErrNotFound, *models.TransitionError.
func (s *Store) TransitionImport(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, to models.ImportStatus,
) (models.Import, error) {
	var im models.Import
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).
			Where("organization_id = ? AND id = ? AND status <> 'UPLOADING'", scope.OrganizationID, id).Take(&im).Error
		if err != nil || im.Status == to || to == models.ImportQueued && im.Status == models.ImportRunning {
			return err
		}
		if err := models.ImportTransitions.Check(string(im.Status), string(to)); err != nil {
			return err
		}
		if err := saveStatus(tx, &im, to, ""); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, importAction(to), "transaction_import", id))
	})
	return im, err
}

// saveStatus writes a status and whether the import needs its workflow: a queued import to begin, a cancelled one to
// clean up.
func saveStatus(tx *gorm.DB, im *models.Import, to models.ImportStatus, reason string) error {
	return pg.Translate(tx.Raw(`
		UPDATE transaction_imports SET status = @to, reason = nullif(@reason, ''), updated_at = now(),
		       finished_at = CASE WHEN @to IN ('COMPLETED', 'CANCELLED') THEN now() END,
		       next_check_at = CASE WHEN @to IN ('QUEUED', 'CANCELLED', 'COMPLETED') THEN now() END,
		       forget_at = CASE WHEN @to <> 'QUEUED' THEN now() + @kept END
		 WHERE organization_id = @organization AND id = @id RETURNING *`,
		map[string]any{
			"to": to, "reason": reason, "kept": models.ImportsKept, "organization": im.OrganizationID,
			"id": im.ID,
		}).Scan(im).Error)
}

func importAction(to models.ImportStatus) string {
	switch to { //nolint:exhaustive // others are not asked for
	case models.ImportPaused:
		return models.AuditPause
	case models.ImportQueued:
		return models.AuditResume
	}
	return models.AuditCancel
}

const selectRejections = `
	SELECT line, external_id, conflict, present, faults, rows, lines FROM transaction_import_rejections
	 WHERE organization_id = $1 AND import_id = $2 AND present = $3 ORDER BY line LIMIT $4`

// ImportRejections calls each with the transactions of a file that were rejected or conflict, in the order of the file.
// Transactions that were present already follow. limit bounds all of them. A rejection is valid until each returns.
func (s *Store) ImportRejections(
	ctx context.Context, scope models.Scope, id string, limit int, each func(*models.ImportRejection) error,
) error {
	for _, present := range []bool{false, true} {
		err := s.importRejections(ctx, []any{scope.OrganizationID, id, present, limit}, func(r *models.ImportRejection) error {
			limit--
			return each(r)
		})
		if err != nil || limit <= 0 {
			return err
		}
	}
	return nil
}

// importRejections calls each with the results of selectRejections.
func (s *Store) importRejections(
	ctx context.Context, args []any, each func(*models.ImportRejection) error,
) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // ends the query if each stops early; otherwise the remaining rows would be read
	rows, err := s.db.OpenTables().Query(ctx, selectRejections, args...)
	if err != nil {
		return pg.Translate(err)
	}
	var r models.ImportRejection
	var faults, cells, lines json.RawMessage
	var unwanted error
	_, err = pgx.ForEachRow(rows, []any{&r.Line, &r.ExternalID, &r.Conflict, &r.Present, &faults, &cells, &lines}, func() error {
		r.Faults, r.Rows, r.Lines = nil, nil, nil
		for from, to := range map[*json.RawMessage]any{&faults: &r.Faults, &cells: &r.Rows, &lines: &r.Lines} {
			if err := json.Unmarshal(*from, to); err != nil {
				return err
			}
		}
		if unwanted = each(&r); unwanted != nil {
			stop()
		}
		return unwanted
	})
	if unwanted != nil {
		return unwanted
	}
	return pg.Translate(err)
}
