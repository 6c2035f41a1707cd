package activities

import (
	"context"
	"io"
	"time"

	"levy/models"
)

// ImportRecords are files of transactions and how far they are taken in.
type ImportRecords interface {
	// OpenImport reads an import; one that is queued runs from now on. Errors:
	// models.ErrNotFound for one that is gone.
	OpenImport(ctx context.Context, ref models.ImportRef) (models.Import, error)
	// ImportContent reads the file from a byte on.
	ImportContent(ctx context.Context, ref models.ImportRef, offset, size int64) io.Reader
	// SaveImportChunk takes a piece in and advances the position, in one database
	// transaction. It returns what was found and what is to be processed. Errors:
	// models.ErrImportChanged when the import has another position or does not run.
	SaveImportChunk(ctx context.Context, chunk *models.ImportChunk) (models.ImportCounts, []models.Ref, error)
	// ArrangeImportChunk stores where orders begin and advances the position, in one database transaction. Errors:
	// models.ErrImportChanged when the import has another position or does not run.
	ArrangeImportChunk(ctx context.Context, chunk *models.ImportChunk) error
	// ImportParts reads the rows of orders that are not adjacent.
	ImportParts(ctx context.Context, im *models.Import) models.ImportParts
	// Unprocessed counts the transactions of an organization that wait to be processed
	// for the first time, as far as limit.
	Unprocessed(ctx context.Context, organizationID string, limit int) (int, error)
	// EndImport fails or cancels an import, unless it is over.
	EndImport(ctx context.Context, ref models.ImportRef, to models.ImportStatus, reason string) (models.Import, error)
	// ClearImport deletes what an import that is over does not need any more.
	ClearImport(ctx context.Context, ref models.ImportRef) error
}

// ImportSheets reads transactions out of files. Package api implements it, because
// they are validated as its requests are.
type ImportSheets interface {
	// Open reads the file of an import from its position, where from begins. Errors: the
	// validation cannot be put together.
	Open(im *models.Import, from io.Reader, apart models.ImportParts) (ImportSheet, error)
	// Explain turns the result of an entry into faults of its rows.
	Explain(im *models.Import) func(*models.ImportEntry, error) ([]models.ImportFault, error)
}

// ImportSheet is a file that is read transaction by transaction.
type ImportSheet interface {
	// Next reads a transaction; nil for rows that belong to the other pass, or to a transaction that began before.
	// Errors: io.EOF behind the last one.
	Next(ctx context.Context, now time.Time) (*models.ImportEntry, error)
	// NextPart reads adjacent rows of one order in pass 0; nil for rows of none. Errors: as of Next.
	NextPart() (*models.ImportPart, error)
	// Position is where the next transaction begins, and Rows how many rows came before.
	Position() models.ImportPosition
	Rows() int64
}

// Offers takes transactions that are stored and are to be processed.
type Offers interface {
	// Offer never blocks and may drop the offer: the outbox remembers the work.
	Offer(ctx context.Context, ref models.Ref)
}
