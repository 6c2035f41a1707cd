package activities_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
)

// importWorld is an import of transactions of some lines each, all of which are accepted.
type importWorld struct {
	transactions, lines int
	passes              int
	position            models.ImportPosition
	status              models.ImportStatus
	chunks              []*models.ImportChunk
	arranged            []int // parts of each chunk of pass 0
	offered             int
	counted             int64 // rows
	unprocessed         []int // the counts of unprocessed transactions, one after the other; then 0
	counts              int
	panics              bool
	errs                []error
	heartbeats          chan struct{} // of the activity; with it a chunk is slow, and waits for one
}

func (w *importWorld) OpenImport(context.Context, models.ImportRef) (models.Import, error) {
	return models.Import{
		OrganizationID: "org_1", ID: "batc_1", Status: w.status, Passes: w.passes, Size: 1 << 20,
		ImportPosition: w.position,
	}, nil
}

func (w *importWorld) ImportContent(context.Context, models.ImportRef, int64, int64) io.Reader {
	return strings.NewReader("")
}

func (w *importWorld) SaveImportChunk(
	_ context.Context, chunk *models.ImportChunk,
) (models.ImportCounts, []models.Ref, error) {
	if len(w.errs) > 0 {
		err := w.errs[0]
		w.errs = w.errs[1:]
		return models.ImportCounts{}, nil, err
	}
	if w.heartbeats != nil {
		select {
		case <-w.heartbeats:
		case <-time.After(20 * time.Second):
			return models.ImportCounts{}, nil, errors.New("no heartbeat")
		}
	}
	if chunk.From.Pass != w.position.Pass || chunk.From.ByteOffset != w.position.ByteOffset {
		return models.ImportCounts{}, nil, models.ErrImportChanged
	}
	w.chunks, w.position = append(w.chunks, chunk), chunk.To
	if chunk.Ended {
		w.status = models.ImportCompleted
	}
	return models.ImportCounts{Rows: chunk.Rows}, make([]models.Ref, len(chunk.Entries)), nil
}

func (w *importWorld) ArrangeImportChunk(_ context.Context, chunk *models.ImportChunk) error {
	if chunk.From.Pass != w.position.Pass || chunk.From.ByteOffset != w.position.ByteOffset {
		return models.ErrImportChanged
	}
	w.arranged, w.position = append(w.arranged, len(chunk.Parts)), chunk.To
	return nil
}

func (w *importWorld) ImportParts(context.Context, *models.Import) models.ImportParts { return nil }

func (w *importWorld) Unprocessed(context.Context, string, int) (int, error) {
	w.counts++
	if len(w.unprocessed) == 0 {
		return 0, nil
	}
	n := w.unprocessed[0]
	w.unprocessed = w.unprocessed[1:]
	return n, nil
}

func (w *importWorld) EndImport(context.Context, models.ImportRef, models.ImportStatus, string) (models.Import, error) {
	return models.Import{}, models.ErrNotFound
}

func (w *importWorld) ClearImport(context.Context, models.ImportRef) error { return nil }

func (w *importWorld) Offer(context.Context, models.Ref) { w.offered++ }

func (w *importWorld) Explain(*models.Import) func(*models.ImportEntry, error) ([]models.ImportFault, error) {
	return nil
}

// worldSheet reads the transactions of an import; a byte is a line.
type worldSheet struct {
	world *importWorld
	pass  int
	at    int64
}

func (w *importWorld) Open(im *models.Import, _ io.Reader, _ models.ImportParts) (activities.ImportSheet, error) {
	return &worldSheet{world: w, pass: im.Pass, at: im.ByteOffset}, nil
}

func (s *worldSheet) Next(context.Context, time.Time) (*models.ImportEntry, error) {
	if s.world.panics {
		panic("a defect")
	}
	if s.at >= int64(s.world.transactions*s.world.lines) {
		return nil, io.EOF
	}
	s.at += int64(s.world.lines)
	if s.pass == 2 { // no transaction is a refund
		return nil, nil //nolint:nilnil // as the interface says it
	}
	return &models.ImportEntry{Rows: make([][]string, s.world.lines)}, nil
}

func (s *worldSheet) NextPart() (*models.ImportPart, error) {
	if s.at >= int64(s.world.transactions*s.world.lines) {
		return nil, io.EOF
	}
	s.at += int64(s.world.lines)
	return &models.ImportPart{Start: s.at}, nil
}

func (s *worldSheet) Position() models.ImportPosition {
	return models.ImportPosition{Pass: s.pass, ByteOffset: s.at}
}

func (s *worldSheet) Rows() int64 { return s.at }

