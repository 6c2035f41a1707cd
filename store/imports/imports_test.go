package imports_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestTheDatabaseAllowsTheSameTransitionsOfImports(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	for _, from := range models.ImportTransitions.States {
		for _, to := range models.ImportTransitions.States {
			var may bool
			require.NoError(t, b.SQL.QueryRow(t.Context(), "SELECT may_move_import($1, $2)", from, to).Scan(&may))
			require.Equal(t, models.ImportTransitions.CanTransition(from, to), may, "%s to %s", from, to)
		}
	}
	b.Queued(t, "external_id\nA\n")
	_, err := b.SQL.Exec(t.Context(), "UPDATE transaction_imports SET status = 'COMPLETED', finished_at = now()")
	require.ErrorContains(t, err, "does not exist")
}

// Two attempts at one chunk, also at the same moment, take it in once.
func TestAChunkIsImportedOnce(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	im := b.Running(t, "external_id\nA\nB\n")
	var attempts sync.WaitGroup
	outcomes := make([]error, 4)
	for i := range outcomes {
		attempts.Go(func() { _, _, outcomes[i] = b.Store.Imports.SaveImportChunk(t.Context(), b.Chunk(&im, 16, "A", "B")) })
	}
	attempts.Wait()
	moved := 0
	for _, err := range outcomes {
		if errors.Is(err, models.ErrImportChanged) {
			moved++
		} else {
			require.NoError(t, err)
		}
	}
	require.Equal(t, len(outcomes)-1, moved)
	stored, err := b.Store.Imports.Import(t.Context(), b.Scope, im.ID)
	require.NoError(t, err)
	require.Equal(t, models.ImportCounts{Rows: 2, Transactions: 2, Accepted: 2, AcceptedRows: 2}, stored.ImportCounts)
	require.Equal(t, models.ImportPosition{Pass: 1, ByteOffset: 16, Line: 9}, stored.ImportPosition)
	require.Equal(t, 2, b.Count(t, "SELECT count(*) FROM transactions"))
}

// An import that was paused or cancelled imports nothing more.
func TestAnImportThatDoesNotRunImportsNothing(t *testing.T) {
	t.Parallel()
	for _, status := range []models.ImportStatus{models.ImportPaused, models.ImportCancelled} {
		b := storetest.Setup(t, 1, 1)
		im := b.Running(t, "external_id\nA\n")
		_, err := b.Store.Imports.TransitionImport(t.Context(), b.Scope, models.Actor{}, im.ID, status)
		require.NoError(t, err)
		_, _, err = b.Store.Imports.SaveImportChunk(t.Context(), b.Chunk(&im, 14, "A"))
		require.ErrorIs(t, err, models.ErrImportChanged)
		require.Zero(t, b.Count(t, "SELECT count(*) FROM transactions"))
	}
}

// A chunk that cannot be written is rolled back as a whole.
func TestAChunkIsAllOrNothing(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	im := b.Running(t, "external_id\nA\n")
	chunk := b.Chunk(&im, 14, "A")
	chunk.To.ByteOffset = 15 // after the end of the file: a constraint refuses it
	_, _, err := b.Store.Imports.SaveImportChunk(t.Context(), chunk)
	require.Error(t, err)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM transactions"))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM outbox"))
}

func TestTransactionsThatExistAlreadyAreDistinguished(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	require.NoError(t, b.Intake.Accept(t.Context(), b.OnOneDay("SAME")))
	other := b.OnOneDay("OTHER")
	other.Currency = "EUR"
	require.NoError(t, b.Intake.Accept(t.Context(), other))
	im := b.Running(t, "external_id\nA\nB\n")
	counts, refs, err := b.Store.Imports.SaveImportChunk(t.Context(), b.Chunk(&im, 16, "NEW", "SAME", "OTHER", "NEW"))
	require.NoError(t, err)
	require.Equal(t, models.ImportCounts{
		Rows: 4, Transactions: 4, Accepted: 1, Present: 1, Conflicting: 2,
		AcceptedRows: 1, PresentRows: 1, ConflictingRows: 2,
	}, counts, "what this import has recorded is not present")
	require.Len(t, refs, 1)
	var told []models.ImportFault
	var ids []string
	require.NoError(t, b.Store.Imports.ImportRejections(t.Context(), b.Scope, im.ID, 10,
		func(r *models.ImportRejection) error {
			told = append(told, r.Faults...)
			ids = append(ids, *r.ExternalID)
			require.Equal(t, *r.ExternalID == "SAME", r.Present)
			require.Equal(t, *r.ExternalID != "SAME", r.Conflict)
			require.Equal(t, [][]string{{*r.ExternalID}}, r.Rows)
			return nil
		}))
	require.Equal(t, []string{"OTHER", "NEW", "SAME"}, ids, "what was there already comes last")
	require.Equal(t, []string{"currency", "external_id", ""}, []string{told[0].Column, told[1].Column, told[2].Column})
}

