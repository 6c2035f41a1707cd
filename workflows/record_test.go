//go:build record

package workflows

import (
	"context"
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

	"levy/internal/local"
	"levy/internal/local/temporal"
)

// recordMissing writes the histories that the last release lacks (make record-histories).
// run executes a scenario on a server and returns its run when it has ended; its workers end with the test.
func (h histories[W]) recordMissing(
	t *testing.T, run func(t *testing.T, client sdkclient.Client, name string, scenario W) sdkclient.WorkflowRun,
) {
	t.Helper()
	client := recordingClient(t)
	release := releases[len(releases)-1]
	require.NoError(t, os.MkdirAll(filepath.Dir(h.file(release, "")), 0o755))
	all := h.scenarios()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if _, err := os.Stat(h.file(release, name)); err == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			text := historyText(t, client, run(t, client, name, all[name]))
			require.NoError(t, os.WriteFile(h.file(release, name), text, 0o644))
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
	binary, err := temporal.Ensure(t.Context(), bin, os.Stderr)
	require.NoError(t, err)
	attributes := map[string]string{}
	for name, kind := range SearchAttributes() {
		attributes[name] = kind.String()
	}
	server, err := temporal.Start(t.Context(), temporal.Config{
		Binary: binary, Headless: true, SearchAttributes: attributes,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.Background())) })
	client, err := sdkclient.Dial(sdkclient.Options{
		HostPort: server.Address, Identity: "recorder", Logger: sdklog.NewStructuredLogger(quietLog),
	})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// historyText is the history of a run as it is kept.
func historyText(t *testing.T, client sdkclient.Client, run sdkclient.WorkflowRun) []byte {
	t.Helper()
	var history historypb.History
	events := client.GetWorkflowHistory(
		t.Context(), run.GetID(), run.GetRunID(), false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT,
	)
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
