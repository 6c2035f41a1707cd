package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/workflows"
)

// DueRecords are the records that need a run, by when a sweeper comes to them.
type DueRecords interface {
	// SoonestDue are some records of a kind: those whose sweeper comes to them soonest.
	SoonestDue(ctx context.Context, kind string, limit int) ([]string, error)
}

const (
	// stuckEvery is how often it is looked for runs that do not get their workflow task.
	stuckEvery = time.Minute
	// stuckLooks bounds the runs of a workflow that are described in a check.
	stuckLooks = 100
)

// errBacklog says that workflow tasks of a queue wait for as long as that of a run which may be lost.
var errBacklog = errors.New("the task queue has a backlog")

// stuckRuns ends open runs whose workflow task is lost. Batches of transactions are the relay's.
type stuckRuns struct {
	client    sdkclient.Client
	namespace string
	records   DueRecords
	metrics   *Metrics
	after     time.Duration // for how long a task may wait
	log       *slog.Logger
}

// NewStuckRuns ends open runs whose workflow task is lost, of all workflows but batches: the check of
// NewLostRuns has those started again that carry a record, schedules repeat others, and the watch of nexus
// leases its organizations again. A run that waits for a time, a message or an activity has no workflow
// task; one whose task failed is for staff, who mend its code. Nothing is ended unless the queue hands
// out tasks that are younger by minutes, and has no backlog of such an age: workers may be down, or busy.
func NewStuckRuns(
	client sdkclient.Client, namespace string, checks OpenRecords, records DueRecords, metrics *Metrics, log *slog.Logger,
) *EngineCheck {
	s := &stuckRuns{
		client: client, namespace: namespace, records: records, metrics: metrics, after: stuckAfter, log: log,
	}
	return &EngineCheck{name: models.CheckStuck, every: stuckEvery, records: checks, do: s.check, log: log}
}

func (s *stuckRuns) check(ctx context.Context) error {
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
		err := s.replace(ctx, w, handedOut[w.Queue].Add(-s.after))
		if err != nil && !errors.Is(err, errBacklog) {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
	}
	return nil
}

// handedOut is the beginning of the last run of Heartbeat of a queue, by the clock of Temporal, if a worker has got
// it: what was to be handed out minutes before has been, too. Zero while nobody knows.
func (s *stuckRuns) handedOut(ctx context.Context, queue string) (time.Time, error) {
	d, err := s.client.DescribeWorkflowExecution(ctx, workflows.HeartbeatIDOf(queue), "")
	if _, none := errors.AsType[*serviceerror.NotFound](err); none {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	beat := d.GetWorkflowExecutionInfo()
	// guard: stuck: workers may be down
	if beat.GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED {
		return time.Time{}, s.replaceBeat(ctx, queue, beat.GetExecution(), d.GetPendingWorkflowTask())
	}
	return beat.GetStartTime().AsTime(), nil
}

// replaceBeat ends a run of Heartbeat whose own workflow task is lost: the next start would join it for ever. While
// there is no worker the task is in the backlog.
func (s *stuckRuns) replaceBeat(
	ctx context.Context, queue string, run *commonpb.WorkflowExecution, task *workflowpb.PendingWorkflowTaskInfo,
) error {
	if !taskLost(task, time.Now().Add(-s.after)) {
		return nil
	}
	switch err := s.noBacklog(ctx, queue); {
	case errors.Is(err, errBacklog):
		return nil
	case err != nil:
		return err
	}
	return s.end(ctx, workflows.HeartbeatName, run.GetWorkflowId(), run.GetRunId(), task)
}

// replace ends those runs of a workflow whose workflow task was to be handed out before a time and is lost.
func (s *stuckRuns) replace(ctx context.Context, w workflows.Workflow, before time.Time) error {
	runs, err := s.begunBefore(ctx, w.Name, before)
	if err != nil {
		return err
	}
	ended := 0
	for _, run := range runs {
		id, runID := run.GetExecution().GetWorkflowId(), run.GetExecution().GetRunId()
		d, err := s.client.DescribeWorkflowExecution(ctx, id, runID)
		if _, none := errors.AsType[*serviceerror.NotFound](err); none {
			continue // it was deleted meanwhile
		}
		if err != nil {
			return err
		}
		if !taskLost(d.GetPendingWorkflowTask(), before) {
			continue
		}
		if ended == 0 {
			if err := s.noBacklog(ctx, w.Queue); err != nil {
				return err
			}
		}
		if err := s.end(ctx, w.Name, id, runID, d.GetPendingWorkflowTask()); err != nil {
			return err
		}
		ended++
	}
	if id := workflows.ScheduleThatRepeats(w.Name); ended > 0 && id != "" {
		return s.client.ScheduleClient().GetHandle(ctx, id).Trigger(ctx, sdkclient.ScheduleTriggerOptions{
			Overlap: enumspb.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL, // the one that was ended may still count as running
		})
	}
	return nil
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

// begunBefore are some open runs of a workflow that began before a time. Of those that carry a record, many of which
// rest for months, these are the ones to which sweepers come soonest.
func (s *stuckRuns) begunBefore(
	ctx context.Context, workflow string, before time.Time,
) ([]*workflowpb.WorkflowExecutionInfo, error) {
	query := "WorkflowType = '" + workflow + "' AND ExecutionStatus = 'Running'" +
		" AND StartTime < '" + before.UTC().Format(time.RFC3339Nano) + "'"
	if kind := workflows.RecordKindOf(workflow); kind != "" {
		records, err := s.records.SoonestDue(ctx, kind, stuckLooks)
		if err != nil || len(records) == 0 {
			return nil, err
		}
		for i, record := range records {
			records[i] = workflows.RecordWorkflowID(kind, record)
		}
		query += " AND WorkflowId IN ('" + strings.Join(records, "', '") + "')"
	}
	list, err := s.client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{PageSize: stuckLooks, Query: query})
	return list.GetExecutions(), err
}

// noBacklog says errBacklog when workflow tasks of a queue wait that are as old as those that count as lost.
func (s *stuckRuns) noBacklog(ctx context.Context, queue string) error {
	d, err := s.client.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: s.namespace, TaskQueue: &taskqueuepb.TaskQueue{Name: queue},
		TaskQueueType: enumspb.TASK_QUEUE_TYPE_WORKFLOW, ReportStats: true,
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

func (s *stuckRuns) end(
	ctx context.Context, workflow, id, runID string, task *workflowpb.PendingWorkflowTaskInfo,
) error {
	err := s.client.TerminateWorkflow(ctx, id, runID, "Its workflow task was not handed out for minutes: another run goes on.")
	if _, ended := errors.AsType[*serviceerror.NotFound](err); ended {
		return nil // meanwhile
	}
	if err == nil {
		s.metrics.stuck.WithLabelValues(workflow).Inc()
		s.log.WarnContext(ctx, "run does not get its workflow task and is replaced", "workflow_id", id, "run_id", runID,
			"scheduled", task.GetScheduledTime().AsTime())
	}
	return err
}
