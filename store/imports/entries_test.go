package imports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// A worker of the release before counts no steps. It would take entries of filings for transactions, so its changes of such an
// import fail like a lost race.
func TestAnEarlierReleaseTakesNoFileOfEntries(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	im := b.Queued(t, "external_id\nA\n")
	db := storetest.SQL(t, b.URL)
	const begin = "UPDATE transaction_imports SET status = 'RUNNING' WHERE id = $1"
	_, err := db.Exec(t.Context(), "UPDATE transaction_imports SET kind = 'FILING_ENTRIES' WHERE id = $1", im.ID)
	require.NoError(t, err)
	_, err = db.Exec(t.Context(), begin, im.ID)
	require.ErrorContains(t, err, "later release")
	opened, err := b.Store.Imports.OpenImport(t.Context(), storetest.ImportRef(im))
	require.NoError(t, err)
	require.Equal(t, models.ImportRunning, opened.Status)
	_, err = db.Exec(t.Context(), "UPDATE transaction_imports SET byte_offset = byte_offset + 1 WHERE id = $1", im.ID)
	require.ErrorContains(t, err, "later release")
}