// The list of rows that were there already has an end. Further ones are counted.
func TestRowsThatWereAlreadyPresentAreListedUpToALimit(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	for _, id := range []string{"ONE", "TWO", "THREE"} {
		require.NoError(t, b.Intake.Accept(t.Context(), b.OnOneDay(id)))
	}
	im := b.Running(t, "external_id\nA\nB\n")
	_, err := b.SQL.Exec(t.Context(), `UPDATE transaction_imports SET rows = $1, transactions = $1, present = $1,
		present_rows = $1`, models.ImportPresentListed-3)
	require.NoError(t, err)
	chunk := b.Chunk(&im, 16, "ONE", "TWO", "THREE", "NEW")
	two := &chunk.Entries[1]
	two.Rows, two.Lines = [][]string{{"TWO"}, {"TWO"}, {"TWO"}}, []int64{3, 4, 5}
	counts, _, err := b.Store.Imports.SaveImportChunk(t.Context(), chunk)
	require.NoError(t, err)
	require.EqualValues(t, 5, counts.PresentRows, "each is counted")
	require.EqualValues(t, 1, counts.AcceptedRows)
	var lines []int64
	require.NoError(t, b.Store.Imports.ImportRejections(t.Context(), b.Scope, im.ID, 10,
		func(r *models.ImportRejection) error {
			require.Len(t, r.Rows, len(r.Lines))
			lines = append(lines, r.Lines...)
			return nil
		}))
	require.Equal(t, []int64{2, 3, 4}, lines, "three rows are left, and THREE and the last row of TWO are beyond")
}

func TestTheSameFileIsOneImportAndThereIsALimit(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	first := b.Queued(t, "external_id\n0\n")
	require.Equal(t, first.ID, b.Queued(t, "external_id\n0\n").ID)
	b.Queued(t, "external_id\n1\n")
	b.Queued(t, "external_id\n2\n")
	id := models.NewID(models.PrefixBatch)
	require.NoError(t, b.Store.Imports.BeginImport(t.Context(), b.Scope, id))
	_, err := b.Store.Imports.QueueImport(t.Context(), b.Scope, models.Actor{}, models.Import{
		Kind: models.ImportTransactions,
		ID:   id, SHA256: make([]byte, 32), Separator: ",", Passes: 1,
	}, 3)
	require.ErrorIs(t, err, models.ErrTooManyImports)
	_, err = b.Store.Imports.Import(t.Context(), b.Scope, id)
	require.ErrorIs(t, err, models.ErrNotFound, "an upload that never became an import is not listed")
	require.NoError(t, b.Store.Imports.DropUpload(t.Context(), b.Scope, id))
	leased, err := b.Store.Imports.LeaseImports(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, leased, 5, "three imports, and two uploads to be deleted")
	for _, im := range leased {
		if im.Status == models.ImportUploading {
			require.NoError(t, b.Store.Imports.ClearImport(t.Context(), storetest.ImportRef(im)))
		}
	}
	require.Equal(t, 3, b.Count(t, "SELECT count(*) FROM transaction_imports"))
	leased, err = b.Store.Imports.LeaseImports(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, leased, "no other process gets them for a while")
}

