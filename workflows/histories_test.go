package workflows

import (
	"context"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/local"
)

var record = flag.Bool("record", false, "record the histories that are missing under testdata/replay from a real server")

// histories are runs recorded from a real server, a file for each way a run can go.
// They say how open runs look: the code must be able to go on with each of them. They
// are recorded anew only for a new way or a released change of the code; the old ones
// stay.
type histories[W any] struct {
	folder    string
	workflows map[string]any // under the names they are known by
	ways      func() map[string]W
}

func (h histories[W]) file(way string) string {
	return filepath.Join("testdata/replay", h.folder, way+".json")
}

// replay has other code go on with a recorded run.
func (h histories[W]) replay(way, name string, run any) error {
	replayer := sdkworker.NewWorkflowReplayer()
	replayer.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: name})
	return replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(quietLog), h.file(way))
}

// replayAll has the code go on with every recorded run.
func (h histories[W]) replayAll(t *testing.T) {
	t.Helper()
	for way := range h.ways() {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			replayer := sdkworker.NewWorkflowReplayer()
			for name, run := range h.workflows {
				replayer.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: name})
			}
			require.FileExists(t, h.file(way), "record it: go test ./workflows -run TestRecord -record")
			require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(quietLog), h.file(way)))
		})
	}
	files, err := os.ReadDir(filepath.Dir(h.file("")))
	require.NoError(t, err)
	require.Len(t, files, len(h.ways()), "every history belongs to a way")
}

// recordMissing writes the histories that are missing, when asked to (-record). run
// has a run go its way on a server and returns it when it has ended; the workers it
// needs end with the test it is given.
func (h histories[W]) recordMissing(t *testing.T, run func(t *testing.T, client sdkclient.Client, name string, way W) sdkclient.WorkflowRun) {
	t.Helper()
	if !*record {
		return
	}
	client := recordingClient(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(h.file("")), 0o755))
	ways := h.ways()
	for _, name := range slices.Sorted(maps.Keys(ways)) {
		if _, err := os.Stat(h.file(name)); err == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(h.file(name), historyText(t, client, run(t, client, name, ways[name])), 0o644))
		})
	}
}

// recordingWorker is a worker that ends with the test.
func recordingWorker(t *testing.T, client sdkclient.Client, queue string, register func(sdkworker.Worker)) {
	t.Helper()
	w := sdkworker.New(client, queue, sdkworker.Options{})
	register(w)
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
}

// recordingClient is a client of a server of its own.
func recordingClient(t *testing.T) sdkclient.Client {
	t.Helper()
	bin, err := local.BinDir()
	require.NoError(t, err)
	binary, err := local.EnsureTemporal(t.Context(), bin, os.Stderr)
	require.NoError(t, err)
	attributes := map[string]string{}
	for name, kind := range SearchAttributes() {
		attributes[name] = kind.String()
	}
	server, err := local.StartTemporal(t.Context(), local.TemporalConfig{Binary: binary, Headless: true, SearchAttributes: attributes})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.Background())) })
	client, err := sdkclient.Dial(sdkclient.Options{HostPort: server.Address, Identity: "recorder", Logger: sdklog.NewStructuredLogger(quietLog)})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// historyText is the history of a run as it is kept.
func historyText(t *testing.T, client sdkclient.Client, run sdkclient.WorkflowRun) []byte {
	t.Helper()
	var history historypb.History
	events := client.GetWorkflowHistory(t.Context(), run.GetID(), run.GetRunID(), false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		history.Events = append(history.Events, event)
	}
	raw, err := temporalproto.CustomJSONMarshalOptions{Indent: " "}.Marshal(&history)
	require.NoError(t, err)
	host, err := os.Hostname()
	require.NoError(t, err)
	return []byte(strings.ReplaceAll(string(raw), host, "recorder"))
}
