package imports_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/money"
)

// A worker of the release before counts no steps. It would take entries of filings for transactions, and reject dates such as
// 5/15/2026. So its changes of such an import fail like a lost race.
func TestAnEarlierReleaseTakesNoFileOfEntries(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	db := storetest.SQL(t, b.URL)
	const begin = "UPDATE transaction_imports SET status = 'RUNNING' WHERE id = $1"
	for i, later := range []string{"kind = 'FILING_ENTRIES'", "date_order = 'MDY'"} {
		im := b.Queued(t, fmt.Sprintf("external_id\nA%d\n", i))
		_, err := db.Exec(t.Context(), "UPDATE transaction_imports SET "+later+" WHERE id = $1", im.ID)
		require.NoError(t, err)
		_, err = db.Exec(t.Context(), begin, im.ID)
		require.ErrorContains(t, err, "later release", later)
		opened, err := b.Store.Imports.OpenImport(t.Context(), storetest.ImportRef(im))
		require.NoError(t, err)
		require.Equal(t, models.ImportRunning, opened.Status)
		_, err = db.Exec(t.Context(), "UPDATE transaction_imports SET byte_offset = byte_offset + 1 WHERE id = $1", im.ID)
		require.ErrorContains(t, err, "later release", later)
	}
}

// credits returns the chunk of a file with one row: a credit of 1.00 with the number A. meet is called the first time that
// its filing is locked.
func credits(t *testing.T, im *models.Import, filingID string, meet func()) *models.ImportChunk {
	t.Helper()
	amount, err := money.ParseTotal("1.00")
	require.NoError(t, err)
	meet = sync.OnceFunc(meet)
	draft := &models.FilingEntryDraft{FilingID: filingID, Of: func(f *models.Filing) (models.FilingEntry, []models.Fault) {
		if f != nil {
			meet()
		}
		return models.FilingEntry{
			ID: models.NewID(models.PrefixFilingEntry), FilingID: filingID, Kind: models.EntryCredit, Amount: amount, Note: "x",
			ExternalID: "A", CreatedAt: time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC),
		}, nil
	}}
	return &models.ImportChunk{
		Import: im, From: im.ImportPosition, To: models.ImportPosition{Pass: 1, ByteOffset: im.Size, Line: 3},
		Rows: 1, Ended: true,
		Entries: []models.ImportEntry{
			{Line: 2, ExternalID: "A", Rows: [][]string{{"A"}}, Lines: []int64{2}, FilingEntry: draft},
		},
		Explain: func(_ *models.ImportEntry, err error) ([]models.ImportFault, error) { return nil, err },
	}
}

// runningOfEntries returns a running import of entries.
func runningOfEntries(t *testing.T, b *storetest.Bundle, text string) models.Import {
	t.Helper()
	im := b.Running(t, text)
	_, err := b.SQL.Exec(t.Context(), "UPDATE transaction_imports SET kind = 'FILING_ENTRIES' WHERE id = $1", im.ID)
	require.NoError(t, err)
	im.Kind = models.ImportFilingEntries
	return im
}

// Two files name one number for two returns at the same moment: both have found no entry of it when they write theirs. One
// entry is added, and the other row is told that there is another one.
func TestTwoFilesNameOneNumberForTwoReturns(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	returns := []string{
		b.January(t, models.FilingUnfiled).ID,
		b.Create(t, storetest.FilingOf(b.Register(t, "US", "TX"), models.FilingUnfiled, "2026-01-01", "2026-01-31")).ID,
	}
	var met, ended sync.WaitGroup
	met.Add(len(returns))
	outcomes := make([]models.ImportCounts, len(returns))
	errs := make([]error, len(returns))
	for i, filing := range returns {
		im := runningOfEntries(t, b.Bundle, fmt.Sprintf("external_id\nA%d\n", i))
		chunk := credits(t, &im, filing, func() {
			met.Done()
			met.Wait()
		})
		ended.Go(func() { outcomes[i], _, errs[i] = b.Store.Imports.SaveImportChunk(t.Context(), chunk) })
	}
	ended.Wait()
	require.NoError(t, errors.Join(errs...))
	one := models.ImportCounts{Rows: 1, Transactions: 1, Accepted: 1, AcceptedRows: 1}
	other := models.ImportCounts{Rows: 1, Transactions: 1, Conflicting: 1, ConflictingRows: 1}
	require.ElementsMatch(t, []models.ImportCounts{one, other}, outcomes)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filing_entries"))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filings WHERE amount_adjusted = -1"))
}

// Two attempts at one chunk at the same moment add its entry once, and it counts as accepted in the one that ends first.
func TestAChunkOfEntriesIsAddedOnce(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	filing := b.January(t, models.FilingUnfiled).ID
	im := runningOfEntries(t, b.Bundle, "external_id\nA\n")
	var ended sync.WaitGroup
	errs := make([]error, 2)
	for i := range errs {
		chunk := credits(t, &im, filing, func() {})
		ended.Go(func() { _, _, errs[i] = b.Store.Imports.SaveImportChunk(t.Context(), chunk) })
	}
	ended.Wait()
	for _, err := range errs {
		if !errors.Is(err, models.ErrImportChanged) {
			require.NoError(t, err)
		}
	}
	stored, err := b.Store.Imports.Import(t.Context(), b.Scope, im.ID)
	require.NoError(t, err)
	require.Equal(t, models.ImportCounts{Rows: 1, Transactions: 1, Accepted: 1, AcceptedRows: 1}, stored.ImportCounts)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filing_entries"))
}

// An attempt that fails after it has added entries, and before the position follows, has added them. In the next attempt they
// count as accepted, not as present.
func TestEntriesOfAFailedAttemptAreAccepted(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	filing := b.January(t, models.FilingUnfiled).ID
	im := runningOfEntries(t, b.Bundle, "external_id\nA\n")
	failing := credits(t, &im, filing, func() {})
	failing.To.ByteOffset = im.Size + 1 // after the end of the file: a constraint refuses it
	_, _, err := b.Store.Imports.SaveImportChunk(t.Context(), failing)
	require.Error(t, err)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filing_entries"))
	counts, _, err := b.Store.Imports.SaveImportChunk(t.Context(), credits(t, &im, filing, func() {}))
	require.NoError(t, err)
	require.Equal(t, models.ImportCounts{Rows: 1, Transactions: 1, Accepted: 1, AcceptedRows: 1}, counts)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filing_entries"))
}
