package imports_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"

	"levy/test/testbed"
)

// requireOnce checks that n sales of a file exist, each once and processed once.
func (s *merchant) requireOnce(n int) {
	s.t.Helper()
	s.processed()
	require.Equal(s.t, n, s.bed.Count("SELECT count(*) FROM transactions WHERE organization_id = $1", s.organization))
	require.Equal(s.t, n, s.bed.Count(`SELECT count(DISTINCT external_id)
		FROM transactions
		WHERE processing_status = 'PROCESSED' AND organization_id = $1`, s.organization))
	require.Equal(s.t, n, s.bed.Count("SELECT count(*) FROM transaction_items WHERE organization_id = $1", s.organization))
	require.Equal(s.t, n, s.bed.Count(`SELECT count(*)
		FROM transaction_stages
		WHERE stage = 'PROCESSED' AND organization_id = $1`, s.organization))
	require.Equal(s.t, n, s.bed.Count(`SELECT count(*)
		FROM audit
		WHERE action = 'create' AND entity_type = 'transaction' AND organization_id = $1`, s.organization))
}

// The worker dies before and after the commit of every chunk of a file; each row is imported once.
func TestAWorkerKilledAtEveryChunkImportsEachRowOnce(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	for _, point := range []string{"import_before_commit", "import_after_commit"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			s := open(t, testbed.Options{Failpoints: true})
			made := s.upload(sales(1100)) // three chunks
			positions := []int{}
			for range 3 {
				s.bed.Worker.Start(point + "=kill")
				s.bed.Worker.WaitKilled()
				p := s.progress(made.ID)
				positions = append(positions, p.Rows)
				require.Equal(t, p.Accepted, s.bed.Count("SELECT count(*) FROM transactions"), "the position and the rows are one")
			}
			want := []int{0, 0, 0}
			if point == "import_after_commit" {
				want = []int{500, 1000, 1100}
			}
			require.Equal(t, want, positions)
			s.bed.Worker.Start()
			require.Equal(t, 1100, s.finished(made.ID, "COMPLETED").Accepted)
			s.requireOnce(1100)
		})
	}
}

// The worker dies before and after it has noted where the orders of a file begin. Orders whose rows are apart are put
// together once.
func TestAWorkerKilledWhileItArrangesAFile(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	s := open(t, testbed.Options{Failpoints: true})
	made := s.upload(sales(300) + strings.TrimPrefix(sales(300), header))
	for _, point := range []string{"import_before_arranged", "import_after_arranged", "import_before_commit"} {
		s.bed.Worker.Start(point + "=kill")
		s.bed.Worker.WaitKilled()
		require.Zero(t, s.progress(made.ID).Rows)
	}
	s.bed.Worker.Start()
	done := s.finished(made.ID, "COMPLETED")
	require.Equal(t, []int{600, 300, 600}, []int{done.Rows, done.Accepted, done.AcceptedRows}, "%+v", done.Problems)
	s.processed()
	require.Equal(t, 300, s.bed.Count("SELECT count(*) FROM transactions"))
	require.Equal(t, 600, s.bed.Count("SELECT count(*) FROM transaction_items"))
}

// The worker dies after it has added the entries of a chunk, and before the position of the import follows. Each entry is added
// once, and counts as imported, not as one that was there already.
func TestAWorkerKilledBetweenEntriesAndPositionAddsEachOnce(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	s := open(t, testbed.Options{Failpoints: true})
	id, _ := s.filings()
	const rows, chunk = 60, 50
	file := entryHeader
	for i := range rows {
		file += ofApril(fmt.Sprintf("N-%d", i), "CREDIT,1.00,,Notice")
	}
	made := s.upload(file)
	entries := func() int { return s.bed.Count("SELECT count(*) FROM filing_entries WHERE filing_id = $1", id) }
	for range 2 {
		s.bed.Worker.Start("import_entries_added=kill")
		s.bed.Worker.WaitKilled()
		require.Equal(t, []int{0, chunk}, []int{s.progress(made.ID).Rows, entries()})
	}
	s.bed.Worker.Start()
	done := s.finished(made.ID, "COMPLETED")
	require.Equal(t, []int{rows, rows, 0, 0}, []int{done.Rows, done.Accepted, done.AlreadyPresent, done.Conflicting}, "%+v", done.Problems)
	require.Equal(t, rows, entries())
	require.Equal(t, rows, s.bed.Count("SELECT count(*) FROM audit WHERE action = 'add_entry' AND entity_id = $1", id))
	require.Equal(t, "-60.00", s.call(http.MethodGet, "/v1/filings/"+id, "", "", 200).Field("amount_adjusted"))
}

