package workflows

import (
	"go.temporal.io/sdk/workflow"

	"levy/activities"
)

var heartbeat *activities.Heartbeat

// Heartbeat has a worker note that it got a task: Temporal may answer every call and still hand
// out no work, which would otherwise only show by the age of what waits. There is one for each task
// queue, because the workers of one may be stuck while those of the others work. A run that no
// worker gets waits for one.
func Heartbeat(ctx workflow.Context) error {
	ctx = workflow.WithActivityOptions(ctx, heartbeatOptions)
	return workflow.ExecuteActivity(ctx, heartbeat.NoteHeartbeat).Get(ctx, nil)
}
