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

// releases are those whose runs are stored under testdata/replay, oldest first: a deployment may have runs of each. The
// first one is 0.3.0, the first supported version, with what it writes as versions before it did. Scenarios of today's code
// are recorded under the last one.
var releases = []string{"2"}

// histories are runs recorded from a real server, with a file for each scenario. Open runs may have such histories: the
// code must be able to continue each of them.
type histories[W any] struct {
	folder    string
	workflows map[string]any // under the names they are known by
	scenarios func() map[string]W
}

func (h histories[W]) file(release, scenario string) string {
	return filepath.Join("testdata/replay", release, h.folder, scenario+".json")
}

// latest is the history of a scenario from the latest release that recorded it.
func (h histories[W]) latest(scenario string) string {
	for _, release := range slices.Backward(releases) {
		if _, err := os.Stat(h.file(release, scenario)); err == nil {
			return h.file(release, scenario)
		}
	}
	return ""
}

// replay replays a recorded run with other code.
func (h histories[W]) replay(scenario, name string, run any) error {
	return replayFile(h.latest(scenario), map[string]any{name: run})
}

func replayFile(file string, runs map[string]any) error {
	replayer := sdkworker.NewWorkflowReplayer()
	for name, run := range runs {
		replayer.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: name})
	}
	return replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(quietLog), file)
}

// replayAll replays every recorded run with the code, and checks that there is one for each scenario.
func (h histories[W]) replayAll(t *testing.T) {
	t.Helper()
	all := h.scenarios()
	for scenario := range all {
		require.NotEmpty(t, h.latest(scenario), "record %s %s: make record-histories", h.folder, scenario)
	}
	for _, release := range releases {
		files, err := filepath.Glob(h.file(release, "*"))
		require.NoError(t, err)
		for _, file := range files {
			require.Contains(
				t, all, strings.TrimSuffix(filepath.Base(file), ".json"), "every history belongs to a scenario",
			)
			t.Run(release+"/"+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				require.NoError(t, replayFile(file, h.workflows))
			})
		}
	}
}
