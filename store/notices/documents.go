package notices

import (
	"context"
	"io"
	"time"

	"levy/models"
	"levy/store/pg"
)

const (
	insertPiece = `INSERT INTO notice_document_pieces (organization_id, document_id, n, content)
		VALUES (?, ?, ?, ?)`
	selectPiece = `SELECT content
		FROM notice_document_pieces
		WHERE organization_id = ? AND document_id = ? AND n = ?`
	deletePieces = "DELETE FROM notice_document_pieces WHERE organization_id = ? AND document_id = ?"
)

// CreateDocument stores a letter of a notice, encrypted. Errors: models.ErrNotFound; *models.LimitError if the notice has too
// many, or if the organization or its partner stores too much.
func (s *Store) CreateDocument(
	ctx context.Context, scope models.Scope, actor models.Actor, d *models.NoticeDocument, content []byte,
) error {
	d.OrganizationID = scope.OrganizationID
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return err
	}
	return pg.Translate(s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if err := pg.LockedRecord(tx, scope, d.NoticeID).Select("id").Take(&models.Notice{}).Error; err != nil {
			return err
		}
		var stored int64
		err := tx.Model(d).Where("organization_id = ? AND notice_id = ?", scope.OrganizationID, d.NoticeID).Count(&stored).Error
		if err != nil {
			return err
		}
		if stored >= models.MaxNoticeDocuments {
			return &models.LimitError{What: models.LimitNoticeDocuments, Limit: models.MaxNoticeDocuments}
		}
		if err := tx.Create(d).Error; err != nil {
			return err
		}
		err = pg.InPieces(content, func(n int, piece []byte) error {
			// guard: sealing: a piece of a letter is encrypted before it is stored
			return tx.Exec(insertPiece, d.OrganizationID, d.ID, n, key.DocumentKey(d.OrganizationID).Seal(d.PieceField(n), piece)).Error
		})
		if err != nil {
			return err
		}
		if err := s.db.CheckStorage(tx, scope); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "notice_document", d.ID).
			With(map[string]any{"notice_id": d.NoticeID}))
	}))
}

// Document returns a letter of a notice without its content. Errors: models.ErrNotFound.
func (s *Store) Document(ctx context.Context, scope models.Scope, noticeID, id string) (d models.NoticeDocument, err error) {
	err = pg.Record(s.db.GORM(ctx), scope, id).Where("notice_id = ?", noticeID).Take(&d).Error
	return d, pg.Translate(err)
}

// WriteDocument writes the content of a letter in clear, one piece at a time. Errors: those of to; models.ErrNotFound for one
// that was deleted meanwhile; secret.ErrUnreadable, after the last piece also for changed content.
func (s *Store) WriteDocument(ctx context.Context, scope models.Scope, d models.NoticeDocument, to io.Writer) error {
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return err
	}
	return pg.WritePieces(to, d.ID, d.Size, d.SHA256, func(n int) (piece []byte, err error) {
		if err := s.db.GORM(ctx).Raw(selectPiece, scope.OrganizationID, d.ID, n).Row().Scan(&piece); err != nil {
			return nil, pg.Translate(err)
		}
		return key.DocumentKey(scope.OrganizationID).Open(d.PieceField(n), piece)
	})
}

// Documents returns the letters of the organization with these ids, the oldest first. It omits unknown ids.
func (s *Store) Documents(ctx context.Context, scope models.Scope, ids []string) (list []models.NoticeDocument, err error) {
	err = s.db.GORM(ctx).Where("organization_id = ? AND id IN ?", scope.OrganizationID, ids).Order("created_at, id").Find(&list).Error
	return list, pg.Translate(err)
}

// EndedDocuments returns the letters of notices that were answered or closed before a day, the oldest first.
func (s *Store) EndedDocuments(ctx context.Context, scope models.Scope, before time.Time) (list []models.NoticeDocument, err error) {
	err = s.db.GORM(ctx).Where(`organization_id = @organization AND notice_id IN (SELECT n.id FROM notices n
		WHERE n.organization_id = @organization AND n.status IN ('ANSWERED', 'CLOSED') AND n.answered_at < @before)`,
		map[string]any{"organization": scope.OrganizationID, "before": before}).
		Order("created_at, id").Find(&list).Error
	return list, pg.Translate(err)
}

// DeleteDocument deletes a letter, which frees storage of the organization. The notice remains. Errors: models.ErrNotFound,
// also for a deleted letter.
func (s *Store) DeleteDocument(ctx context.Context, scope models.Scope, actor models.Actor, id string) error {
	return pg.Translate(s.db.InTx(ctx, func(ctx context.Context) error {
		return pg.DeleteDocument[models.NoticeDocument](s.db.GORM(ctx), scope, id, deletePieces,
			actor.Entry(scope, models.AuditDelete, "notice_document", id))
	}))
}
