package workflows

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	sdklog "go.temporal.io/sdk/log"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// everyWorkflow is all that histories name.
func everyWorkflow() map[string]any {
	all := map[string]any{}
	for _, some := range []map[string]any{
		transactionRuns.workflows, onboardingRuns.workflows, filingRuns.workflows, planRuns.workflows, registrationRuns.workflows,
		importRuns.workflows, nexusRuns.workflows, expiryRuns.workflows,
	} {
		maps.Copy(all, some)
	}
	return all
}

// Runs that earlier code began and today's did not record anew go on, too. Their
// histories are kept by the day and the commit of that code.
func TestHistoriesOfEarlierCodeReplay(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/released/*/*/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimPrefix(file, "testdata/released/"), func(t *testing.T) {
			t.Parallel()
			replayer := sdkworker.NewWorkflowReplayer()
			for name, run := range everyWorkflow() {
				replayer.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: name})
			}
			require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(quietLog), file))
		})
	}
}

// recordedSums has the SHA-256 of every history, as sha256sum writes it.
const recordedSums = "testdata/replay.sha256"

// A history stays as it was recorded. To record one anew that today's code cannot replay
// would hide what happens to open runs: that code needs a version (workflow.GetVersion).
// Who records a further way adds a line: sha256sum testdata/replay/*/*.json.
func TestHistoriesStayAsTheyWereRecorded(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(recordedSums)
	require.NoError(t, err)
	recorded := map[string]string{}
	for line := range strings.Lines(string(content)) {
		sum, path, _ := strings.Cut(strings.TrimSpace(line), "  ")
		recorded[path] = sum
	}
	require.NoError(t, filepath.WalkDir("testdata/replay", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		history, err := os.ReadFile(path)
		require.NotEmpty(t, recorded[path], "%s has no line in %s", path, recordedSums)
		require.Equal(t, recorded[path], fmt.Sprintf("%x", sha256.Sum256(history)), "%s is no longer the history that was recorded", path)
		delete(recorded, path)
		return err
	}))
	require.Empty(t, recorded, "histories that were recorded are gone")
}
