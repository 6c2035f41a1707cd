package workflows

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	sdklog "go.temporal.io/sdk/log"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// releases are those whose runs are kept under testdata/replay, oldest first: a deployment
// may hold runs that any of them began. The first one is the commit 4db6fe9. What today's
// code does in another way is recorded under the last one, beside what was recorded before.
var releases = []string{"1", "2"}

// histories are runs recorded from a real server, a file for each way a run can go.
// They are what open runs may hold: the code must be able to go on with each of them.
type histories[W any] struct {
	folder    string
	workflows map[string]any // under the names they are known by
	ways      func() map[string]W
}

func (h histories[W]) file(release, way string) string {
	return filepath.Join("testdata/replay", release, h.folder, way+".json")
}

// latest is the history of a way as the latest release that recorded it has it.
func (h histories[W]) latest(way string) string {
	for _, release := range slices.Backward(releases) {
		if _, err := os.Stat(h.file(release, way)); err == nil {
			return h.file(release, way)
		}
	}
	return ""
}

// replay has other code go on with a recorded run.
func (h histories[W]) replay(way, name string, run any) error {
	return replayFile(h.latest(way), map[string]any{name: run})
}

func replayFile(file string, runs map[string]any) error {
	replayer := sdkworker.NewWorkflowReplayer()
	for name, run := range runs {
		replayer.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: name})
	}
	return replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(quietLog), file)
}

// replayAll has the code go on with every recorded run, and checks that there is one for
// each way.
func (h histories[W]) replayAll(t *testing.T) {
	t.Helper()
	ways := h.ways()
	for way := range ways {
		require.NotEmpty(t, h.latest(way), "record %s %s: make record-histories", h.folder, way)
	}
	for _, release := range releases {
		files, err := filepath.Glob(h.file(release, "*"))
		require.NoError(t, err)
		for _, file := range files {
			require.Contains(
				t, ways, strings.TrimSuffix(filepath.Base(file), ".json"), "every history belongs to a way",
			)
			t.Run(release+"/"+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				require.NoError(t, replayFile(file, h.workflows))
			})
		}
	}
}
