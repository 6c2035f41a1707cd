package workflows

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// fakeImport is the record of an import of one row, and the errors of its activities.
type fakeImport struct {
	mu        sync.Mutex
	status    models.ImportStatus // empty: the import is gone
	elsewhere int                 // chunks that another run has imported
	errs      []error             // of the next chunks
	entered   chan struct{}       // signalled when a chunk begins, which then waits for release
	release   chan struct{}
	taken     int64
	reason    string
	cleared   int
	slices    int
}

var importRef = models.ImportRef{OrganizationID: "org_1", ID: "batc_1"}

func (b *fakeImport) OpenImport(context.Context, models.ImportRef) (models.Import, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.status == "" {
		return models.Import{}, models.ErrNotFound
	}
	if b.status == models.ImportQueued {
		b.status = models.ImportRunning
	}
	b.slices++
	return b.record(), nil
}

func (b *fakeImport) record() models.Import {
	im := models.Import{
		OrganizationID: importRef.OrganizationID, ID: importRef.ID, Status: b.status, Size: 100, Separator: ",",
		Passes: 1,
	}
	im.Pass, im.Rows, im.Accepted, im.Line = 1, b.taken, b.taken, 2+b.taken
	return im
}

func (b *fakeImport) ImportContent(context.Context, models.ImportRef, int64, int64) io.Reader {
	return strings.NewReader("")
}

func (b *fakeImport) SaveImportChunk(
	_ context.Context, chunk *models.ImportChunk,
) (models.ImportCounts, []models.Ref, error) {
	if b.entered != nil {
		b.entered <- struct{}{}
		<-b.release
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.errs) > 0 {
		err := b.errs[0]
		b.errs = b.errs[1:]
		return models.ImportCounts{}, nil, err
	}
	if b.elsewhere > 0 {
		b.elsewhere--
		return models.ImportCounts{}, nil, models.ErrImportChanged
	}
	if b.status != models.ImportRunning {
		return models.ImportCounts{}, nil, models.ErrImportChanged
	}
	b.taken++
	if chunk.Ended {
		b.status = models.ImportCompleted
	}
	return models.ImportCounts{Rows: 1, Transactions: 1, Accepted: 1}, nil, nil
}

func (b *fakeImport) ArrangeImportChunk(context.Context, *models.ImportChunk) error { return nil }

func (b *fakeImport) ImportParts(context.Context, *models.Import) models.ImportParts { return nil }

func (b *fakeImport) Unprocessed(context.Context, string, int) (int, error) { return 0, nil }

func (b *fakeImport) EndImport(
	_ context.Context, _ models.ImportRef, to models.ImportStatus, reason string,
) (models.Import, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.status == models.ImportRunning {
		b.status, b.reason = to, reason
	}
	return b.record(), nil
}

func (b *fakeImport) ClearImport(context.Context, models.ImportRef) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cleared++
	return nil
}

// oneRow is a file of one transaction.
type oneRow struct{ read bool }

func (*fakeImport) Open(*models.Import, io.Reader, models.ImportParts) (activities.ImportSheet, error) {
	return &oneRow{}, nil
}

func (*fakeImport) Explain(*models.Import) func(*models.ImportEntry, error) ([]models.ImportFault, error) {
	return nil
}

func (s *oneRow) Next(context.Context, time.Time) (*models.ImportEntry, error) {
	if s.read {
		return nil, io.EOF
	}
	s.read = true
	return &models.ImportEntry{Line: 2, ExternalID: "ORDER-1"}, nil
}

func (s *oneRow) NextPart() (*models.ImportPart, error) { return nil, io.EOF }

func (s *oneRow) Position() models.ImportPosition { return models.ImportPosition{Pass: 1} }
func (s *oneRow) Rows() int64                     { return 1 }

func (*fakeImport) Offer(context.Context, models.Ref) {}

func importing(b *fakeImport) *testsuite.TestWorkflowEnvironment {
	env := newEnvironment()
	Register(env, ImportsQueue, activities.NewImports(b, b, b, func(models.ImportCounts) {}, quietLog))
	env.ExecuteWorkflow(ImportTransactions, ImportInput{ImportRef: importRef})
	return env
}

func importResult(t *testing.T, env *testsuite.TestWorkflowEnvironment) activities.ImportStep {
	t.Helper()
	require.NoError(t, env.GetWorkflowError())
	var step activities.ImportStep
	require.NoError(t, env.GetWorkflowResult(&step))
	step.RowsPerSecond = 0
	return step
}