// While Temporal is down a file is accepted, and imported when Temporal is back, also when it has lost all its data.
func TestAFileIsImportedWhenTemporalIsBack(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	s := open(t, testbed.Options{Own: true, Failpoints: true})
	s.bed.KillTemporal()
	made := s.upload(sales(600))
	require.Equal(t, "QUEUED", s.progress(made.ID).Status)
	s.bed.StartTemporal(context.Background())
	s.bed.Worker.Launch("import_after_commit=kill")
	s.bed.Worker.WaitKilled()
	require.Equal(t, 500, s.progress(made.ID).Rows)
	s.bed.KillTemporal()
	s.bed.DestroyTemporal()
	s.bed.StartTemporal(context.Background())
	s.bed.Exec("UPDATE transaction_imports SET next_check_at = now()") // like a minute later
	s.bed.Worker.Start()
	require.Equal(t, 600, s.finished(made.ID, "COMPLETED").Accepted)
	s.requireOnce(600)
}

func (s *merchant) changeStatus(id, how string) progress {
	s.t.Helper()
	return read(s.t, s.call(http.MethodPost, imports+"/"+id+"/"+how, "", "", 200))
}

// An import that is paused continues where it stopped; one that is cancelled never does. Imported rows stay in both
// cases.
func TestAnImportIsPausedResumedAndCancelled(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	s := open(t, testbed.Options{Failpoints: true})
	made := s.upload(sales(1100))
	s.bed.Worker.Start("import_after_commit=sleep(1s)")
	s.bed.Eventually("a chunk is taken in", func(context.Context) (bool, error) {
		p := s.progress(made.ID)
		return p.Accepted > 0, fmt.Errorf("%+v", p)
	})
	paused := s.changeStatus(made.ID, "pause")
	require.Equal(t, "PAUSED", paused.Status)
	require.Less(t, paused.Accepted, 1100)
	s.runEnds(made.ID)
	require.Equal(t, paused.Accepted, s.progress(made.ID).Accepted)
	s.bed.Worker.Stop()

	require.Equal(t, "QUEUED", s.changeStatus(made.ID, "resume").Status)
	s.bed.Worker.Start("import_before_commit=sleep(1s)")
	s.finished(made.ID, "RUNNING")
	cancelled := s.changeStatus(made.ID, "cancel")
	require.Equal(t, "CANCELLED", cancelled.Status)
	s.bed.Eventually("the file is deleted", s.none("SELECT count(*) FROM transaction_import_pieces"))
	require.Less(t, cancelled.Accepted, 1100)
	s.requireOnce(cancelled.Accepted)
	require.Equal(t, cancelled.Accepted, s.progress(made.ID).Accepted)

	again := s.upload(sales(1100)) // a cancelled import does not stand for its file
	require.NotEqual(t, made.ID, again.ID)
	done := s.finished(again.ID, "COMPLETED")
	require.Equal(t, []int{1100 - cancelled.Accepted, cancelled.Accepted}, []int{done.Accepted, done.AlreadyPresent})
	s.requireOnce(1100)
}

// runEnds waits until the workflow of an import has ended.
func (s *merchant) runEnds(id string) {
	s.t.Helper()
	client := s.bed.Temporal()
	s.bed.Eventually("the run ends", func(ctx context.Context) (bool, error) {
		run, err := client.DescribeWorkflowExecution(ctx, "import/"+id, "")
		if err != nil {
			return false, err
		}
		return run.GetWorkflowExecutionInfo().GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, nil
	})
}

// Cancelling the run cancels the import; an import continues after its run was terminated.
func TestStaffCancelAnImportByItsRun(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	s := open(t, testbed.Options{Failpoints: true})
	client := s.bed.Temporal()
	s.bed.Worker.Start("import_before_commit=sleep(500ms)")
	terminated := s.upload(sales(1500))
	s.finished(terminated.ID, "RUNNING")
	require.NoError(t, client.TerminateWorkflow(t.Context(), "import/"+terminated.ID, "", "a mistake"))
	require.Equal(t, 1500, s.finished(terminated.ID, "COMPLETED").Accepted)
	s.requireOnce(1500)

	cancelled := s.upload(header + saleRow("ANOTHER", "1.00"))
	s.finished(cancelled.ID, "RUNNING")
	require.NoError(t, client.CancelWorkflow(t.Context(), "import/"+cancelled.ID, ""))
	s.bed.Eventually("the import is over", func(context.Context) (bool, error) {
		p := s.progress(cancelled.ID)
		return p.Status == "CANCELLED" || p.Status == "COMPLETED", fmt.Errorf("%+v", p)
	})
}

// Staff see the status of an import in Temporal without opening it.
func TestStaffFindImports(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	made := s.upload(sales(3) + saleRow("BAD", "x"))
	s.finished(made.ID, "COMPLETED")
	s.runEnds(made.ID)
	client := s.bed.Temporal()
	query := fmt.Sprintf("WorkflowType = 'ImportTransactions' AND OrganizationId = '%s' AND TransactionCount = 3 "+
		"AND FailedCount = 1", s.organization)
	s.bed.Eventually("the run is found", func(ctx context.Context) (bool, error) {
		found, err := client.ListWorkflow(ctx,
			&workflowservice.ListWorkflowExecutionsRequest{Namespace: s.bed.TemporalNamespace, Query: query})
		if err != nil {
			return false, err
		}
		return len(found.GetExecutions()) == 1 &&
			found.GetExecutions()[0].GetExecution().GetWorkflowId() == "import/"+made.ID, nil
	})
}
