package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/workflows"
)

const (
	// stalledEvery is the time between two searches for stalled runs.
	stalledEvery = time.Minute
	// stalledConfirm is the time after which a run that seems to have stalled is checked again. After an outage
	// Temporal hands out all tasks, but not within the same second.
	stalledConfirm = 30 * time.Second
	// maxDescribed bounds the runs of a workflow that one check describes.
	maxDescribed = 100
)

// stalledRun is an open run that seems to have lost a task.
type stalledRun struct {
	workflow, queue, id, runID string

	before time.Time // a task that was due before has been handed out, or is lost
	lost   lostTask
}

// endStalled ends open runs that have lost a task. The relay does this for batches. Another run follows: reviveEnded
// finds the record, a schedule is triggered, or the watch of nexus leases the organizations again.
//
// Workers may also be down or busy. Therefore a run ends only if its queue hands out tasks that are younger by minutes,
// and has no backlog of that age.
func (r *Reconciler) endStalled(ctx context.Context) error {
	var found []stalledRun
	for _, queue := range workflows.Queues() {
		runs, err := r.oldRuns(ctx, queue)
		if err == nil {
			runs, err = r.stalled(ctx, runs)
		}
		if err != nil {
			return fmt.Errorf("queue %s: %w", queue, err)
		}
		found = append(found, runs...)
	}
	if len(found) == 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(r.confirmAfter):
		return r.replace(ctx, found)
	}
}

// oldRuns returns open runs of a queue whose tasks should have been handed out. If a worker has got the last heartbeat,
// tasks that were due minutes before it have been handed out, too. A heartbeat that no worker has got may have lost its
// own task, and each further start would join it.
func (r *Reconciler) oldRuns(ctx context.Context, queue string) (runs []stalledRun, err error) {
	all := slices.DeleteFunc(workflows.Catalogue(), func(w workflows.Workflow) bool {
		return w.Queue != queue || w.Name == workflows.ProcessTransactionsName || w.Name == workflows.HeartbeatName
	})
	if len(all) == 0 {
		return nil, nil
	}
	id := workflows.HeartbeatIDOf(queue)
	d, err := describe(ctx, r.client, id, "")
	if d == nil || err != nil {
		return nil, err
	}
	heartbeat := d.GetWorkflowExecutionInfo()
	// guard: stuck: workers may be down
	if heartbeat.GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED {
		before := time.Now().Add(-r.lostAfter)
		return []stalledRun{{workflow: workflows.HeartbeatName, queue: queue, id: id, before: before}}, nil
	}
	before := heartbeat.GetStartTime().AsTime().Add(-r.lostAfter)
	for _, w := range all {
		ids, err := r.begunBefore(ctx, w, before)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.Name, err)
		}
		for id := range ids {
			runs = append(runs, stalledRun{workflow: w.Name, queue: queue, id: id, before: before})
		}
	}
	return runs, nil
}

// begunBefore returns the ids of open runs of a workflow that began before a time. Many runs of records are idle for
// months, so it returns those that the sweeper reaches soonest.
func (r *Reconciler) begunBefore(
	ctx context.Context, w workflows.Workflow, before time.Time,
) (ids map[string]bool, err error) {
	where := "WorkflowType = '" + w.Name + "' AND StartTime < '" + before.UTC().Format(time.RFC3339Nano) + "'"
	if w.Carries != "" {
		records, err := r.records.SoonestDue(ctx, w.Carries, maxDescribed)
		if err != nil || len(records) == 0 {
			return nil, err
		}
		for i, record := range records {
			records[i] = w.IDOf(record)
		}
		where += " AND " + withID(records)
	}
	return openRuns(ctx, r.client, where, maxDescribed)
}

// stalled returns those runs that have lost a task, with the task. While the queue of the task has a backlog of its
// age, the task is late, not lost.
func (r *Reconciler) stalled(ctx context.Context, runs []stalledRun) (found []stalledRun, err error) {
	backlogs := map[taskQueue]bool{}
	for _, run := range runs {
		d, err := describe(ctx, r.client, run.id, run.runID)
		if err != nil {
			return nil, err
		}
		run.runID = d.GetWorkflowExecutionInfo().GetExecution().GetRunId()
		if run.lost = lostTaskOf(d, run.queue, run.before); run.lost == (lostTask{}) {
			continue
		}
		queue := run.lost.taskQueue
		if _, known := backlogs[queue]; !known {
			if backlogs[queue], err = r.hasBacklog(ctx, queue); err != nil {
				return nil, err
			}
		}
		// guard: stuck: workers may be busy
		if backlogs[queue] {
			continue
		}
		found = append(found, run)
	}
	return found, nil
}