// Uploads of the same file that end at the same moment are one import.
func TestTheSameFileAtTheSameMomentIsOneImport(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	sum := sha256.Sum256([]byte("external_id\n"))
	ids, errs := make([]string, 6), make([]error, 6)
	var uploads sync.WaitGroup
	for i := range ids {
		id := models.NewID(models.PrefixBatch)
		require.NoError(t, b.Store.Imports.BeginImport(t.Context(), b.Scope, id))
		uploads.Go(func() {
			im, err := b.Store.Imports.QueueImport(t.Context(), b.Scope, models.Actor{}, models.Import{
				Kind: models.ImportTransactions,
				ID:   id, SHA256: sum[:], Separator: ",", Columns: []string{"external_id"}, Passes: 1,
			}, 3)
			ids[i], errs[i] = im.ID, err
		})
	}
	uploads.Wait()
	for i := range ids {
		require.NoError(t, errs[i])
		require.Equal(t, ids[0], ids[i])
	}
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transaction_imports WHERE status = 'QUEUED'"))
}

func TestTheFileIsReadFromAnyByteAndDeletedInTheEnd(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	text := "external_id\nORDER-1\nORDER-2\nORDER-3\n"
	im := b.Running(t, text)
	for at := range len(text) + 1 {
		rest, err := io.ReadAll(b.Store.Imports.ImportContent(t.Context(), storetest.ImportRef(im), int64(at), im.Size))
		require.NoError(t, err)
		require.Equal(t, text[at:], string(rest))
	}
	require.NoError(t, b.Store.Imports.ClearImport(t.Context(), storetest.ImportRef(im)))
	require.NotZero(t, b.Count(t, "SELECT count(*) FROM transaction_import_pieces"), "it is still needed")
	_, err := b.Store.Imports.EndImport(t.Context(), storetest.ImportRef(im), models.ImportCancelled, "")
	require.NoError(t, err)
	require.NoError(t, b.Store.Imports.ClearImport(t.Context(), storetest.ImportRef(im)))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM transaction_import_pieces"))
	_, err = io.ReadAll(b.Store.Imports.ImportContent(t.Context(), storetest.ImportRef(im), 0, im.Size))
	require.ErrorIs(t, err, models.ErrNotFound)
}

// Files and reports that are no longer needed are deleted when their time is over, and not before.
func TestFilesOfImportsAreDeletedAfterTheirTime(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	other := b.OnOneDay("OTHER")
	other.Currency = "EUR"
	require.NoError(t, b.Intake.Accept(t.Context(), other))
	rejecting := func(text string) models.Import {
		im := b.Running(t, text)
		_, _, err := b.Store.Imports.SaveImportChunk(t.Context(), b.Chunk(&im, int64(len(text)-1), "OTHER"))
		require.NoError(t, err)
		return im
	}
	resting, over, running := rejecting("external_id\nPAUSED\n"), rejecting("external_id\nOVER\n"),
		rejecting("external_id\nRUNNING\n")
	for im, to := range map[string]models.ImportStatus{
		resting.ID: models.ImportPaused, over.ID: models.ImportCancelled,
	} {
		moved, err := b.Store.Imports.TransitionImport(t.Context(), b.Scope, models.Actor{}, im, to)
		require.NoError(t, err)
		require.WithinDuration(t, moved.UpdatedAt.Add(models.ImportsKept), *moved.ForgetAt, 0)
	}
	later := func() {
		t.Helper()
		_, err := b.SQL.Exec(t.Context(), "UPDATE transaction_imports SET forget_at = forget_at - interval '30 days'")
		require.NoError(t, err)
		more, err := b.Store.Imports.ForgetSomeImports(t.Context())
		require.NoError(t, err)
		require.False(t, more)
	}
	more, err := b.Store.Imports.ForgetSomeImports(t.Context())
	require.NoError(t, err)
	require.False(t, more)
	require.Equal(t, 3, b.Count(t, "SELECT count(*) FROM transaction_import_rejections"))

	later()
	require.Equal(
		t, 2, b.Count(t, "SELECT count(*) FROM transaction_import_rejections"),
		"those of the import that is over are gone",
	)
	cancelled, err := b.Store.Imports.Import(t.Context(), b.Scope, resting.ID)
	require.NoError(t, err)
	require.Equal(t, models.ImportCancelled, cancelled.Status, "nobody resumed it")
	require.NotNil(t, cancelled.FinishedAt)
	require.Equal(
		t, 1,
		b.Count(
			t,
			`SELECT count(*) FROM transaction_imports
			  WHERE status = 'CANCELLED' AND next_check_at IS NOT NULL AND forget_at > now()`,
		),
		"its file is deleted next",
	)
	require.Equal(
		t, 1,
		b.Count(t, "SELECT count(*) FROM audit WHERE action = 'expire' AND entity_type = 'transaction_import'"),
	)

	later()
	require.Equal(
		t, 1, b.Count(t, "SELECT count(*) FROM transaction_import_rejections"), "that of the import that runs",
	)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM transaction_imports WHERE forget_at IS NOT NULL"))
	still, err := b.Store.Imports.Import(t.Context(), b.Scope, running.ID)
	require.NoError(t, err)
	require.Equal(t, models.ImportRunning, still.Status)
}

