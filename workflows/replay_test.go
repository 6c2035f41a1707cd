package workflows

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	sdklog "go.temporal.io/sdk/log"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Histories recorded from a real server, one file per scenario. They say how open
// runs look: the code must be able to go on with each of them. They are recorded
// anew only for a new scenario or a released change of the code; the old ones stay.
const replayFolder = "testdata/replay/ProcessTransactions"

func historyOf(scenario string) string { return filepath.Join(replayFolder, scenario+".json") }

func replay(file string, run func(workflow.Context, TransactionsInput) (TransactionsResult, error)) error {
	replayer := sdkworker.NewWorkflowReplayer()
	replayer.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: ProcessTransactionsName})
	return replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)), file)
}

func TestReplay(t *testing.T) {
	t.Parallel()
	for scenario := range scenarios() {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			require.FileExists(t, historyOf(scenario), "record it: go test ./workflows -run TestRecord -record")
			require.NoError(t, replay(historyOf(scenario), ProcessTransactions))
		})
	}

	t.Run("every history belongs to a scenario", func(t *testing.T) {
		t.Parallel()
		files, err := os.ReadDir(replayFolder)
		require.NoError(t, err)
		require.Len(t, files, len(scenarios()))
	})
}

// A replay that accepts anything proves nothing.
func TestReplayNoticesChangedOrder(t *testing.T) {
	t.Parallel()
	run := func(stages []stage) func(workflow.Context, TransactionsInput) (TransactionsResult, error) {
		return func(ctx workflow.Context, in TransactionsInput) (TransactionsResult, error) {
			return processTransactions(ctx, in, stages)
		}
	}
	require.NoError(t, replay(historyOf("batch"), run(transactionStages)))
	for i := range transactionStages {
		removed := slices.Delete(slices.Clone(transactionStages), i, i+1)
		require.Error(t, replay(historyOf("batch"), run(removed)), "without stage %d", i+1)
		doubled := slices.Insert(slices.Clone(transactionStages), i, transactionStages[i])
		require.Error(t, replay(historyOf("batch"), run(doubled)), "with stage %d twice", i+1)
		for j := range i {
			swapped := slices.Clone(transactionStages)
			swapped[i], swapped[j] = swapped[j], swapped[i]
			require.Error(t, replay(historyOf("batch"), run(swapped)), "with stages %d and %d swapped", j+1, i+1)
		}
	}
}
