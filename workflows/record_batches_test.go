//go:build record

package workflows

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	sdkclient "go.temporal.io/sdk/client"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
	"levy/rules"
)

func TestRecordProcessTransactions(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	transactionRuns.recordMissing(t,
		func(t *testing.T, client sdkclient.Client, name string, s scenario) sdkclient.WorkflowRun {
			t.Helper()
			b := newTestBundle()
			s.prepare(b)
			recordingWorker(t, client, TransactionsQueue, func(w sdkworker.Worker) {
				w.RegisterWorkflowWithOptions(ProcessTransactions, workflow.RegisterOptions{Name: ProcessTransactionsName})
				for _, stage := range stageNames {
					w.RegisterActivityWithOptions(func(ctx context.Context, in activities.StageInput) (activities.StageResult, error) {
						return b.stage(ctx, stage, in)
					}, activity.RegisterOptions{Name: stage})
				}
				w.RegisterActivityWithOptions(b.markFailed, activity.RegisterOptions{Name: "MarkFailed"})
			})
			batch := refs(s.size)
			run, err := client.ExecuteWorkflow(
				t.Context(), TransactionsStart(name, batch, Recent), ProcessTransactionsName, TransactionsInput{Refs: batch},
			)
			require.NoError(t, err)
			require.Equal(t, s.fails, run.Get(t.Context(), nil) != nil)
			return run
		})
}

func TestRecordImportTransactions(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	importRuns.recordMissing(t, func(t *testing.T, client sdkclient.Client, name string,
		b *fakeImport) sdkclient.WorkflowRun {
		t.Helper()
		recordingWorker(t, client, ImportsQueue, func(w sdkworker.Worker) {
			Register(w, ImportsQueue, activities.NewImports(b, b, b, func(models.ImportCounts) {}, quietLog))
		})
		im := models.Import{OrganizationID: importRef.OrganizationID, ID: name, Size: 100}
		run, err := client.ExecuteWorkflow(
			t.Context(), ImportStart(&im), ImportTransactionsName, ImportInput{ImportRef: importRef},
		)
		require.NoError(t, err)
		if b.entered != nil {
			<-b.entered
			require.NoError(t, client.CancelWorkflow(t.Context(), run.GetID(), run.GetRunID()))
		}
		require.Equal(t, name == "failed", run.Get(t.Context(), nil) != nil)
		if b.release != nil {
			close(b.release)
		}
		return run
	})
}

func TestRecordNexus(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	nexusRuns.recordMissing(t, func(t *testing.T, client sdkclient.Client, name string,
		s *nexusScenario) sdkclient.WorkflowRun {
		t.Helper()
		recordingWorker(t, client, NexusQueue, func(w sdkworker.Worker) { s.register(w) })
		run, err := client.ExecuteWorkflow(t.Context(), sdkclient.StartWorkflowOptions{
			ID: "nexus-" + name, TaskQueue: NexusQueue,
		}, s.workflow, s.input)
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		return run
	})
}

func TestRecordExpireExemptions(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	expiryRuns.recordMissing(t, func(t *testing.T, client sdkclient.Client, name string,
		store *expiring) sdkclient.WorkflowRun {
		t.Helper()
		recordingWorker(
			t, client, ExemptionsQueue,
			func(w sdkworker.Worker) { Register(w, ExemptionsQueue, activities.NewExemptions(store, quietLog)) },
		)
		run, err := client.ExecuteWorkflow(t.Context(), sdkclient.StartWorkflowOptions{
			ID: "expire-exemptions-" + name, TaskQueue: ExemptionsQueue,
		},
			ExpireExemptionsName, ExpireExemptionsInput{})
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		return run
	})
}

func TestRecordFetchRateFiles(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	rateFileRuns.recordMissing(t, func(t *testing.T, client sdkclient.Client, name string,
		p *published) sdkclient.WorkflowRun {
		t.Helper()
		recordingWorker(
			t, client, ImportsQueue,
			func(w sdkworker.Worker) { Register(w, ImportsQueue, activities.NewRateFiles(p, quietLog)) },
		)
		run, err := client.ExecuteWorkflow(t.Context(), sdkclient.StartWorkflowOptions{
			ID: "fetch-rate-files-" + name, TaskQueue: ImportsQueue,
		}, FetchRateFilesName, FetchRateFilesInput{})
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		return run
	})
}

func TestRecordFetchAcknowledgements(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	acknowledgementRuns.recordMissing(t, func(t *testing.T, client sdkclient.Client, name string,
		m *mailboxes) sdkclient.WorkflowRun {
		t.Helper()
		recordingWorker(
			t, client, FilingsQueue,
			func(w sdkworker.Worker) { Register(w, FilingsQueue, activities.NewAcknowledgements(m, quietLog)) },
		)
		run, err := client.ExecuteWorkflow(t.Context(), sdkclient.StartWorkflowOptions{
			ID: "fetch-acknowledgements-" + name, TaskQueue: FilingsQueue,
		}, FetchAcknowledgementsName, FetchAcknowledgementsInput{})
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		return run
	})
}

func TestRecordPlanFilings(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	planRuns.recordMissing(t, func(t *testing.T, client sdkclient.Client, name string,
		planner *pages) sdkclient.WorkflowRun {
		t.Helper()
		recordingWorker(t, client, FilingsQueue, func(w sdkworker.Worker) {
			Register(
				w, FilingsQueue, activities.NewFiling(nil, nil, nil, rules.DefaultFilingPolicy(), quietLog),
				activities.NewFilingPlan(planner, noContent, quietLog),
			)
		})
		run, err := client.ExecuteWorkflow(t.Context(), sdkclient.StartWorkflowOptions{
			ID: "plan-filings-" + name, TaskQueue: FilingsQueue,
		}, PlanFilingsName, PlanFilingsInput{})
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		return run
	})
}

func TestRecordHeartbeat(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	heartbeats.recordMissing(t, func(t *testing.T, client sdkclient.Client, _ string, n *noted) sdkclient.WorkflowRun {
		t.Helper()
		recordingWorker(t, client, TransactionsQueue, func(w sdkworker.Worker) {
			Register(w, TransactionsQueue, &activities.Processing{}, activities.NewHeartbeat(n, quietLog))
		})
		run, err := client.ExecuteWorkflow(t.Context(), HeartbeatStart(TransactionsQueue), HeartbeatName)
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		return run
	})
}