// An archived organization imports nothing more.
func TestImportsEndWithTheirOrganization(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	im := b.Running(t, "external_id\nA\n")
	require.NoError(t, b.Store.Organizations.ArchiveOrganization(t.Context(), b.Scope, models.Actor{}, "gone"))
	_, _, err := b.Store.Imports.SaveImportChunk(t.Context(), b.Chunk(&im, 14, "A"))
	require.ErrorIs(t, err, models.ErrImportChanged)
	ended, err := b.Store.Imports.Import(t.Context(), b.Scope, im.ID)
	require.NoError(t, err)
	require.Equal(t, models.ImportCancelled, ended.Status)
}

// An import of another organization is answered as one that does not exist.
func TestImportsOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	im := b.Running(t, "external_id\nA\n")
	stranger := storetest.Organization(t, b.URL)
	_, err := b.Store.Imports.Import(t.Context(), stranger, im.ID)
	require.ErrorIs(t, err, models.ErrNotFound)
	_, err = b.Store.Imports.TransitionImport(t.Context(), stranger, models.Actor{}, im.ID, models.ImportCancelled)
	require.ErrorIs(t, err, models.ErrNotFound)
	list, err := b.Store.Imports.ListImports(t.Context(), stranger, "", nil, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, list.Items)
	require.NoError(t, b.Store.Imports.ImportRejections(context.Background(), stranger, im.ID, 10,
		func(*models.ImportRejection) error {
			return fmt.Errorf("not expected")
		}))
}

// A file that was imported is not imported again, unless its columns have other names.
func TestAFileWithOtherColumnsIsAnotherImport(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	const file = "external_id\nA\n"
	first := b.Running(t, file)
	chunk := b.Chunk(&first, int64(len(file)), "A")
	chunk.Ended = true
	_, _, err := b.Store.Imports.SaveImportChunk(t.Context(), chunk)
	require.NoError(t, err)
	require.Equal(t, first.ID, b.Queued(t, file).ID)
	_, err = b.SQL.Exec(t.Context(), `UPDATE transaction_imports SET columns = '["other"]' WHERE id = $1`, first.ID)
	require.NoError(t, err)
	second := b.Queued(t, file)
	require.NotEqual(t, first.ID, second.ID)
	// It is the same import while it is paused, and another one then with other names.
	_, err = b.SQL.Exec(t.Context(), "UPDATE transaction_imports SET status = 'PAUSED' WHERE id = $1", second.ID)
	require.NoError(t, err)
	require.Equal(t, second.ID, b.Queued(t, file).ID)
	_, err = b.SQL.Exec(t.Context(), `UPDATE transaction_imports SET columns = '["other"]' WHERE id = $1`, second.ID)
	require.NoError(t, err)
	third := b.Queued(t, file)
	require.NotContains(t, []string{first.ID, second.ID}, third.ID)
	// With any names it is the same import while it runs.
	_, err = b.SQL.Exec(t.Context(), `UPDATE transaction_imports SET columns = '["another"]' WHERE id = $1`, third.ID)
	require.NoError(t, err)
	require.Equal(t, third.ID, b.Queued(t, file).ID)
}

// A file may add an entry again that was deleted, so a file of entries that was imported is another import.
func TestAnImportedFileOfEntriesIsAnotherImport(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	const file = "external_id\nA\n"
	first := b.Running(t, file)
	chunk := b.Chunk(&first, int64(len(file)), "A")
	chunk.Ended = true
	_, _, err := b.Store.Imports.SaveImportChunk(t.Context(), chunk)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "UPDATE transaction_imports SET kind = 'FILING_ENTRIES' WHERE id = $1", first.ID)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, b.Queued(t, file).ID)
}
