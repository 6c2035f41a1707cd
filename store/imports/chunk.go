package imports

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/store/pg"
)

const (
	// The row is locked until the chunk is committed, so pausing and cancelling wait.
	lockImport = `
	SELECT present_rows FROM transaction_imports
	 WHERE organization_id = $1 AND id = $2 AND status = 'RUNNING' AND pass = $3 AND byte_offset = $4 FOR NO KEY UPDATE`
)

var advancePosition = pg.Prepare(`
	UPDATE transaction_imports
	   SET pass = @pass, byte_offset = @byte_offset, line = @line, steps = steps + 1, rows = rows + @rows,
	       transactions = transactions + @transactions, accepted = accepted + @accepted, present = present + @present,
	       conflicting = conflicting + @conflicting, rejected = rejected + @rejected,
	       accepted_rows = accepted_rows + @accepted_rows, present_rows = present_rows + @present_rows,
	       conflicting_rows = conflicting_rows + @conflicting_rows, rejected_rows = rejected_rows + @rejected_rows,
	       restored_postal_codes = restored_postal_codes + @restored_postal_codes, updated_at = now(),
	       status = CASE WHEN @ended THEN 'COMPLETED' ELSE status END, finished_at = CASE WHEN @ended THEN now() END,
	       forget_at = CASE WHEN @ended THEN now() + @kept::interval END
	 WHERE organization_id = @organization_id AND id = @import_id`, pg.Names{
	"organization_id", "import_id", "pass", "byte_offset", "line", "rows", "transactions", "accepted", "present",
	"conflicting", "rejected", "accepted_rows", "present_rows", "conflicting_rows", "rejected_rows",
	"restored_postal_codes", "ended", "kept",
})

var (
	insertOriginals = pg.Prepare(`
	INSERT INTO transaction_import_originals (organization_id, import_id, file_id, transaction_id)
	SELECT @organization_id, @import_id, original.file_id, original.id FROM {original} ON CONFLICT DO NOTHING`,
		pg.Names{"organization_id", "import_id"}, originalRows)
	originalRows = pg.RowsOf("original",
		pg.Col("file_id", "text", func(o *original) *string { return &o.fileID }),
		pg.Col("id", "text", func(o *original) *string { return &o.id }))

	selectOriginals = pg.Prepare(`
	SELECT o.file_id, o.transaction_id FROM {name}
	 CROSS JOIN LATERAL (
	   SELECT * FROM transaction_import_originals x
	    WHERE x.organization_id = @organization_id AND x.import_id = @import_id AND x.file_id = name.file_id OFFSET 0) o`,
		pg.Names{"organization_id", "import_id"}, nameRows)
	nameRows = pg.RowsOf("name", pg.Col("file_id", "text", func(name *string) *string { return name }))
)

// original is a sale that a file names by a name of its own.
type original struct{ fileID, id string }

// SaveImportChunk stores a chunk of an import, in one database transaction unless it has entries of filings. Its
// transactions go through the intake, each with its own result, and the position of the import advances. It returns the
// counts and the transactions to process. Errors: models.ErrImportChanged if the import does not run or has another
// position; those of Explain; models.ErrUnavailable, models.ErrOutcomeUnknown.
func (s *Store) SaveImportChunk(
	ctx context.Context, chunk *models.ImportChunk,
) (models.ImportCounts, []models.Ref, error) {
	w := &importWork{
		store: s, chunk: chunk, ids: make([]string, len(chunk.Entries)),
		refs: make([]models.Ref, 0, len(chunk.Entries)),
	}
	if chunk.Import.Kind == models.ImportFilingEntries {
		err := w.saveEntries(ctx)
		return w.counts, nil, err
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		var err error
		if w.presentRows, err = s.lockPosition(ctx, chunk); err != nil {
			return err
		}
		if err := w.decide(ctx); err != nil {
			return err
		}
		if err := failpoint.Hit("import_before_commit"); err != nil {
			return err
		}
		return w.write(ctx)
	})
	if err != nil {
		return models.ImportCounts{}, nil, err // committed or not: the next attempt reads the position
	}
	return w.counts, w.refs, failpoint.Hit("import_after_commit")
}

// lockPosition locks an import at the beginning of a chunk, and returns how many rows before it were already present.
// Errors: models.ErrImportChanged if it does not run or has another position.
func (s *Store) lockPosition(ctx context.Context, chunk *models.ImportChunk) (presentRows int64, err error) {
	im, from := chunk.Import, chunk.From
	err = s.db.QueryRow(ctx, lockImport, im.OrganizationID, im.ID, from.Pass, from.ByteOffset).Scan(&presentRows)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, models.ErrImportChanged
	}
	return presentRows, err
}

// importWork is a chunk while it is stored.
type importWork struct {
	store       *Store
	chunk       *models.ImportChunk
	presentRows int64    // before the chunk
	ids         []string // the id of the transaction of each entry, if there is one
	counts      models.ImportCounts
	refs        []models.Ref
}

