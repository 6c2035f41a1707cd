package deps

import (
	"context"

	"levy/models"
)

// Imports are files of transactions and the progress of their import.
type Imports interface {
	// BeginImport begins to store a file that arrives piece by piece.
	BeginImport(ctx context.Context, scope models.Scope, id string) error
	// AddImportPiece stores a piece of the file, which begins at that byte.
	AddImportPiece(ctx context.Context, scope models.Scope, id string, start int64, content []byte) error
	// DropUpload deletes a file that is not to be imported.
	DropUpload(ctx context.Context, scope models.Scope, id string) error
	// QueueImport turns an upload into an import that will be carried out, or returns the
	// one of the same file. Errors: models.ErrTooManyImports when limit are under way.
	QueueImport(ctx context.Context, scope models.Scope, actor models.Actor, im models.Import,
		limit int) (models.Import, error)
	// Import reads an import. Errors: models.ErrNotFound.
	Import(ctx context.Context, scope models.Scope, id string) (models.Import, error)
	// ListImports lists the imports, those with a status unless it is empty.
	ListImports(ctx context.Context, scope models.Scope, status models.ImportStatus, order []models.Order,
		page models.Page) (models.List[models.Import], error)
	// TransitionImport pauses, resumes or cancels an import. Errors: models.ErrNotFound,
	// *models.TransitionError.
	TransitionImport(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		to models.ImportStatus) (models.Import, error)
	// ImportRejections hands what was rejected to each, in the order of the file and at most
	// limit. It is valid until each returns, whose error ends it and is returned.
	ImportRejections(ctx context.Context, scope models.Scope, id string, limit int,
		each func(*models.ImportRejection) error) error
}
