package worker

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every workflow has a recorded history, which another test replays. All names in histories are registered, because
// open runs of an earlier release have them, too.
func TestHistoriesOfEveryWorkflow(t *testing.T) {
	t.Parallel()
	var known registry
	for _, r := range registered() {
		known.workflows, known.activities = append(known.workflows, r.workflows...), append(known.activities, r.activities...)
	}
	files, err := filepath.Glob("../workflows/testdata/replay/*/*/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	recorded := map[string]bool{}
	for _, file := range files {
		workflow, named := namesIn(t, file)
		recorded[workflow] = true
		for _, activity := range named {
			require.Contains(t, known.activities, activity, file)
		}
	}
	for _, workflow := range known.workflows {
		require.True(t, recorded[workflow], "no history of %s is recorded", workflow)
	}
}

// namesIn returns the names of the workflow and of the activities in a history.
func namesIn(t *testing.T, file string) (workflow string, activities []string) {
	t.Helper()
	type kind struct{ Name string }
	var history struct {
		Events []struct {
			Started *struct {
				Type kind `json:"workflowType"`
			} `json:"workflowExecutionStartedEventAttributes"`
			Scheduled *struct {
				Type kind `json:"activityType"`
			} `json:"activityTaskScheduledEventAttributes"`
		}
	}
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &history))
	for _, event := range history.Events {
		if event.Started != nil {
			workflow = event.Started.Type.Name
		}
		if event.Scheduled != nil {
			activities = append(activities, event.Scheduled.Type.Name)
		}
	}
	return workflow, activities
}
