package workflows

import (
	"go.temporal.io/sdk/workflow"

	"levy/activities"
)

var heartbeat *activities.Heartbeat

// Heartbeat has a worker record that it got a task. Temporal may answer every call and still hand out no work, which
// only the age of waiting work would show. Each task queue has a heartbeat, because the workers of one may be stuck
// while those of others work. A run that no worker gets waits for one.
func Heartbeat(ctx workflow.Context) error {
	ctx = workflow.WithActivityOptions(ctx, heartbeatOptions)
	return workflow.ExecuteActivity(ctx, heartbeat.NoteHeartbeat).Get(ctx, nil)
}