func takeIn(t *testing.T, w *importWorld) (activities.ImportStep, error) {
	t.Helper()
	if w.passes == 0 {
		w.passes = 1
	}
	w.status, w.position.Pass = models.ImportRunning, max(1, w.position.Pass)
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	a := activities.NewImports(w, w, w, func(c models.ImportCounts) { w.counted += c.Rows }, slog.New(slog.DiscardHandler))
	env.RegisterActivity(a)
	env.SetOnActivityHeartbeatListener(func(*activity.Info, converter.EncodedValues) {
		select {
		case w.heartbeats <- struct{}{}:
		default:
		}
	})
	value, err := env.ExecuteActivity(a.TakeInRows, models.ImportRef{OrganizationID: "org_1", ID: "batc_1"})
	if err != nil {
		return activities.ImportStep{}, err
	}
	var step activities.ImportStep
	require.NoError(t, value.Get(&step))
	return step, nil
}

func TestRowsAreImportedInBoundedChunks(t *testing.T) {
	t.Parallel()
	t.Run("of 500 transactions", func(t *testing.T) {
		t.Parallel()
		w := &importWorld{transactions: 1200, lines: 1}
		step, err := takeIn(t, w)
		require.NoError(t, err)
		require.Equal(t, models.ImportCompleted, step.Status)
		require.Len(t, w.chunks, 3)
		require.Len(t, w.chunks[0].Entries, 500)
		require.True(t, w.chunks[2].Ended)
		require.Equal(t, 1200, w.offered)
		require.EqualValues(t, 1200, w.counted)
	})
	t.Run("of 2,000 lines", func(t *testing.T) {
		t.Parallel()
		w := &importWorld{transactions: 9, lines: 1000}
		_, err := takeIn(t, w)
		require.NoError(t, err)
		require.Len(t, w.chunks, 5)
		require.Len(t, w.chunks[0].Entries, 2)
	})
	t.Run("the first pass ends at the beginning of the second, which counts no row again", func(t *testing.T) {
		t.Parallel()
		w := &importWorld{transactions: 3, lines: 1, passes: 2}
		_, err := takeIn(t, w)
		require.NoError(t, err)
		require.Equal(t, models.ImportPosition{Pass: 2, Line: 1}, w.position)
		require.False(t, w.chunks[0].Ended)
		_, err = takeIn(t, w)
		require.NoError(t, err)
		require.True(t, w.chunks[1].Ended)
		require.Equal(t, []int64{3, 0}, []int64{w.chunks[0].Rows, w.chunks[1].Rows})
	})
}

func TestAnImportWaitsUntilItsTransactionsAreProcessed(t *testing.T) {
	t.Parallel()
	w := &importWorld{transactions: 1, lines: 1, unprocessed: []int{3000, 3000, 2999}}
	_, err := takeIn(t, w)
	require.NoError(t, err)
	require.Equal(t, 3, w.counts)
	require.Len(t, w.chunks, 1)
}

// The refundable amount can depend on the tax of the sale.
func TestRefundsWaitUntilTheirSalesAreProcessed(t *testing.T) {
	t.Parallel()
	w := &importWorld{transactions: 1, lines: 1, passes: 2, unprocessed: []int{2999, 1, 1, 0}}
	_, err := takeIn(t, w)
	require.NoError(t, err)
	require.Equal(t, 1, w.counts, "the first pass does not wait for 2,999 others")
	_, err = takeIn(t, w)
	require.NoError(t, err)
	require.Equal(t, 4, w.counts)
	require.Len(t, w.chunks, 2)
}

func TestErrorsOfAnImportAreClassified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		world *importWorld
		want  string
	}{
		"an outage": {
			&importWorld{transactions: 1, lines: 1, errs: []error{models.ErrUnavailable}},
			activities.ErrTypeInfrastructure,
		},
		"an unknown outcome": {
			&importWorld{transactions: 1, lines: 1, errs: []error{models.ErrOutcomeUnknown}},
			activities.ErrTypeInfrastructure,
		},
		"a defect": {
			&importWorld{transactions: 1, lines: 1, errs: []error{errors.New("defect")}},
			activities.ErrTypeUnexpected,
		},
		"a panic of a reader": {&importWorld{transactions: 1, lines: 1, panics: true}, activities.ErrTypeUnexpected},
	} {
		_, err := takeIn(t, c.world)
		require.ErrorContains(t, err, "Not done yet", name)
		require.ErrorContains(t, err, "type: "+c.want, name)
		require.Empty(t, c.world.chunks, name)
	}
}

// The refunds of one chunk may take longer than the heartbeat timeout.
func TestASlowChunkSendsHeartbeats(t *testing.T) {
	t.Parallel()
	w := &importWorld{transactions: 1, lines: 1, heartbeats: make(chan struct{}, 1)}
	step, err := takeIn(t, w)
	require.NoError(t, err)
	require.Equal(t, models.ImportCompleted, step.Status)
}

func TestAnImportThatAnotherAttemptAdvancedIsNotChanged(t *testing.T) {
	t.Parallel()
	w := &importWorld{transactions: 1200, lines: 1, errs: []error{models.ErrImportChanged}}
	step, err := takeIn(t, w)
	require.NoError(t, err)
	require.Equal(t, models.ImportRunning, step.Status, "the next slice finds out")
	require.Empty(t, w.chunks)
	require.Zero(t, w.offered)
}
