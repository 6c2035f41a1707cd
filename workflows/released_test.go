package workflows

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	sdklog "go.temporal.io/sdk/log"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
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
			reader := converter.GetDefaultDataConverter()
			if strings.HasPrefix(file, firstRuns) {
				reader = firstReader
			}
			require.NoError(t, replayReleased(t, file, reader))
		})
	}
}

// replayReleased has today's code go on with a run, whose payloads a converter reads.
func replayReleased(t *testing.T, file string, reader converter.DataConverter) error {
	t.Helper()
	replayer, err := sdkworker.NewWorkflowReplayerWithOptions(sdkworker.WorkflowReplayerOptions{DataConverter: reader})
	require.NoError(t, err)
	for name, run := range everyWorkflow() {
		replayer.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: name})
	}
	return replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(quietLog), file)
}

// firstRuns holds the runs of the first version. It gave references and verdicts names of
// one letter, which the service does not read: no such run is open.
const firstRuns = "testdata/released/2026-11-21-aed9de0/"

// firstReader reads payloads of the first version as if they had the names of today.
var firstReader = converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), firstNames{})

type firstNames struct{}

var namesOfToday = strings.NewReplacer(
	`"o":`, `"organization_id":`, `"t":`, `"transaction_id":`, `"e":`, `"epoch":`,
	`"i":`, `"index":`, `"v":`, `"verdict":`,
)

func (firstNames) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	return payloads, nil
}

func (firstNames) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	renamed := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		renamed[i] = &commonpb.Payload{Metadata: p.GetMetadata(), Data: []byte(namesOfToday.Replace(string(p.GetData())))}
	}
	return renamed, nil
}

// What renames them is needed, and what it makes is what those runs were about.
func TestTheFirstRunsAreRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(firstRuns + "*/*.json")
	require.NoError(t, err)
	require.Len(t, files, 8)
	for _, file := range files {
		require.Error(t, replayReleased(t, file, converter.GetDefaultDataConverter()), file)
	}
	var in activities.StageInput
	readFirst(t, `{"refs":[{"o":"org","t":"txn","e":2}]}`, &in)
	require.Equal(t, activities.StageInput{Refs: []models.Ref{{OrganizationID: "org", ID: "txn", Epoch: 2}}}, in)
	var result activities.StageResult
	readFirst(t, `{"exceptions":[{"i":3,"v":"ENDED"}]}`, &result)
	require.Equal(t, activities.StageResult{Exceptions: []activities.Exception{{Index: 3, Verdict: models.VerdictEnded}}}, result)
}

func readFirst(t *testing.T, text string, into any) {
	t.Helper()
	payload, err := converter.GetDefaultDataConverter().ToPayload(json.RawMessage(text))
	require.NoError(t, err)
	require.NoError(t, firstReader.FromPayload(payload, into))
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