// hasBacklog reports whether a queue holds tasks older than lostAfter.
func (r *Reconciler) hasBacklog(ctx context.Context, queue taskQueue) (bool, error) {
	d, err := r.client.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: r.namespace, TaskQueue: &taskqueuepb.TaskQueue{Name: queue.name}, TaskQueueType: queue.of,
		ReportStats: true,
	})
	return d.GetStats().GetApproximateBacklogAge().AsDuration() >= r.lostAfter, err
}

// replace ends the runs that still wait for the same task. It triggers the schedules that repeat their work.
func (r *Reconciler) replace(ctx context.Context, found []stalledRun) error {
	again, err := r.stalled(ctx, found)
	if err != nil {
		return err
	}
	repeat := map[string]bool{}
	for _, run := range again {
		// guard: stuck: a run that moved meanwhile goes on
		if !slices.Contains(found, run) {
			continue
		}
		if err := r.end(ctx, run); err != nil {
			return err
		}
		if id := workflows.ScheduleThatRepeats(run.workflow); id != "" {
			repeat[id] = true
		}
	}
	for id := range repeat {
		err := r.client.ScheduleClient().GetHandle(ctx, id).Trigger(ctx, sdkclient.ScheduleTriggerOptions{
			Overlap: enumspb.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL, // the run that was ended may still count as open
		})
		if err != nil {
			return fmt.Errorf("schedule %s: %w", id, err)
		}
	}
	return nil
}

// end terminates a run, unless it has ended meanwhile.
func (r *Reconciler) end(ctx context.Context, run stalledRun) error {
	task := run.lost.kind()
	err := r.client.TerminateWorkflow(
		ctx, run.id, run.runID, "Its "+task+" was not handed out for minutes: another run goes on.",
	)
	if _, ended := errors.AsType[*serviceerror.NotFound](err); ended {
		return nil
	}
	if err == nil {
		r.metrics.replacedRuns.WithLabelValues(run.workflow).Inc()
		r.log.WarnContext(ctx, "run does not get its "+task+" and is replaced", "workflow_id", run.id, "run_id", run.runID,
			"scheduled", run.lost.scheduled)
	}
	return err
}

// taskQueue is a task queue of Temporal, for workflow tasks or for activities.
type taskQueue struct {
	name string
	of   enumspb.TaskQueueType
}

// lostTask is a task of a run that Temporal has lost. The zero value is none.
type lostTask struct {
	taskQueue

	scheduled time.Time
}

// kind returns the word for the task in messages to staff.
func (t lostTask) kind() string {
	if t.of == enumspb.TASK_QUEUE_TYPE_ACTIVITY {
		return "activity"
	}
	return "workflow task"
}

// lostTaskOf returns the task of a run that was due before a time and was not handed out. queue is the queue of its
// workflow.
func lostTaskOf(
	run *workflowservice.DescribeWorkflowExecutionResponse, queue string, before time.Time,
) lostTask {
	if task := run.GetPendingWorkflowTask(); taskLost(task, before) {
		return lostTask{taskQueue{queue, enumspb.TASK_QUEUE_TYPE_WORKFLOW}, task.GetScheduledTime().AsTime()}
	}
	for _, a := range run.GetPendingActivities() {
		if activityLost(a, before) {
			queue = cmp.Or(a.GetActivityOptions().GetTaskQueue().GetName(), queue)
			return lostTask{taskQueue{queue, enumspb.TASK_QUEUE_TYPE_ACTIVITY}, a.GetScheduledTime().AsTime()}
		}
	}
	return lostTask{}
}

// taskLost reports whether a workflow task was due, or was handed out, before a time and has no result. A task that has
// failed or timed out is not lost. Temporal repeats it, and its cause must be fixed in the code or the worker.
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

// activityLost reports whether an attempt of an activity was due before a time and was not handed out. An attempt that
// a worker has ends by its time limit. After a failure the next attempt is due later. A paused activity waits for
// staff.
func activityLost(a *workflowpb.PendingActivityInfo, before time.Time) bool {
	// guard: stuck: an activity that a worker has, or that is paused, is not lost
	if a.GetState() != enumspb.PENDING_ACTIVITY_STATE_SCHEDULED {
		return false
	}
	return a.GetScheduledTime() != nil && a.GetScheduledTime().AsTime().Before(before)
}
