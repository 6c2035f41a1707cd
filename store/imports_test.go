package store_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// queued is an import of a file of that text, whose first row is its header.
func (b *intakeBundle) queued(t *testing.T, text string) models.Import {
	t.Helper()
	id, ctx := models.NewID(models.PrefixBatch), t.Context()
	require.NoError(t, b.store.BeginImport(ctx, b.scope, id))
	for at := 0; at < len(text); at += 10 { // in pieces
		require.NoError(t, b.store.AddImportPiece(ctx, b.scope, id, int64(at), []byte(text[at:min(at+10, len(text))])))
	}
	sum := sha256.Sum256([]byte(text))
	im, err := b.store.QueueImport(ctx, b.scope, models.Actor{APIKeyID: "akey_1", RequestID: "req_1"}, models.Import{
		ID: id, Size: int64(len(text)), SHA256: sum[:], Separator: ",", Columns: []string{"external_id"}, HeaderSize: 12, HeaderLines: 1, Passes: 1,
	}, 3)
	require.NoError(t, err)
	return im
}

func (b *intakeBundle) running(t *testing.T, text string) models.Import {
	t.Helper()
	im := b.queued(t, text)
	im, err := b.store.OpenImport(t.Context(), ref(im))
	require.NoError(t, err)
	require.Equal(t, models.ImportRunning, im.Status)
	return im
}

func ref(im models.Import) models.ImportRef {
	return models.ImportRef{OrganizationID: im.OrganizationID, ID: im.ID}
}

// chunk is a chunk with sales of these external ids.
func (b *intakeBundle) chunk(im *models.Import, to int64, externalIDs ...string) *models.ImportChunk {
	c := &models.ImportChunk{Import: im, From: im.ImportPosition, To: models.ImportPosition{Pass: 1, ByteOffset: to, Line: 9}, Rows: int64(len(externalIDs))}
	c.Explain = func(_ *models.ImportEntry, err error) ([]models.ImportFault, error) {
		if errors.Is(err, models.ErrUnavailable) {
			return nil, err
		}
		return []models.ImportFault{{Line: 1, Code: "refused", Message: err.Error()}}, nil
	}
	for i, id := range externalIDs {
		c.Entries = append(c.Entries, models.ImportEntry{Line: int64(i + 2), ExternalID: id, Rows: [][]string{{id}}, Lines: []int64{int64(i + 2)}, Sale: b.onOneDay(id)})
	}
	return c
}

// onOneDay is a sale whose content does not depend on the moment.
func (b *intakeBundle) onOneDay(externalID string) *models.TransactionDraft {
	d := storetest.Draft(b.scope, externalID)
	d.Date = time.Date(2026, time.May, 15, 0, 0, 0, 0, time.UTC)
	d.TaxDate = d.Date
	return d
}

func TestTheDatabaseKnowsTheMovesOfImports(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	for _, from := range models.ImportStatusMachine.States {
		for _, to := range models.ImportStatusMachine.States {
			var may bool
			require.NoError(t, b.sql.QueryRow(t.Context(), "SELECT may_move_import($1, $2)", from, to).Scan(&may))
			require.Equal(t, models.ImportStatusMachine.MayMove(from, to), may, "%s to %s", from, to)
		}
	}
	b.queued(t, "external_id\nA\n")
	_, err := b.sql.Exec(t.Context(), "UPDATE transaction_imports SET status = 'COMPLETED', finished_at = now()")
	require.ErrorContains(t, err, "does not exist")
}

// Two attempts at one chunk, also at the same moment, take it in once.
func TestAChunkIsTakenInOnce(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	im := b.running(t, "external_id\nA\nB\n")
	var attempts sync.WaitGroup
	outcomes := make([]error, 4)
	for i := range outcomes {
		attempts.Go(func() { _, _, outcomes[i] = b.store.SaveImportChunk(t.Context(), b.chunk(&im, 16, "A", "B")) })
	}
	attempts.Wait()
	moved := 0
	for _, err := range outcomes {
		if errors.Is(err, models.ErrImportMoved) {
			moved++
		} else {
			require.NoError(t, err)
		}
	}
	require.Equal(t, len(outcomes)-1, moved)
	stored, err := b.store.Import(t.Context(), b.scope, im.ID)
	require.NoError(t, err)
	require.Equal(t, models.ImportCounts{Rows: 2, Transactions: 2, Accepted: 2}, stored.ImportCounts)
	require.Equal(t, models.ImportPosition{Pass: 1, ByteOffset: 16, Line: 9}, stored.ImportPosition)
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transactions"))
}

