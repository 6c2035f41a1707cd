package deps

import (
	"context"

	"levy/models"
)

// Imports are the records of imports, with their files.
type Imports interface {
	// BeginImport begins to store a file that arrives piece by piece.
	BeginImport(ctx context.Context, scope models.Scope, id string) error
	// AddImportPiece stores the piece of the file that begins at byte start.
	AddImportPiece(ctx context.Context, scope models.Scope, id string, start int64, content []byte) error
	// DropUpload deletes a file that no import uses.
	DropUpload(ctx context.Context, scope models.Scope, id string) error
	// QueueImport creates the import of an upload, or returns the import of the same file. Errors:
	// models.ErrTooManyImports if limit imports are under way.
	QueueImport(ctx context.Context, scope models.Scope, actor models.Actor, im models.Import,
		limit int) (models.Import, error)
	// Import reads an import. Errors: models.ErrNotFound.
	Import(ctx context.Context, scope models.Scope, id string) (models.Import, error)
	// ListImports lists the imports with a status, or all imports if status is empty.
	ListImports(ctx context.Context, scope models.Scope, status models.ImportStatus, order []models.Order,
		page models.Page) (models.List[models.Import], error)
	// TransitionImport pauses, resumes or cancels an import. Errors: models.ErrNotFound,
	// *models.TransitionError.
	TransitionImport(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		to models.ImportStatus) (models.Import, error)
	// ImportRejections calls each with at most limit transactions: those that were rejected or conflict, in the order of
	// the file, then those that were present. A rejection is valid until each returns. Errors: that of each, which ends
	// the call.
	ImportRejections(ctx context.Context, scope models.Scope, id string, limit int,
		each func(*models.ImportRejection) error) error
}
