package activities

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"levy/models"
)

const (
	// chunkTransactions and chunkLines bound what is taken in at once, whichever is
	// reached first: a batch of processing, and the memory for it.
	chunkTransactions = 500
	chunkLines        = 2000
	// chunkRows is how many rows are read at once that belong to the other pass, and chunkParts how many orders of
	// pass 0.
	chunkRows, chunkParts = 20_000, 10_000
	// chunkEntries is how many entries of filings are stored before the position advances.
	chunkEntries = 50
)

// chunks reads an import piece by piece, one ahead of what is saved: reading and
// checking costs as much time as writing.
type chunks struct {
	im    *models.Import
	sheet ImportSheet
	next  chan *models.ImportChunk
	err   error // after next is closed
}

// readChunks begins to read at the position of the import. It ends with ctx. Errors: as of
// Open.
func (a *Imports) readChunks(ctx context.Context, im *models.Import) (*chunks, error) {
	sheet, err := a.sheets.Open(im, a.records.ImportContent(ctx, refOf(im), im.ByteOffset, im.Size),
		a.records.ImportParts(ctx, im))
	if err != nil {
		return nil, err
	}
	c := &chunks{im: im, sheet: sheet, next: make(chan *models.ImportChunk, 1)}
	go func() {
		defer close(c.next)
		c.err = guarded(ctx, a.log, func(ctx context.Context) error { return a.read(ctx, c) })
	}()
	return c, nil
}

func (a *Imports) read(ctx context.Context, c *chunks) error {
	for ended := false; !ended; {
		chunk := &models.ImportChunk{Import: c.im, From: c.sheet.Position(), Explain: a.sheets.Explain(c.im)}
		var err error
		if chunk.From.Pass == 0 {
			ended, err = c.fillParts(chunk)
		} else {
			ended, err = c.fill(ctx, chunk, a.now())
		}
		if err != nil {
			return err
		}
		select {
		case c.next <- chunk:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// fill reads a chunk; ended says that it is the last one of the pass.
func (c *chunks) fill(ctx context.Context, chunk *models.ImportChunk, now time.Time) (ended bool, err error) {
	before, most := c.sheet.Rows(), chunkTransactions
	if c.im.Kind == models.ImportFilingEntries {
		most = chunkEntries
	}
	for lines := 0; len(chunk.Entries) < most && lines < chunkLines && c.sheet.Rows()-before < chunkRows; {
		entry, err := c.sheet.Next(ctx, now)
		if errors.Is(err, io.EOF) {
			ended = true
			break
		}
		if err != nil {
			return false, err
		}
		if entry != nil {
			chunk.Entries, lines = append(chunk.Entries, *entry), lines+len(entry.Rows)
		}
	}
	chunk.To = c.sheet.Position()
	if chunk.From.Pass == 1 { // the second pass meets the same rows again
		chunk.Rows = c.sheet.Rows() - before
	}
	if ended && chunk.From.Pass < c.im.Passes {
		chunk.To = c.im.First(chunk.From.Pass + 1)
	} else {
		chunk.Ended = ended
	}
	return ended, nil
}

// fillParts reads a chunk of pass 0; ended says that it is the last one.
func (c *chunks) fillParts(chunk *models.ImportChunk) (ended bool, err error) {
	for before := c.sheet.Rows(); len(chunk.Parts) < chunkParts && c.sheet.Rows()-before < chunkRows; {
		part, err := c.sheet.NextPart()
		if errors.Is(err, io.EOF) {
			chunk.To = c.im.First(1)
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if part != nil {
			chunk.Parts = append(chunk.Parts, *part)
		}
	}
	chunk.To = c.sheet.Position()
	return false, nil
}

func refOf(im *models.Import) models.ImportRef {
	return models.ImportRef{OrganizationID: im.OrganizationID, ID: im.ID}
}

// settled waits until enough imported transactions are processed, because an import may not delay the processing of new
// transactions. Before the first refund it waits for all of them: the refundable amount of a sale may depend on its
// tax. It does not wait long for transactions that cannot be processed.
func (a *Imports) settled(ctx context.Context, chunk *models.ImportChunk) error {
	if chunk.Import.Kind == models.ImportFilingEntries { // they are not processed
		return nil
	}
	most := mostUnprocessed
	if first := chunk.Import.First(2); chunk.From.Pass == first.Pass && chunk.From.ByteOffset == first.ByteOffset {
		most = 1
	}
	for deadline := a.now().Add(longestWait); a.now().Before(deadline); {
		n, err := a.records.Unprocessed(ctx, chunk.Import.OrganizationID, most)
		if err != nil {
			return fmt.Errorf("unprocessed transactions: %w", err)
		}
		if n < most {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(waitPause):
		}
	}
	return nil
}
