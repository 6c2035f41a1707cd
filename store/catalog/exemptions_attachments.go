package catalog

import (
	"context"
	"io"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

const (
	insertPiece = `INSERT INTO exemption_attachment_pieces (organization_id, attachment_id, n, content)
		VALUES (?, ?, ?, ?)`
	selectPieces = `SELECT n, content
		FROM exemption_attachment_pieces
		WHERE organization_id = ? AND attachment_id = ? ORDER BY n`
	selectPiece = `SELECT content
		FROM exemption_attachment_pieces
		WHERE organization_id = ? AND attachment_id = ? AND n = ?`
	deletePieces = "DELETE FROM exemption_attachment_pieces WHERE organization_id = ? AND attachment_id = ?"
)

// CreateAttachment stores a document of an exemption, sealed by its key. Errors: models.ErrNotFound;
// *models.LimitError if the partner stores too much.
func (s *Store) CreateAttachment(
	ctx context.Context, scope models.Scope, actor models.Actor, upload models.AttachmentUpload,
) error {
	a, content := upload.Attachment, upload.Content
	a.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		err := tx.Clauses(clause.Locking{Strength: "KEY SHARE"}).Select("id").
			Where("organization_id = ? AND id = ?", scope.OrganizationID, a.ExemptionID).Take(&models.Exemption{}).Error
		if err != nil {
			return err
		}
		if err := tx.Create(a).Error; err != nil {
			return err
		}
		err = pg.InPieces(content, func(n int, piece []byte) error { return insertSealed(tx, *a, n, piece, upload.Key) })
		if err != nil {
			return err
		}
		if err := s.db.CheckStorage(tx, scope); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "exemption_attachment", a.ID))
	})
}

func insertSealed(tx *gorm.DB, a models.Attachment, n int, piece []byte, key models.Sealer) error {
	// guard: sealing: a piece of a document is encrypted before it is stored
	return tx.Exec(insertPiece, a.OrganizationID, a.ID, n, key.Seal(a.PieceField(n), piece)).Error
}

// ListAttachments returns the documents of an exemption, the oldest first. Errors: models.ErrNotFound.
func (s *Store) ListAttachments(
	ctx context.Context, scope models.Scope, exemptionID string,
) (list []models.Attachment, err error) {
	err = pg.Record(s.db.OpenTables().GORM(ctx), scope, exemptionID).Select("id").Take(&models.Exemption{}).Error
	if err != nil {
		return nil, pg.Translate(err)
	}
	err = s.db.GORM(ctx).Where("organization_id = ? AND exemption_id = ?", scope.OrganizationID, exemptionID).
		Order("created_at, id").Find(&list).Error
	return list, pg.Translate(err)
}

// Attachment returns a document of an exemption without its content. Errors: models.ErrNotFound.
func (s *Store) Attachment(
	ctx context.Context, scope models.Scope, exemptionID, id string,
) (a models.Attachment, err error) {
	err = s.db.GORM(ctx).
		Where("organization_id = ? AND exemption_id = ? AND id = ?", scope.OrganizationID, exemptionID, id).
		Take(&a).Error
	return a, pg.Translate(err)
}

// WriteAttachment writes the content of a document in clear, one piece at a time. Errors: those of to;
// models.ErrNotFound for a document that was deleted meanwhile; secret.ErrUnreadable, after the last piece also for
// changed content.
func (s *Store) WriteAttachment(
	ctx context.Context, scope models.Scope, keys secret.RecordKeyOpener, a models.Attachment, to io.Writer,
) error {
	open, err := openerOf(keys, a)
	if err != nil {
		return err
	}
	return pg.WritePieces(to, a.ID, a.Size, a.SHA256, func(n int) (piece []byte, err error) {
		if err := s.db.GORM(ctx).Raw(selectPiece, scope.OrganizationID, a.ID, n).Row().Scan(&piece); err != nil {
			return nil, pg.Translate(err)
		}
		return open(n, piece)
	})
}