// An import that was paused or cancelled takes nothing in any more.
func TestAnImportThatDoesNotRunTakesNothingIn(t *testing.T) {
	t.Parallel()
	for _, status := range []models.ImportStatus{models.ImportPaused, models.ImportCancelled} {
		b := setupIntake(t, 1, 1)
		im := b.running(t, "external_id\nA\n")
		_, err := b.store.MoveImport(t.Context(), b.scope, models.Actor{}, im.ID, status)
		require.NoError(t, err)
		_, _, err = b.store.SaveImportChunk(t.Context(), b.chunk(&im, 14, "A"))
		require.ErrorIs(t, err, models.ErrImportMoved)
		require.Zero(t, b.count(t, "SELECT count(*) FROM transactions"))
	}
}

// What a chunk cannot write takes all of it back.
func TestAChunkIsAllOrNothing(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	im := b.running(t, "external_id\nA\n")
	chunk := b.chunk(&im, 14, "A")
	chunk.To.ByteOffset = 15 // behind the end of the file: a constraint refuses it
	_, _, err := b.store.SaveImportChunk(t.Context(), chunk)
	require.Error(t, err)
	require.Zero(t, b.count(t, "SELECT count(*) FROM transactions"))
	require.Zero(t, b.count(t, "SELECT count(*) FROM outbox"))
}

func TestWhatIsThereAlreadyIsToldApart(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	require.NoError(t, b.intake.Accept(t.Context(), b.onOneDay("SAME")))
	other := b.onOneDay("OTHER")
	other.Currency = "EUR"
	require.NoError(t, b.intake.Accept(t.Context(), other))
	im := b.running(t, "external_id\nA\nB\n")
	counts, refs, err := b.store.SaveImportChunk(t.Context(), b.chunk(&im, 16, "NEW", "SAME", "OTHER", "NEW"))
	require.NoError(t, err)
	require.Equal(t, models.ImportCounts{Rows: 4, Transactions: 4, Accepted: 1, Present: 2, Conflicting: 1}, counts, "a mate with the same content counts as there")
	require.Len(t, refs, 1)
	var told []models.ImportFault
	require.NoError(t, b.store.ImportRejections(t.Context(), b.scope, im.ID, 10, func(r *models.ImportRejection) error {
		told = append(told, r.Faults...)
		require.Equal(t, "OTHER", *r.ExternalID)
		require.True(t, r.Conflict)
		require.Equal(t, [][]string{{"OTHER"}}, r.Rows)
		return nil
	}))
	require.Len(t, told, 1)
	require.Equal(t, "currency", told[0].Column)
}

func TestTheSameFileIsOneImportAndThereIsALimit(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	first := b.queued(t, "external_id\n0\n")
	require.Equal(t, first.ID, b.queued(t, "external_id\n0\n").ID)
	b.queued(t, "external_id\n1\n")
	b.queued(t, "external_id\n2\n")
	id := models.NewID(models.PrefixBatch)
	require.NoError(t, b.store.BeginImport(t.Context(), b.scope, id))
	_, err := b.store.QueueImport(t.Context(), b.scope, models.Actor{}, models.Import{ID: id, SHA256: make([]byte, 32), Separator: ",", Passes: 1}, 3)
	require.ErrorIs(t, err, models.ErrTooManyImports)
	_, err = b.store.Import(t.Context(), b.scope, id)
	require.ErrorIs(t, err, models.ErrNotFound, "nobody sees what never became an import")
	require.NoError(t, b.store.DropUpload(t.Context(), b.scope, id))
	leased, err := b.store.LeaseImports(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, leased, 5, "three imports, and two uploads to be deleted")
	for _, im := range leased {
		if im.Status == models.ImportUploading {
			require.NoError(t, b.store.ClearImport(t.Context(), ref(im)))
		}
	}
	require.Equal(t, 3, b.count(t, "SELECT count(*) FROM transaction_imports"))
	leased, err = b.store.LeaseImports(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, leased, "nobody else gets them for a while")
}

// Uploads of the same file that end at the same moment are one import.
func TestTheSameFileAtTheSameMomentIsOneImport(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	sum := sha256.Sum256([]byte("external_id\n"))
	ids, errs := make([]string, 6), make([]error, 6)
	var uploads sync.WaitGroup
	for i := range ids {
		id := models.NewID(models.PrefixBatch)
		require.NoError(t, b.store.BeginImport(t.Context(), b.scope, id))
		uploads.Go(func() {
			im, err := b.store.QueueImport(t.Context(), b.scope, models.Actor{}, models.Import{ID: id, SHA256: sum[:], Separator: ",", Columns: []string{"external_id"}, Passes: 1}, 3)
			ids[i], errs[i] = im.ID, err
		})
	}
	uploads.Wait()
	for i := range ids {
		require.NoError(t, errs[i])
		require.Equal(t, ids[0], ids[i])
	}
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transaction_imports WHERE status = 'QUEUED'"))
}

