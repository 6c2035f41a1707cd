package storetest

import (
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// Queued returns a queued import of a file with that text. Its first row is the header.
func (b *Bundle) Queued(t *testing.T, text string) models.Import {
	t.Helper()
	id, ctx := models.NewID(models.PrefixBatch), t.Context()
	require.NoError(t, b.Store.Imports.BeginImport(ctx, b.Scope, id))
	for at := 0; at < len(text); at += 10 { // in pieces
		require.NoError(
			t,
			b.Store.Imports.AddImportPiece(ctx, b.Scope, id, int64(at), []byte(text[at:min(at+10, len(text))])),
		)
	}
	sum := sha256.Sum256([]byte(text))
	im, err := b.Store.Imports.QueueImport(ctx, b.Scope, models.Actor{
		APIKeyID: "akey_1", RequestID: "req_1",
	}, models.Import{
		ID: id, Kind: models.ImportTransactions, Size: int64(len(text)), SHA256: sum[:], Separator: ",",
		Columns: []string{"external_id"}, HeaderSize: 12, HeaderLines: 1, Passes: 1,
	}, 3)
	require.NoError(t, err)
	return im
}

// Running returns a running import of a file without rows of one order that are apart.
func (b *Bundle) Running(t *testing.T, text string) models.Import {
	t.Helper()
	im := b.Queued(t, text)
	im, err := b.Store.Imports.OpenImport(t.Context(), ImportRef(im))
	require.NoError(t, err)
	arranged := &models.ImportChunk{Import: &im, From: im.ImportPosition, To: im.First(1)}
	require.NoError(t, b.Store.Imports.ArrangeImportChunk(t.Context(), arranged))
	im, err = b.Store.Imports.OpenImport(t.Context(), ImportRef(im))
	require.NoError(t, err)
	require.Equal(t, models.ImportRunning, im.Status)
	return im
}

// Chunk returns a chunk with sales of these external ids.
func (b *Bundle) Chunk(im *models.Import, to int64, externalIDs ...string) *models.ImportChunk {
	c := &models.ImportChunk{
		Import: im, From: im.ImportPosition, To: models.ImportPosition{Pass: 1, ByteOffset: to, Line: 9},
		Rows: int64(len(externalIDs)),
	}
	c.Explain = func(_ *models.ImportEntry, err error) ([]models.ImportFault, error) {
		if errors.Is(err, models.ErrUnavailable) {
			return nil, err
		}
		return []models.ImportFault{{Line: 1, Code: "refused", Message: err.Error()}}, nil
	}
	for i, id := range externalIDs {
		sale := b.OnOneDay(id)
		sale.BatchID = &im.ID
		c.Entries = append(c.Entries, models.ImportEntry{
			Line: int64(i + 2), ExternalID: id, Rows: [][]string{{id}}, Lines: []int64{int64(i + 2)},
			Sale: sale,
		})
	}
	return c
}

// OnOneDay returns a sale whose content does not depend on the clock.
func (b *Bundle) OnOneDay(externalID string) *models.TransactionDraft {
	d := Draft(b.Scope, externalID)
	d.Date = time.Date(2026, time.May, 15, 0, 0, 0, 0, time.UTC)
	d.TaxDate = d.Date
	return d
}
