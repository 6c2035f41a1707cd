package deps

import (
	"context"
	"io"

	"levy/models"
)

// Notices are letters of authorities.
type Notices interface {
	// CreateNotice creates a notice. Errors: *models.ReferencesNotFoundError, *models.LimitError.
	CreateNotice(ctx context.Context, scope models.Scope, actor models.Actor, n *models.Notice) error
	// Notice reads a notice with its letters. Errors: models.ErrNotFound.
	Notice(ctx context.Context, scope models.Scope, id string) (models.Notice, error)
	// ListNotices lists the notices that pass the filter. Errors: *models.InvalidError for a cursor of another list.
	ListNotices(ctx context.Context, scope models.Scope, f models.NoticeFilter, order []models.Order,
		page models.Page) (models.List[models.Notice], error)
	// UpdateNotice changes a notice. Errors: models.ErrNotFound, and those of change.
	UpdateNotice(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Notice) error) (models.Notice, error)
	// CreateDocument stores a letter of a notice, encrypted. Errors: models.ErrNotFound, *models.LimitError.
	CreateDocument(ctx context.Context, scope models.Scope, actor models.Actor, d *models.NoticeDocument, content []byte) error
	// Document reads a letter without its content. Errors: models.ErrNotFound.
	Document(ctx context.Context, scope models.Scope, noticeID, id string) (models.NoticeDocument, error)
	// WriteDocument writes the decrypted content of a letter piece by piece. Errors: those of to, models.ErrNotFound,
	// secret.ErrUnreadable.
	WriteDocument(ctx context.Context, scope models.Scope, d models.NoticeDocument, to io.Writer) error
}