func TestImportTransactions(t *testing.T) {
	t.Parallel()
	t.Run("takes slices until the file ends, through outages and rows that others took in", func(t *testing.T) {
		t.Parallel()
		b := &fakeImport{
			status: models.ImportQueued, elsewhere: 2,
			errs: []error{models.ErrUnavailable, models.ErrOutcomeUnknown},
		}
		step := importResult(t, importing(b))
		require.Equal(t, activities.ImportStep{
			Status: models.ImportCompleted, Percent: 100, Line: 3, Rows: 1, Accepted: 1,
		}, step)
		require.Equal(t, 1, b.cleared)
	})
	t.Run("ends when the import is paused, and keeps the file", func(t *testing.T) {
		t.Parallel()
		b := &fakeImport{status: models.ImportPaused}
		require.Equal(t, models.ImportPaused, importResult(t, importing(b)).Status)
		require.Zero(t, b.cleared)
	})
	t.Run("clears up after an import that was cancelled, and after one that is gone", func(t *testing.T) {
		t.Parallel()
		for _, status := range []models.ImportStatus{models.ImportCancelled, ""} {
			b := &fakeImport{status: status}
			require.Equal(t, status, importResult(t, importing(b)).Status)
			require.Equal(t, 1, b.cleared)
		}
	})
	t.Run("a defect fails the import, which keeps its file and can be resumed", func(t *testing.T) {
		t.Parallel()
		defect := errors.New("defect")
		b := &fakeImport{status: models.ImportQueued, errs: []error{defect, defect, defect}}
		var failed *temporal.ApplicationError
		require.ErrorAs(t, importing(b).GetWorkflowError(), &failed)
		require.Equal(t, activities.ErrTypeImportFailed, failed.Type())
		require.Equal(t, models.ImportFailed, b.status)
		require.Equal(t, "Rows could not be taken in: unexpected.", b.reason)
		require.Zero(t, b.cleared)
	})
	t.Run("a long import continues in a new run", func(t *testing.T) {
		t.Parallel()
		b := &fakeImport{status: models.ImportQueued, elsewhere: stepsPerRun}
		var next *workflow.ContinueAsNewError
		require.ErrorAs(t, importing(b).GetWorkflowError(), &next)
		require.Zero(t, b.cleared)
	})
	t.Run("a cancellation that comes with the last slice of a run is not lost with it", func(t *testing.T) {
		t.Parallel()
		b := &fakeImport{status: models.ImportQueued, elsewhere: stepsPerRun}
		env := newEnvironment()
		Register(env, ImportsQueue, activities.NewImports(b, b, b, func(models.ImportCounts) {}, quietLog))
		var cancel workflow.CancelFunc
		shown := 0
		env.OnUpsertTypedSearchAttributes(mock.Anything).Run(func(mock.Arguments) { // each slice ends with it
			if shown++; shown == stepsPerRun {
				cancel()
			}
		}).Return(nil)
		env.ExecuteWorkflow(func(ctx workflow.Context, in ImportInput) (activities.ImportStep, error) {
			ctx, cancel = workflow.WithCancel(ctx)
			return ImportTransactions(ctx, in)
		}, ImportInput{ImportRef: importRef})
		require.Equal(t, models.ImportCancelled, importResult(t, env).Status)
		require.Equal(t, "The run was cancelled by staff.", b.reason)
	})
	t.Run("an import without a name fails at once", func(t *testing.T) {
		t.Parallel()
		env := newEnvironment()
		b := &fakeImport{}
		Register(env, ImportsQueue, activities.NewImports(b, b, b, func(models.ImportCounts) {}, quietLog))
		env.ExecuteWorkflow(ImportTransactions, ImportInput{})
		require.Error(t, env.GetWorkflowError())
	})
}

// importScenarios are the scenarios of a run.
func importScenarios() map[string]*fakeImport {
	defect := errors.New("defect")
	return map[string]*fakeImport{
		"completed": {status: models.ImportQueued},
		"slices":    {status: models.ImportQueued, elsewhere: 2},
		"outage":    {status: models.ImportQueued, errs: []error{models.ErrUnavailable}},
		"paused":    {status: models.ImportPaused},
		"cancelled": {status: models.ImportCancelled},
		"failed":    {status: models.ImportQueued, errs: []error{defect, defect, defect}},
		"by-staff":  {status: models.ImportQueued, entered: make(chan struct{}, 1), release: make(chan struct{})},
	}
}

var importRuns = histories[*fakeImport]{
	folder: "ImportTransactions", workflows: map[string]any{ImportTransactionsName: ImportTransactions},
	scenarios: importScenarios,
}

// Staff read from the beginning what goes on, and no speed of a slice that is over.
func TestWhatStaffSeeOfAnImport(t *testing.T) {
	t.Parallel()
	env := newEnvironment()
	env.RegisterActivity(&activities.Imports{})
	slice := env.OnActivity(imports.TakeInRows, mock.Anything, mock.Anything)
	slice.Return(activities.ImportStep{Status: models.ImportRunning, Percent: 50, RowsPerSecond: 100}, nil).
		After(time.Second).Once()
	env.OnActivity(imports.TakeInRows, mock.Anything, mock.Anything).
		Return(activities.ImportStep{Status: models.ImportPaused, Percent: 50, RowsPerSecond: 100, Rejected: 2}, nil)
	shown := func() string { return detailsOf(t, env) }
	env.RegisterDelayedCallback(func() { require.Contains(t, shown(), "Rows are taken in") }, time.Second/2)
	env.ExecuteWorkflow(ImportTransactions, ImportInput{ImportRef: importRef})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, "**PAUSED**: 50 % of the file, 0 rows read\n- 0 transactions recorded\n"+
		"- 2 refused: the page of the import in the console says why", shown())
}

// The run of a file of entries names entries.
func TestWhatStaffSeeOfAnImportOfEntries(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{1: "- 1 entry recorded", 2: "- 2 entries recorded"} {
		env := newEnvironment()
		env.RegisterActivity(&activities.Imports{})
		env.OnActivity(imports.TakeInRows, mock.Anything, mock.Anything).Return(activities.ImportStep{
			Status: models.ImportPaused, Kind: models.ImportFilingEntries, Percent: 50, Accepted: n, Conflicting: 1,
		}, nil)
		env.ExecuteWorkflow(ImportTransactions, ImportInput{ImportRef: importRef})
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, "**PAUSED**: 50 % of the file, 0 rows read\n"+want+
			"\n- 1 have the external id of another entry", detailsOf(t, env))
	}
}

func TestReplayImportTransactions(t *testing.T) {
	t.Parallel()
	importRuns.replayAll(t)
	require.Error(t, importRuns.replay("completed", ImportTransactionsName,
		func(ctx workflow.Context, in ImportInput) (activities.ImportStep, error) {
			i := &importRun{in: in}
			return i.step, i.clear(ctx) // without taking anything in
		}))
}
