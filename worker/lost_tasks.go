package worker

import (
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
)

// lostTask is a task of a run that Temporal has lost; the zero value is none.
type lostTask struct {
	queue     string // the task queue in which it should be
	activity  bool   // it is an activity, and no workflow task
	scheduled time.Time
}

// what is what staff read of it.
func (t lostTask) what() string {
	if t.activity {
		return "activity"
	}
	return "workflow task"
}

// lostTaskOf is the task of a run of a queue that was to be handed out before a time and was not.
func lostTaskOf(
	run *workflowservice.DescribeWorkflowExecutionResponse, queue string, before time.Time,
) lostTask {
	if task := run.GetPendingWorkflowTask(); taskLost(task, before) {
		return lostTask{queue: queue, scheduled: task.GetScheduledTime().AsTime()}
	}
	for _, a := range run.GetPendingActivities() {
		if !activityLost(a, before) {
			continue
		}
		if own := a.GetActivityOptions().GetTaskQueue().GetName(); own != "" {
			queue = own
		}
		return lostTask{queue: queue, activity: true, scheduled: a.GetScheduledTime().AsTime()}
	}
	return lostTask{}
}

// taskLost reports whether a workflow task was to be handed out, or was handed out, before a time and nothing came of
// it. One that has failed or timed out is not lost: Temporal repeats it, and who mends the code or its worker helps it.
func taskLost(task *workflowpb.PendingWorkflowTaskInfo, before time.Time) bool {
	// guard: stuck: a run that waits has no workflow task
	if task.GetScheduledTime() == nil {
		return false
	}
	// guard: stuck: a task that fails is not lost
	if task.GetAttempt() > 1 {
		return false
	}
	at := task.GetScheduledTime().AsTime()
	if task.GetStartedTime() != nil {
		at = task.GetStartedTime().AsTime()
	}
	return at.Before(before)
}

// activityLost reports whether a try of an activity was to be handed out before a time and was not. One that a worker
// has ends by its time limit, the next try of one that failed is scheduled for later, and one that staff have paused
// waits for them.
func activityLost(a *workflowpb.PendingActivityInfo, before time.Time) bool {
	// guard: stuck: an activity that a worker has, or that is paused, is not lost
	if a.GetState() != enumspb.PENDING_ACTIVITY_STATE_SCHEDULED {
		return false
	}
	return a.GetScheduledTime() != nil && a.GetScheduledTime().AsTime().Before(before)
}
