package imports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
)

// advanceOfEarlier is how a release without pass 0 advances an import.
const advanceOfEarlier = `
	UPDATE transaction_imports
	   SET pass = $1, byte_offset = $2, line = line + 1, rows = rows + $3, transactions = transactions + $3,
	       accepted = accepted + $3, updated_at = now()`

// A worker of an earlier release would import the first rows of an order alone. It leaves the import to a later one, and
// still ends the imports that an earlier release began.
func TestAnEarlierReleaseImportsNoOrderInParts(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	advance := func(pass int, offset int64, transactions int) error {
		_, err := b.SQL.Exec(t.Context(), advanceOfEarlier, pass, offset, transactions)
		return pg.Translate(err)
	}
	im := b.Queued(t, "external_id\nA\nB\nA\n")
	im, err := b.Store.Imports.OpenImport(t.Context(), storetest.ImportRef(im))
	require.NoError(t, err)
	require.ErrorIs(t, advance(0, 14, 0), models.ErrUnavailable, "it reads a part of pass 0")
	require.ErrorIs(t, advance(1, im.HeaderSize, 0), models.ErrUnavailable, "it reads pass 0 to its end")
	arranged := &models.ImportChunk{Import: &im, From: im.ImportPosition, To: im.First(1)}
	require.NoError(t, b.Store.Imports.ArrangeImportChunk(t.Context(), arranged))
	require.ErrorIs(t, advance(1, 14, 1), models.ErrUnavailable, "it imports the first rows of A")
	im, err = b.Store.Imports.OpenImport(t.Context(), storetest.ImportRef(im))
	require.NoError(t, err)
	_, _, err = b.Store.Imports.SaveImportChunk(t.Context(), b.Chunk(&im, 16, "A", "B"))
	require.NoError(t, err)
	require.ErrorIs(t, advance(1, 18, 1), models.ErrUnavailable)

	_, err = b.SQL.Exec(t.Context(), "UPDATE transaction_imports SET arranged = false, arranged_chunks = 0")
	require.NoError(t, err)
	require.NoError(t, advance(1, 18, 1))
}
