package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
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
	// stuckEvery is the time between two searches for runs that do not get a task of theirs.
	stuckEvery = time.Minute
	// stuckConfirm is the time after which a run that seems to be stuck is checked again.
	stuckConfirm = 30 * time.Second
	// stuckLooks bounds the runs of a workflow that are described in a check.
	stuckLooks = 100
)

// errBacklog says that tasks of a queue wait for as long as that of a run which may be lost.
var errBacklog = errors.New("the task queue has a backlog")

// stuckRuns ends open runs of which a task is lost, of all workflows but batches, which are the relay's: the check of
// lostRuns has those started again that carry a record, schedules repeat others, and the watch of nexus leases its
// organizations again. A run that waits for a time or a message has no task; one whose task failed is for staff, who mend
// its code, and an activity that fails is repeated. Nothing is ended unless the queue hands out tasks that are younger by
// minutes, and has no backlog of such an age: workers may be down, or busy.
type stuckRuns struct {
	client    sdkclient.Client
	namespace string
	records   EngineRecords
	metrics   *Metrics
	after     time.Duration // for how long a task may wait
	confirm   time.Duration // after which it must still be lost
	log       *slog.Logger
}

// stuckRun is an open run of which a task seems to be lost.
type stuckRun struct {
	workflow, queue, id, runID string

	lost   lostTask
	before time.Time // tasks that were to be handed out earlier have been
}

func (s *stuckRuns) check(ctx context.Context) error {
	var found []stuckRun
	handedOut := map[string]time.Time{} // by queue
	for _, w := range workflows.Catalogue() {
		if w.Name == workflows.ProcessTransactionsName || w.Name == workflows.HeartbeatName {
			continue
		}
		if _, known := handedOut[w.Queue]; !known {
			at, err := s.handedOut(ctx, w.Queue)
			if err != nil {
				return fmt.Errorf("queue %s: %w", w.Queue, err)
			}
			handedOut[w.Queue] = at
		}
		if handedOut[w.Queue].IsZero() {
			continue
		}
		some, err := s.find(ctx, w, handedOut[w.Queue].Add(-s.after))
		if err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
		found = append(found, some...)
	}
	if len(found) == 0 {
		return nil
	}
	// A Temporal that was down hands out what it has at once, but not all of it in the same second.
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(s.confirm):
		return s.replace(ctx, found)
	}
}

// handedOut is the beginning of the last run of Heartbeat of a queue, by the clock of Temporal, if a worker has got
// it: what was to be handed out minutes before has been, too. Zero while it is not known.
func (s *stuckRuns) handedOut(ctx context.Context, queue string) (time.Time, error) {
	d, err := describe(ctx, s.client, workflows.HeartbeatIDOf(queue), "")
	if d == nil || err != nil {
		return time.Time{}, err
	}
	heartbeat := d.GetWorkflowExecutionInfo()
	// guard: stuck: workers may be down
	if heartbeat.GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED {
		return time.Time{}, s.replaceHeartbeat(ctx, queue, d)
	}
	return heartbeat.GetStartTime().AsTime(), nil
}

// replaceHeartbeat ends a run of Heartbeat whose own task is lost: the next start would join it for ever. While
// there is no worker the task is in the backlog.
func (s *stuckRuns) replaceHeartbeat(
	ctx context.Context, queue string, heartbeat *workflowservice.DescribeWorkflowExecutionResponse,
) error {
	lost := lostTaskOf(heartbeat, queue, time.Now().Add(-s.after))
	if lost.scheduled.IsZero() {
		return nil
	}
	switch err := s.noBacklog(ctx, lost); {
	case errors.Is(err, errBacklog):
		return nil
	case err != nil:
		return err
	}
	run := heartbeat.GetWorkflowExecutionInfo().GetExecution()
	return s.end(ctx, stuckRun{
		workflow: workflows.HeartbeatName, id: run.GetWorkflowId(), runID: run.GetRunId(), lost: lost,
	})
}

// find are those runs of a workflow of which a task was to be handed out before a time and was not.
func (s *stuckRuns) find(ctx context.Context, w workflows.Workflow, before time.Time) ([]stuckRun, error) {
	runs, err := s.begunBefore(ctx, w, before)
	var found []stuckRun
	for _, info := range runs {
		run := stuckRun{
			workflow: w.Name, queue: w.Queue, before: before,
			id: info.GetExecution().GetWorkflowId(), runID: info.GetExecution().GetRunId(),
		}
		if run.lost, err = s.lostOf(ctx, run); err != nil {
			return nil, err
		}
		if !run.lost.scheduled.IsZero() {
			found = append(found, run)
		}
	}
	return found, err
}

