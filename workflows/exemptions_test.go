package workflows

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// expiring is a store that expires one exemption in each of its steps, after some
// outages.
type expiring struct {
	steps, outages int
	asked          []activities.ExpiryInput
}

func (e *expiring) ExpireExemptions(_ context.Context, today time.Time, after string) (models.ExpiredExemptions, error) {
	if e.outages > 0 {
		e.outages--
		return models.ExpiredExemptions{}, models.ErrUnavailable
	}
	e.asked = append(e.asked, activities.ExpiryInput{Today: today.Format(time.DateOnly), After: after})
	return models.ExpiredExemptions{Expired: 1, Next: "org_" + string(rune('a'+len(e.asked)%26)), Done: len(e.asked) >= e.steps}, nil
}

var quietLog = slog.New(slog.DiscardHandler)

func expire(store *expiring, in ExpireExemptionsInput) *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(quietLog))
	env := suite.NewTestWorkflowEnvironment()
	env.SetStartTime(time.Date(2026, 7, 1, 0, 5, 0, 0, time.UTC))
	RegisterExemptions(env, activities.NewExemptions(store, quietLog))
	env.ExecuteWorkflow(ExpireExemptions, in)
	return env
}

func TestExpireExemptions(t *testing.T) {
	t.Parallel()
	t.Run("goes on behind the last organization until all are done, through outages", func(t *testing.T) {
		t.Parallel()
		store := &expiring{steps: 3, outages: 2}
		env := expire(store, ExpireExemptionsInput{})
		require.NoError(t, env.GetWorkflowError())
		var result ExpireExemptionsResult
		require.NoError(t, env.GetWorkflowResult(&result))
		require.Equal(t, ExpireExemptionsResult{Today: "2026-07-01", Expired: 3}, result)
		require.Equal(t, []activities.ExpiryInput{{Today: "2026-07-01"}, {Today: "2026-07-01", After: "org_b"}, {Today: "2026-07-01", After: "org_c"}}, store.asked)
	})
	t.Run("a long run goes on in a new one, with its day", func(t *testing.T) {
		t.Parallel()
		store := &expiring{steps: expiriesPerRun + 1}
		env := expire(store, ExpireExemptionsInput{Today: "2026-06-30"})
		var next *workflow.ContinueAsNewError
		require.ErrorAs(t, env.GetWorkflowError(), &next)
		require.Len(t, store.asked, expiriesPerRun)
		require.Equal(t, "2026-06-30", store.asked[0].Today)
	})
	t.Run("a day that is none fails at once", func(t *testing.T) {
		t.Parallel()
		var failed *temporal.ApplicationError
		require.ErrorAs(t, expire(&expiring{steps: 1}, ExpireExemptionsInput{Today: "yesterday"}).GetWorkflowError(), &failed)
		require.Equal(t, activities.ErrTypeInvalidInput, failed.Type())
	})
}

const expiryReplays = "testdata/replay/ExpireExemptions"

// expiryScenarios are the ways a run can go.
var expiryScenarios = map[string]expiring{"nothing": {steps: 1}, "several-steps": {steps: 3}, "outage": {steps: 1, outages: 1}}

func TestRecordExpireExemptions(t *testing.T) {
	if !*record {
		return
	}
	client := recordingClient(t)
	require.NoError(t, os.MkdirAll(expiryReplays, 0o755))
	for name, store := range expiryScenarios {
		file := filepath.Join(expiryReplays, name+".json")
		if _, err := os.Stat(file); err == nil {
			continue
		}
		w := sdkworker.New(client, ExemptionsQueue, sdkworker.Options{})
		RegisterExemptions(w, activities.NewExemptions(&store, quietLog))
		require.NoError(t, w.Start())
		run, err := client.ExecuteWorkflow(t.Context(), sdkclient.StartWorkflowOptions{ID: "expire-exemptions-" + name, TaskQueue: ExemptionsQueue},
			ExpireExemptionsName, ExpireExemptionsInput{})
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		require.NoError(t, os.WriteFile(file, historyText(t, client, run), 0o644))
		w.Stop()
	}
}

func TestReplayExpireExemptions(t *testing.T) {
	t.Parallel()
	for name := range expiryScenarios {
		replayer := sdkworker.NewWorkflowReplayer()
		replayer.RegisterWorkflowWithOptions(ExpireExemptions, workflow.RegisterOptions{Name: ExpireExemptionsName})
		file := filepath.Join(expiryReplays, name+".json")
		require.FileExists(t, file, "record it: go test ./workflows -run TestRecordExpireExemptions -record")
		require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(sdklog.NewStructuredLogger(quietLog), file))
	}
	files, err := os.ReadDir(expiryReplays)
	require.NoError(t, err)
	require.Len(t, files, len(expiryScenarios))
}