// decide accepts or rejects every entry.
func (w *importWork) decide(ctx context.Context) error {
	w.counts.Rows = w.chunk.Rows
	if err := w.resolveOriginals(ctx); err != nil {
		return err
	}
	var sales, refunds []int
	for i := range w.chunk.Entries {
		switch e := &w.chunk.Entries[i]; {
		case e.Sale != nil:
			sales = append(sales, i)
		case e.Refund != nil:
			refunds = append(refunds, i)
		}
	}
	// The intake reports which sales exist. An existing refund has taken its part of the sale, and would be refused for
	// that.
	refunds, err := w.decideExisting(ctx, refunds)
	if err != nil {
		return err
	}
	taken, err := w.accept(ctx, append(sales, refunds...))
	if err != nil {
		return err
	}
	left, err := w.decideExisting(ctx, taken)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("%w: duplicates that are not there", models.ErrUnavailable)
	}
	w.count()
	return err
}

// accept passes entries through the intake and returns those whose external id is taken.
func (w *importWork) accept(ctx context.Context, pending []int) (taken []int, err error) {
	var sales []*models.TransactionDraft
	var places []int
	for _, i := range pending {
		if e := &w.chunk.Entries[i]; e.Sale != nil {
			e.Sale.Background = true
			sales, places = append(sales, e.Sale), append(places, i)
		}
	}
	results := []error{}
	if len(sales) > 0 {
		results = w.store.transactions.Accept(ctx, sales)
	}
	for _, i := range pending {
		if e := &w.chunk.Entries[i]; e.Refund != nil {
			e.Refund.Background = true
			_, err := w.store.transactions.AcceptRefund(ctx, w.chunk.Import.Scope(), e.Refund)
			places, results = append(places, i), append(results, err)
		}
	}
	for n, result := range results {
		e := &w.chunk.Entries[places[n]]
		var duplicate *models.DuplicateError
		switch {
		case result == nil:
			d := e.Draft()
			w.ids[places[n]] = d.ID
			w.counts.Accepted++
			w.counts.AcceptedRows += int64(len(e.Rows))
			if e.PostalCodeRestored {
				w.counts.RestoredPostalCodes++
			}
			if !d.ProcessingStatus.Terminal() {
				w.refs = append(w.refs, models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch})
			}
		case errors.As(result, &duplicate):
			taken = append(taken, places[n])
		default:
			if e.Faults, err = w.chunk.Explain(e, result); err != nil {
				return nil, err
			}
		}
	}
	return taken, nil
}

// count counts the entries that were not accepted.
func (w *importWork) count() {
	for i := range w.chunk.Entries {
		e := &w.chunk.Entries[i]
		transactions, rows := int64(1), int64(len(e.Rows))
		if e.Rest {
			transactions = 0
		}
		switch {
		case e.Present:
			w.counts.Present += transactions
			w.counts.PresentRows += rows
		case e.Conflict:
			w.counts.Conflicting += transactions
			w.counts.ConflictingRows += rows
		case e.Faults != nil:
			w.counts.Rejected += transactions
			w.counts.RejectedRows += rows
		}
	}
	w.counts.Transactions = w.counts.Accepted + w.counts.Present + w.counts.Conflicting + w.counts.Rejected
}

// resolveOriginals gives refunds the sales of other rows of the file. A name without a row may be the id of a stored
// sale.
func (w *importWork) resolveOriginals(ctx context.Context) error {
	var names []string
	for i := range w.chunk.Entries {
		if e := &w.chunk.Entries[i]; e.Refund != nil && e.Original != "" {
			names = append(names, e.Original)
		}
	}
	if names == nil {
		return nil
	}
	rows, err := w.store.db.Query(ctx, selectOriginals.SQL,
		selectOriginals.Values([]any{w.chunk.Import.OrganizationID, w.chunk.Import.ID}, nameRows.Of(names))...)
	known := map[string]string{}
	var name, id string
	err = pg.ForEach(rows, err, []any{&name, &id}, func() error {
		known[name] = id
		return nil
	})
	for i := range w.chunk.Entries {
		if e := &w.chunk.Entries[i]; e.Refund != nil && known[e.Original] != "" {
			e.Refund.RelatedTo = new(known[e.Original])
		}
	}
	return err
}

// write stores the parts of the chunk and advances the import.
func (w *importWork) write(ctx context.Context) error {
	im, to, n := w.chunk.Import, w.chunk.To, w.counts
	batch := &pgx.Batch{}
	w.queueOriginals(batch)
	w.queueRejections(batch)
	advancePosition.Queue(batch, []any{
		im.OrganizationID, im.ID, to.Pass, to.ByteOffset, to.Line, n.Rows, n.Transactions, n.Accepted, n.Present,
		n.Conflicting, n.Rejected, n.AcceptedRows, n.PresentRows, n.ConflictingRows, n.RejectedRows,
		n.RestoredPostalCodes, w.chunk.Ended, models.ImportsKept,
	})
	return w.store.db.SendBatch(ctx, batch).Close()
}

// queueOriginals adds the statement that stores the file's names of sales, for later refunds of them.
func (w *importWork) queueOriginals(batch *pgx.Batch) {
	if w.chunk.Import.Passes < 2 || w.chunk.From.Pass != 1 {
		return
	}
	var originals []original
	for i := range w.chunk.Entries {
		if e := &w.chunk.Entries[i]; e.FileID != "" && w.ids[i] != "" {
			originals = append(originals, original{e.FileID, w.ids[i]})
		}
	}
	if originals != nil {
		insertOriginals.Queue(batch, []any{w.chunk.Import.OrganizationID, w.chunk.Import.ID}, originalRows.Of(originals))
	}
}
