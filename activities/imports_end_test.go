package activities

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// importFake is an import with a status, whose file is not read.
type importFake struct {
	*recorder
	status models.ImportStatus
}

func (f importFake) OpenImport(_ context.Context, ref models.ImportRef) (models.Import, error) {
	return models.Import{
		OrganizationID: ref.OrganizationID, ID: ref.ID, Status: f.status, Passes: 1,
	}, f.record("OpenImport", ref)
}

func (f importFake) ImportContent(context.Context, models.ImportRef, int64, int64) io.Reader {
	return strings.NewReader("")
}

func (f importFake) SaveImportChunk(
	_ context.Context, chunk *models.ImportChunk,
) (models.ImportCounts, []models.Ref, error) {
	return models.ImportCounts{}, nil, f.record("SaveImportChunk", chunk)
}

func (f importFake) ArrangeImportChunk(_ context.Context, chunk *models.ImportChunk) error {
	return f.record("ArrangeImportChunk", chunk)
}

func (f importFake) ImportParts(context.Context, *models.Import) models.ImportParts { return nil }

func (f importFake) Unprocessed(_ context.Context, organizationID string, limit int) (int, error) {
	return 0, f.record("Unprocessed", organizationID, limit)
}

func (f importFake) EndImport(
	_ context.Context, ref models.ImportRef, to models.ImportStatus, reason string,
) (models.Import, error) {
	return models.Import{Status: to}, f.record("EndImport", ref, to, reason)
}

func (f importFake) ClearImport(_ context.Context, ref models.ImportRef) error {
	return f.record("ClearImport", ref)
}

func newImportsOn(f importFake) *Imports { return NewImports(f, nil, nil, nil, quiet) }

var ourImport = models.ImportRef{OrganizationID: "org_1", ID: "batc_1"}

// An import that does not run is not changed, however often the activity runs; the result is its status.
func TestAnImportThatDoesNotRunIsNotChanged(t *testing.T) {
	t.Parallel()
	for _, status := range []models.ImportStatus{
		models.ImportPaused, models.ImportCancelled, models.ImportCompleted, models.ImportFailed,
	} {
		made := &recorder{}
		for range 2 {
			step := execute[ImportStep](t, newImportsOn(importFake{made, status}), "TakeInRows", ourImport)
			require.Equal(t, status, step.Status)
		}
		require.Equal(t, []call{{"OpenImport", []any{ourImport}}, {"OpenImport", []any{ourImport}}}, made.calls)
	}
}

// An import that was deleted with its organization needs nothing, and is no failure.
func TestAnImportThatNoLongerExistsIsNoFailure(t *testing.T) {
	t.Parallel()
	made := &recorder{}
	work := newImportsOn(importFake{recorder: made})
	made.fail("OpenImport", models.ErrNotFound)
	made.fail("EndImport", models.ErrNotFound)
	require.Empty(t, execute[ImportStep](t, work, "TakeInRows", ourImport).Status)
	end := ImportEnd{ImportRef: ourImport, Status: models.ImportFailed, Reason: "panic"}
	require.Empty(t, execute[ImportStep](t, work, "EndImport", end).Status)
}

func TestImportActivitiesRefuseAnInputWithoutAnImport(t *testing.T) {
	t.Parallel()
	for _, in := range []models.ImportRef{{}, {OrganizationID: "org_1"}, {ID: "batc_1"}} {
		made := &recorder{}
		left := attempt{}.failing(t, newImportsOn(importFake{recorder: made}), "TakeInRows", in)
		require.Equal(t, ErrTypeInvalidInput, left.Type())
		require.True(t, left.NonRetryable())
		require.Empty(t, made.calls)
	}
}

// A defect that prevents the import of rows ends it after some attempts; an outage is waited for.
func TestADefectEndsAnImportAfterSomeTries(t *testing.T) {
	t.Parallel()
	for class, want := range storeErrors {
		made := &recorder{}
		made.fail("OpenImport", want.err, want.err)
		work := newImportsOn(importFake{made, models.ImportRunning})
		require.Equal(t, want.errType, attempt{}.failing(t, work, "TakeInRows", ourImport).Type(), class)
		last := attempt{used: MaxDefects - 1}.failing(t, work, "TakeInRows", ourImport)
		require.Equal(t, want.errType == ErrTypeUnexpected, last.Type() == ErrTypeBatchFailed, class)
		require.Equal(t, want.errType == ErrTypeUnexpected, last.NonRetryable(), class)
		require.Equal(t, want.code, codeOf(t, last), class)
	}
}

// The activity that ends an import is retried until it succeeds, with the same input each time.
func TestEndingAnImportIsRetriedWithoutALimit(t *testing.T) {
	t.Parallel()
	end := ImportEnd{ImportRef: ourImport, Status: models.ImportFailed, Reason: "panic"}
	for name, c := range map[string]struct {
		in   any
		args []any
	}{
		"EndImport":   {end, []any{ourImport, models.ImportFailed, "panic"}},
		"ClearImport": {ourImport, []any{ourImport}},
	} {
		for class, want := range storeErrors {
			made := &recorder{}
			work := newImportsOn(importFake{recorder: made})
			made.fail(name, want.err)
			left := attempt{used: MaxDefects}.failing(t, work, name, c.in)
			require.Equal(t, want.errType, left.Type(), class)
			require.False(t, left.NonRetryable(), class)
			execute[any](t, work, name, c.in)
			require.Equal(t, []call{{name, c.args}, {name, c.args}}, made.calls, class)
		}
	}
	made := &recorder{}
	require.Equal(
		t, models.ImportFailed,
		execute[ImportStep](t, newImportsOn(importFake{recorder: made}), "EndImport", end).Status,
	)
}
