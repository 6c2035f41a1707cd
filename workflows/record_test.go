package workflows

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/activity"
	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/local"
	"levy/models"
)

var record = flag.Bool("record", false, "record the histories that are missing under testdata/replay from a real server")

// scenario is a way a run can go; prepare sets the fake activities up for it.
type scenario struct {
	size    int
	prepare func(b *testBundle)
	fails   bool
}

func scenarios() map[string]scenario {
	return map[string]scenario{
		"single": {size: 1, prepare: func(*testBundle) {}},
		"batch":  {size: 6, prepare: func(*testBundle) {}},
		"dropped": {size: 6, prepare: func(b *testBundle) {
			b.verdicts["VerifyAddresses"] = map[string]models.Verdict{"txn_000": models.VerdictSuperseded, "txn_003": models.VerdictEnded}
			b.verdicts["CalculateTax"] = map[string]models.Verdict{"txn_002": models.VerdictEnded}
		}},
		"all-ended": {size: 1, prepare: func(b *testBundle) {
			b.verdicts["VerifyAddresses"] = map[string]models.Verdict{"txn_000": models.VerdictEnded}
		}},
		"outage": {size: 2, prepare: func(b *testBundle) {
			outage := temporal.NewApplicationError("stage failed: unavailable", activities.ErrTypeInfrastructure, "unavailable")
			b.errs["DetermineNexus"] = []error{outage, outage}
		}},
		"poison": {size: 6, prepare: func(b *testBundle) { b.poison["txn_002"], b.poison["txn_005"] = "VerifyAddresses", "CalculateTax" }},
		"all-poisoned": {size: 3, prepare: func(b *testBundle) {
			b.poison["txn_000"], b.poison["txn_001"], b.poison["txn_002"] = "DetermineExemptions", "DetermineExemptions", "DetermineExemptions"
		}},
		"refused": {size: 1, fails: true, prepare: func(b *testBundle) {
			b.errs["VerifyAddresses"] = []error{temporal.NewNonRetryableApplicationError("no transactions given", activities.ErrTypeInvalidInput, nil)}
		}},
	}
}

// TestRecord writes the missing histories when asked to (-record).
func TestRecord(t *testing.T) {
	if !*record {
		return
	}
	client := recordingClient(t)
	require.NoError(t, os.MkdirAll(replayFolder, 0o755))
	for name, s := range scenarios() {
		if _, err := os.Stat(historyOf(name)); err == nil {
			continue
		}
		require.NoError(t, os.WriteFile(historyOf(name), recordOne(t, client, name, s), 0o644))
	}
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
	client, err := sdkclient.Dial(sdkclient.Options{
		HostPort: server.Address, Identity: "recorder",
		Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func recordOne(t *testing.T, client sdkclient.Client, name string, s scenario) []byte {
	t.Helper()
	b := newTestBundle()
	s.prepare(b)
	w := sdkworker.New(client, TransactionsQueue, sdkworker.Options{})
	w.RegisterWorkflowWithOptions(ProcessTransactions, workflow.RegisterOptions{Name: ProcessTransactionsName})
	for _, stage := range stageNames {
		w.RegisterActivityWithOptions(func(ctx context.Context, in activities.StageInput) (activities.StageResult, error) {
			return b.stage(ctx, stage, in)
		}, activity.RegisterOptions{Name: stage})
	}
	w.RegisterActivityWithOptions(b.markFailed, activity.RegisterOptions{Name: "MarkFailed"})
	require.NoError(t, w.Start())
	defer w.Stop()

	batch := refs(s.size)
	run, err := client.ExecuteWorkflow(t.Context(), TransactionsStart(name, batch), ProcessTransactionsName, TransactionsInput{Refs: batch})
	require.NoError(t, err)
	require.Equal(t, s.fails, run.Get(t.Context(), nil) != nil)
	return historyText(t, client, run)
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