// lostOf is the task for which a run waits, if that is lost; else zero.
func (s *stuckRuns) lostOf(ctx context.Context, run stuckRun) (lostTask, error) {
	d, err := describe(ctx, s.client, run.id, run.runID)
	return lostTaskOf(d, run.queue, run.before), err // a run that was deleted meanwhile waits for none
}

// replace ends those runs that still wait for the same task, and has schedules repeat what they were to do.
func (s *stuckRuns) replace(ctx context.Context, found []stuckRun) error {
	backlog, repeat := map[lostTask]error{}, map[string]bool{}
	for _, run := range found {
		lost, err := s.lostOf(ctx, run)
		if err != nil {
			return err
		}
		// guard: stuck: a run that moved meanwhile goes on
		if lost != run.lost {
			continue
		}
		queue := lostTask{queue: lost.queue, activity: lost.activity}
		if _, known := backlog[queue]; !known {
			backlog[queue] = s.noBacklog(ctx, queue)
		}
		if err := backlog[queue]; errors.Is(err, errBacklog) {
			continue
		} else if err != nil {
			return fmt.Errorf("queue %s: %w", queue.queue, err)
		}
		if err := s.end(ctx, run); err != nil {
			return err
		}
		if id := workflows.ScheduleThatRepeats(run.workflow); id != "" {
			repeat[id] = true
		}
	}
	for id := range repeat {
		err := s.client.ScheduleClient().GetHandle(ctx, id).Trigger(ctx, sdkclient.ScheduleTriggerOptions{
			Overlap: enumspb.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL, // the one that was ended may still count as running
		})
		if err != nil {
			return fmt.Errorf("schedule %s: %w", id, err)
		}
	}
	return nil
}

// begunBefore are some open runs of a workflow that began before a time. Of those that carry a record, many of which
// rest for months, these are the ones to which sweepers come soonest.
func (s *stuckRuns) begunBefore(
	ctx context.Context, w workflows.Workflow, before time.Time,
) ([]*workflowpb.WorkflowExecutionInfo, error) {
	query := "WorkflowType = '" + w.Name + "' AND ExecutionStatus = 'Running'" +
		" AND StartTime < '" + before.UTC().Format(time.RFC3339Nano) + "'"
	if w.Carries != "" {
		records, err := s.records.SoonestDue(ctx, w.Carries, stuckLooks)
		if err != nil || len(records) == 0 {
			return nil, err
		}
		for i, record := range records {
			records[i] = w.IDOf(record)
		}
		query += " AND WorkflowId IN ('" + strings.Join(records, "', '") + "')"
	}
	list, err := s.client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		PageSize: stuckLooks, Query: query,
	})
	return list.GetExecutions(), err
}

// noBacklog says errBacklog when tasks of the kind of one wait in its queue that are as old as those that count as
// lost.
func (s *stuckRuns) noBacklog(ctx context.Context, lost lostTask) error {
	kind := enumspb.TASK_QUEUE_TYPE_WORKFLOW
	if lost.activity {
		kind = enumspb.TASK_QUEUE_TYPE_ACTIVITY
	}
	d, err := s.client.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: s.namespace, TaskQueue: &taskqueuepb.TaskQueue{Name: lost.queue},
		TaskQueueType: kind, ReportStats: true,
	})
	if err != nil {
		return err
	}
	// guard: stuck: workers may be busy
	if d.GetStats().GetApproximateBacklogAge().AsDuration() >= s.after {
		return errBacklog
	}
	return nil
}

func (s *stuckRuns) end(ctx context.Context, run stuckRun) error {
	err := s.client.TerminateWorkflow(
		ctx, run.id, run.runID, "Its "+run.lost.what()+" was not handed out for minutes: another run goes on.",
	)
	if _, ended := errors.AsType[*serviceerror.NotFound](err); ended {
		return nil // meanwhile
	}
	if err == nil {
		s.metrics.stuck.WithLabelValues(run.workflow).Inc()
		s.log.WarnContext(ctx, "run does not get its "+run.lost.what()+" and is replaced", "workflow_id", run.id,
			"run_id", run.runID, "scheduled", run.lost.scheduled)
	}
	return err
}

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
