package imports

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// importCheckPause is the pause before the workflow of an import is checked again.
const importCheckPause = "60 seconds"

// LeaseImports takes up to limit due imports with remaining work, and postpones their next check: the commit is the
// lease. It is one of the few queries across organizations.
func (s *Store) LeaseImports(ctx context.Context, limit int) ([]models.Import, error) {
	if due, err := s.db.Exists(ctx, "transaction_imports WHERE next_check_at <= now()"); err != nil || !due {
		return nil, err
	}
	rows, err := s.db.Query(ctx, `
		WITH due AS (
		  SELECT organization_id, id FROM transaction_imports
		   WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED)
		UPDATE transaction_imports i SET next_check_at = now() + interval '`+importCheckPause+`'
		  FROM due WHERE i.organization_id = due.organization_id AND i.id = due.id
		RETURNING i.organization_id, i.id, i.status, i.size`, limit)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (models.Import, error) {
		var im models.Import
		err := row.Scan(&im.OrganizationID, &im.ID, &im.Status, &im.Size)
		return im, err
	})
}

// OpenImport returns an import for the workflow and sets a queued one to RUNNING. Errors: models.ErrNotFound for a
// deleted one.
func (s *Store) OpenImport(ctx context.Context, ref models.ImportRef) (models.Import, error) {
	var im models.Import
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		err := tx.Exec(`UPDATE transaction_imports
			   SET status = 'RUNNING', steps = steps + 1, started_at = coalesce(started_at, now()), updated_at = now()
		                 WHERE organization_id = ? AND id = ? AND status = 'QUEUED'`, ref.OrganizationID, ref.ID).Error
		if err != nil {
			return err
		}
		return tx.Where("organization_id = ? AND id = ?", ref.OrganizationID, ref.ID).Take(&im).Error
	})
	return im, err
}

// EndImport fails or cancels an import for the workflow. It does not change an import that has ended.
func (s *Store) EndImport(
	ctx context.Context, ref models.ImportRef, to models.ImportStatus, reason string,
) (models.Import, error) {
	var im models.Import
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Where("organization_id = ? AND id = ?",
			ref.OrganizationID, ref.ID).Take(&im).Error
		if err != nil || models.ImportTransitions.Check(string(im.Status), string(to)) != nil {
			return err
		}
		return saveStatus(tx, &im, to, reason)
	})
	return im, err
}

const (
	deleteImportPieces = `
	DELETE FROM transaction_import_pieces WHERE ctid = ANY (ARRAY(
	  SELECT ctid FROM transaction_import_pieces WHERE organization_id = $1 AND import_id = $2 LIMIT 64))`
	deleteImportOriginals = `
	DELETE FROM transaction_import_originals WHERE ctid = ANY (ARRAY(
	  SELECT ctid FROM transaction_import_originals WHERE organization_id = $1 AND import_id = $2 LIMIT 10000))`
	deleteImportOrders = `
	DELETE FROM transaction_import_orders WHERE ctid = ANY (ARRAY(
	  SELECT ctid FROM transaction_import_orders WHERE organization_id = $1 AND import_id = $2 LIMIT 10000))`
	deleteImportParts = `
	DELETE FROM transaction_import_parts WHERE ctid = ANY (ARRAY(
	  SELECT ctid FROM transaction_import_parts WHERE organization_id = $1 AND import_id = $2 LIMIT 10000))`
)

// ClearImport deletes data that an ended import no longer needs, in limited steps, and an abandoned upload completely.
// It does nothing while rows may still be imported.
func (s *Store) ClearImport(ctx context.Context, ref models.ImportRef) error {
	im, err := s.OpenImport(ctx, ref)
	if errors.Is(err, models.ErrNotFound) {
		return nil
	}
	if err != nil || !im.Status.Over() && im.Status != models.ImportUploading {
		return err
	}
	for _, statement := range []string{
		deleteImportPieces, deleteImportOriginals, deleteImportOrders, deleteImportParts,
	} {
		for {
			deleted, err := s.db.Exec(ctx, statement, ref.OrganizationID, ref.ID)
			if err != nil {
				return pg.Translate(err)
			}
			if deleted.RowsAffected() == 0 {
				break
			}
		}
	}
	_, err = s.db.Exec(ctx, `UPDATE transaction_imports
		SET next_check_at = NULL
		WHERE organization_id = $1 AND id = $2`, ref.OrganizationID, ref.ID)
	if err == nil && im.Status == models.ImportUploading {
		_, err = s.db.Exec(ctx, `DELETE FROM transaction_imports
			WHERE organization_id = $1 AND id = $2 AND status = 'UPLOADING'`, ref.OrganizationID, ref.ID)
	}
	return pg.Translate(err)
}

// ImportContent returns a reader of the file of an import from a byte on. It reads one piece at a time.
func (s *Store) ImportContent(ctx context.Context, ref models.ImportRef, offset, size int64) io.Reader {
	return &importContent{ctx: ctx, store: s, ref: ref, at: offset, size: size}
}

type importContent struct {
	ctx      context.Context
	store    *Store
	ref      models.ImportRef
	at, size int64
	piece    []byte
}

func (c *importContent) Read(to []byte) (int, error) {
	if len(c.piece) == 0 {
		if c.at >= c.size {
			return 0, io.EOF
		}
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	n := copy(to, c.piece)
	c.piece, c.at = c.piece[n:], c.at+int64(n)
	return n, nil
}

// next reads the piece at the position.
func (c *importContent) next() error {
	var start int64
	err := c.store.db.QueryRow(c.ctx, `
		SELECT start, content FROM transaction_import_pieces
		 WHERE organization_id = $1 AND import_id = $2 AND start <= $3 ORDER BY start DESC LIMIT 1`,
		c.ref.OrganizationID, c.ref.ID, c.at).Scan(&start, &c.piece)
	if err != nil {
		return pg.Translate(err)
	}
	if c.at-start >= int64(len(c.piece)) {
		return fmt.Errorf("the file of the import ends at byte %d of %d", start+int64(len(c.piece)), c.size)
	}
	c.piece = c.piece[c.at-start:]
	return nil
}

// Unprocessed counts the transactions of an organization with at most one attempt of processing, up to limit.
func (s *Store) Unprocessed(ctx context.Context, organizationID string, limit int) (int, error) {
	var n int
	err := s.db.QueryRow(ctx, `
		SELECT count(*) FROM (
		  SELECT FROM outbox WHERE organization_id = $1 AND kind = 1 AND waits_for IS NULL AND attempts < 2 LIMIT $2) o`,
		organizationID, limit).Scan(&n)
	return n, pg.Translate(err)
}