func TestTheFileIsReadFromAnyByteAndDeletedInTheEnd(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	text := "external_id\nORDER-1\nORDER-2\nORDER-3\n"
	im := b.running(t, text)
	for at := range len(text) + 1 {
		rest, err := io.ReadAll(b.store.ImportContent(t.Context(), ref(im), int64(at), im.Size))
		require.NoError(t, err)
		require.Equal(t, text[at:], string(rest))
	}
	require.NoError(t, b.store.ClearImport(t.Context(), ref(im)))
	require.NotZero(t, b.count(t, "SELECT count(*) FROM transaction_import_pieces"), "it is still needed")
	_, err := b.store.EndImport(t.Context(), ref(im), models.ImportCancelled, "")
	require.NoError(t, err)
	require.NoError(t, b.store.ClearImport(t.Context(), ref(im)))
	require.Zero(t, b.count(t, "SELECT count(*) FROM transaction_import_pieces"))
	_, err = io.ReadAll(b.store.ImportContent(t.Context(), ref(im), 0, im.Size))
	require.ErrorIs(t, err, models.ErrNotFound)
}

// What nobody needs any more is deleted when its time is over, and not before.
func TestWhatIsLeftOfImportsIsForgotten(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	other := b.onOneDay("OTHER")
	other.Currency = "EUR"
	require.NoError(t, b.intake.Accept(t.Context(), other))
	rejecting := func(text string) models.Import {
		im := b.running(t, text)
		_, _, err := b.store.SaveImportChunk(t.Context(), b.chunk(&im, int64(len(text)-1), "OTHER"))
		require.NoError(t, err)
		return im
	}
	resting, over, running := rejecting("external_id\nPAUSED\n"), rejecting("external_id\nOVER\n"), rejecting("external_id\nRUNNING\n")
	for im, to := range map[string]models.ImportStatus{resting.ID: models.ImportPaused, over.ID: models.ImportCancelled} {
		moved, err := b.store.MoveImport(t.Context(), b.scope, models.Actor{}, im, to)
		require.NoError(t, err)
		require.WithinDuration(t, moved.UpdatedAt.Add(models.ImportsKept), *moved.ForgetAt, 0)
	}
	later := func() {
		t.Helper()
		_, err := b.sql.Exec(t.Context(), "UPDATE transaction_imports SET forget_at = forget_at - interval '30 days'")
		require.NoError(t, err)
		more, err := b.store.ForgetSomeImports(t.Context())
		require.NoError(t, err)
		require.False(t, more)
	}
	more, err := b.store.ForgetSomeImports(t.Context())
	require.NoError(t, err)
	require.False(t, more)
	require.Equal(t, 3, b.count(t, "SELECT count(*) FROM transaction_import_rejections"))

	later()
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transaction_import_rejections"), "those of the import that is over are gone")
	cancelled, err := b.store.Import(t.Context(), b.scope, resting.ID)
	require.NoError(t, err)
	require.Equal(t, models.ImportCancelled, cancelled.Status, "nobody resumed it")
	require.NotNil(t, cancelled.FinishedAt)
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transaction_imports WHERE status = 'CANCELLED' AND next_check_at IS NOT NULL AND forget_at > now()"), "its file is deleted next")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM audit WHERE action = 'expire' AND entity_type = 'transaction_import'"))

	later()
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transaction_import_rejections"), "that of the import that runs")
	require.Zero(t, b.count(t, "SELECT count(*) FROM transaction_imports WHERE forget_at IS NOT NULL"))
	still, err := b.store.Import(t.Context(), b.scope, running.ID)
	require.NoError(t, err)
	require.Equal(t, models.ImportRunning, still.Status)
}

// An organization that is archived takes nothing in any more.
func TestImportsEndWithTheirOrganization(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	im := b.running(t, "external_id\nA\n")
	require.NoError(t, b.store.ArchiveOrganization(t.Context(), b.scope, models.Actor{}, "gone"))
	_, _, err := b.store.SaveImportChunk(t.Context(), b.chunk(&im, 14, "A"))
	require.ErrorIs(t, err, models.ErrImportMoved)
	ended, err := b.store.Import(t.Context(), b.scope, im.ID)
	require.NoError(t, err)
	require.Equal(t, models.ImportCancelled, ended.Status)
}

// An import of another organization is answered as one that does not exist.
func TestImportsOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	im := b.running(t, "external_id\nA\n")
	stranger := storetest.Organization(t, b.url)
	_, err := b.store.Import(t.Context(), stranger, im.ID)
	require.ErrorIs(t, err, models.ErrNotFound)
	_, err = b.store.MoveImport(t.Context(), stranger, models.Actor{}, im.ID, models.ImportCancelled)
	require.ErrorIs(t, err, models.ErrNotFound)
	list, err := b.store.ListImports(t.Context(), stranger, "", nil, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, list.Items)
	require.NoError(t, b.store.ImportRejections(context.Background(), stranger, im.ID, 10, func(*models.ImportRejection) error {
		return fmt.Errorf("not expected")
	}))
}
