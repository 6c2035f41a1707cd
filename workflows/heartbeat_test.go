package workflows

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/activities"
	"levy/models"
)

// noted is a record that notes checks, after some outages.
type noted struct {
	outages int
	checks  []string
}

func (n *noted) NoteCheck(_ context.Context, name string) error {
	if n.outages > 0 {
		n.outages--
		return models.ErrUnavailable
	}
	n.checks = append(n.checks, name)
	return nil
}

func TestHeartbeatIsNotedOnceThroughOutages(t *testing.T) {
	t.Parallel()
	record := &noted{outages: 3}
	env := newEnvironment()
	Register(env, TransactionsQueue, &activities.Processing{}, activities.NewHeartbeat(record, quietLog))
	env.ExecuteWorkflow(Heartbeat)
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []string{models.CheckHeartbeatOf("default-test-taskqueue")}, record.checks,
		"of the queue that it came by")
}

// heartbeats are the scenarios of a run.
var heartbeats = histories[*noted]{
	folder: "Heartbeat", workflows: map[string]any{HeartbeatName: Heartbeat},
	scenarios: func() map[string]*noted { return map[string]*noted{"noted": {}, "outage": {outages: 1}} },
}

func TestReplayHeartbeat(t *testing.T) {
	t.Parallel()
	heartbeats.replayAll(t)
}
