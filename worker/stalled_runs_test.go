package worker

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	activitypb "go.temporal.io/api/activity/v1"
	commandpb "go.temporal.io/api/command/v1"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"levy/models"
	"levy/workflows"
)

func TestATaskIsLost(t *testing.T) {
	t.Parallel()
	before := time.Now()
	task := func(attempt int32, scheduled, started time.Duration) *workflowpb.PendingWorkflowTaskInfo {
		info := &workflowpb.PendingWorkflowTaskInfo{Attempt: attempt, ScheduledTime: timestamppb.New(before.Add(scheduled))}
		if started != 0 {
			info.StartedTime = timestamppb.New(before.Add(started))
		}
		return info
	}
	for name, is := range map[string]struct {
		task *workflowpb.PendingWorkflowTaskInfo
		lost bool
	}{
		"nothing is to be done: it waits":         {nil, false},
		"nobody got it":                           {task(1, -time.Second, 0), true},
		"others of its age may still wait":        {task(1, time.Second, 0), false},
		"who got it was not missed":               {task(1, -2*time.Second, -time.Second), true},
		"a worker got it late and has it":         {task(1, -time.Hour, time.Second), false},
		"its code fails, or its workers died":     {task(2, -time.Hour, 0), false},
		"it fails, and somebody just tries again": {task(9, -time.Hour, -time.Second), false},
	} {
		require.Equal(t, is.lost, taskLost(is.task, before), name)
	}
}

func TestAnActivityIsLost(t *testing.T) {
	t.Parallel()
	before := time.Now()
	const scheduled, started = enumspb.PENDING_ACTIVITY_STATE_SCHEDULED, enumspb.PENDING_ACTIVITY_STATE_STARTED
	activity := func(state enumspb.PendingActivityState, at time.Duration) *workflowpb.PendingActivityInfo {
		return &workflowpb.PendingActivityInfo{State: state, Attempt: 2, ScheduledTime: timestamppb.New(before.Add(at))}
	}
	for name, is := range map[string]struct {
		activity *workflowpb.PendingActivityInfo
		lost     bool
	}{
		"nobody got it":                         {activity(scheduled, -time.Second), true},
		"others of its age may still wait":      {activity(scheduled, time.Second), false},
		"its next try is to come":               {activity(scheduled, time.Hour), false},
		"a worker has it, and has a time limit": {activity(started, -time.Hour), false},
		"staff have paused it":                  {activity(enumspb.PENDING_ACTIVITY_STATE_PAUSED, -time.Hour), false},
	} {
		require.Equal(t, is.lost, activityLost(is.activity, before), name)
	}
	run := &workflowservice.DescribeWorkflowExecutionResponse{PendingActivities: []*workflowpb.PendingActivityInfo{
		activity(started, -time.Hour), activity(scheduled, -time.Hour),
	}}
	const ofActivities = enumspb.TASK_QUEUE_TYPE_ACTIVITY
	require.Equal(t, lostTask{taskQueue{"own", ofActivities}, before.Add(-time.Hour).UTC()},
		lostTaskOf(run, "own", before))
	run.PendingActivities[1].ActivityOptions = &activitypb.ActivityOptions{TaskQueue: &taskqueuepb.TaskQueue{Name: "other"}}
	require.Equal(t, "other", lostTaskOf(run, "own", before).name, "where it waits")
}

// heartbeatClient is a client on which the last heartbeats of all queues begin an hour in the future, so that every
// task is old.
type heartbeatClient struct {
	sdkclient.Client
	status  enumspb.WorkflowExecutionStatus
	pending *workflowpb.PendingWorkflowTaskInfo // of the heartbeats
	backlog time.Duration                       // of all queues; 0: the real one
	ended   []string                            // heartbeats that were terminated
}

func (b *heartbeatClient) TerminateWorkflow(ctx context.Context, id, run, reason string, details ...any) error {
	if !strings.HasPrefix(id, workflows.HeartbeatID) {
		return b.Client.TerminateWorkflow(ctx, id, run, reason, details...)
	}
	b.ended = append(b.ended, id)
	return nil
}

func (b *heartbeatClient) DescribeWorkflowExecution(
	ctx context.Context, id, run string,
) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	if !strings.HasPrefix(id, workflows.HeartbeatID) {
		return b.Client.DescribeWorkflowExecution(ctx, id, run)
	}
	return &workflowservice.DescribeWorkflowExecutionResponse{
		PendingWorkflowTask: b.pending,
		WorkflowExecutionInfo: &workflowpb.WorkflowExecutionInfo{
			Status: b.status, StartTime: timestamppb.New(time.Now().Add(time.Hour)),
			Execution: &commonpb.WorkflowExecution{WorkflowId: id},
		},
	}, nil
}

func (b *heartbeatClient) WorkflowService() workflowservice.WorkflowServiceClient {
	return &backlogged{b.Client.WorkflowService(), b.backlog}
}

type backlogged struct {
	workflowservice.WorkflowServiceClient
	age time.Duration
}

func (b *backlogged) DescribeTaskQueue(
	ctx context.Context, in *workflowservice.DescribeTaskQueueRequest, options ...grpc.CallOption,
) (*workflowservice.DescribeTaskQueueResponse, error) {
	d, err := b.WorkflowServiceClient.DescribeTaskQueue(ctx, in, options...)
	if err == nil && b.age > 0 {
		d.Stats = &taskqueuepb.TaskQueueStats{ApproximateBacklogAge: durationpb.New(b.age)}
	}
	return d, err
}

// A run whose task or activity no worker gets ends, while other runs of its queue get theirs. A run that waits goes on,
// and so does one whose task fails.
func TestRunsWithoutTheirTaskAreEnded(t *testing.T) {
	t.Parallel()
	client := &heartbeatClient{Client: dial(t, ClientConfig{})}
	start := func(o sdkclient.StartWorkflowOptions, name string, in any) string {
		o.TaskQueue = "nobody/" + o.ID
		_, err := client.ExecuteWorkflow(t.Context(), o, name, in)
		require.NoError(t, err)
		return o.ID
	}
	b := newFakeRecords()
	b.soonest = map[string][]string{}
	onboarding := func() string { // other tests count runs of other kinds that were terminated
		in := workflows.OnboardingInput{OrganizationID: models.NewID(models.PrefixOrganization)}
		b.soonest[models.WaitingOnboardings] = append(b.soonest[models.WaitingOnboardings], in.OrganizationID)
		return start(workflows.OnboardingStart(in), workflows.OnboardingName, in)
	}
	lost, asks, waits, fails := onboarding(), onboarding(), onboarding(), onboarding()
	nexus := models.NewID(models.PrefixBatch)
	evaluation := start(workflows.NexusStart(nexus, []string{"org_1"}), workflows.EvaluateNexusName,
		workflows.EvaluateNexusInput{})
	recount := start(sdkclient.StartWorkflowOptions{ID: "recount-nexus-" + nexus}, workflows.RecountNexusName,
		workflows.RecountNexusInput{})
	poll := func(id string) []byte {
		ctx, cancel := context.WithTimeout(t.Context(), waitLimit) // the server needs a deadline
		defer cancel()
		task, err := client.WorkflowService().PollWorkflowTaskQueue(ctx, &workflowservice.PollWorkflowTaskQueueRequest{
			Namespace: "default", TaskQueue: &taskqueuepb.TaskQueue{Name: "nobody/" + id}, Identity: "test",
		})
		require.NoError(t, err)
		return task.GetTaskToken()
	}
	complete := func(id string, command *commandpb.Command) {
		_, err := client.WorkflowService().RespondWorkflowTaskCompleted(t.Context(),
			&workflowservice.RespondWorkflowTaskCompletedRequest{
				Namespace: "default", TaskToken: poll(id), Commands: []*commandpb.Command{command},
			})
		require.NoError(t, err)
	}
	complete(waits, &commandpb.Command{
		CommandType: enumspb.COMMAND_TYPE_START_TIMER, Attributes: &commandpb.Command_StartTimerCommandAttributes{
			StartTimerCommandAttributes: &commandpb.StartTimerCommandAttributes{
				TimerId: "1", StartToFireTimeout: durationpb.New(time.Hour),
			},
		},
	})
	complete(asks, &commandpb.Command{
		CommandType: enumspb.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
		Attributes: &commandpb.Command_ScheduleActivityTaskCommandAttributes{
			ScheduleActivityTaskCommandAttributes: &commandpb.ScheduleActivityTaskCommandAttributes{
				ActivityId: "1", ActivityType: &commonpb.ActivityType{Name: "any"},
				StartToCloseTimeout: durationpb.New(time.Minute),
				TaskQueue:           &taskqueuepb.TaskQueue{Name: "nobody/" + asks + "/activities"},
			},
		},
	})
	_, err := client.WorkflowService().RespondWorkflowTaskFailed(t.Context(),
		&workflowservice.RespondWorkflowTaskFailedRequest{
			Namespace: "default", TaskToken: poll(fails), Cause: enumspb.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
		})
	require.NoError(t, err)

	plain, err := sdkclient.Dial(sdkclient.Options{HostPort: server.Address}) // as the test of schedules does
	require.NoError(t, err)
	t.Cleanup(plain.Close)
	require.NoError(t, EnsureSchedules(t.Context(), plain, workflows.Schedules()))
	metrics := NewMetrics(prometheus.NewRegistry())
	r := NewReconciler(client, "default", b, metrics, quiet)
	r.lostAfter, r.confirmAfter = 30*time.Minute, 0
	statuses := func() (all []enumspb.WorkflowExecutionStatus) {
		for _, id := range []string{lost, asks, evaluation, recount, waits, fails} {
			d, err := client.Client.DescribeWorkflowExecution(t.Context(), id, "")
			require.NoError(t, err)
			all = append(all, d.GetWorkflowExecutionInfo().GetStatus())
		}
		return all
	}
	const running, terminated = enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, enumspb.WORKFLOW_EXECUTION_STATUS_TERMINATED
	require.Eventually(t, func() bool { // lists are late
		list, err := client.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{
			Query: "ExecutionStatus = 'Running' AND WorkflowId IN ('" +
				strings.Join([]string{lost, asks, evaluation, recount, waits, fails}, "', '") + "')",
		})
		return err == nil && len(list.GetExecutions()) == 6
	}, waitLimit, 50*time.Millisecond)

	client.status = running
	require.NoError(t, r.endStalled(t.Context()))
	require.Equal(t, []enumspb.WorkflowExecutionStatus{running, running, running, running, running, running},
		statuses(), "workers may be down")
	client.pending = &workflowpb.PendingWorkflowTaskInfo{Attempt: 1,
		ScheduledTime: timestamppb.New(time.Now().Add(-r.lostAfter))}
	client.backlog = r.lostAfter
	require.NoError(t, r.endStalled(t.Context()))
	require.Empty(t, client.ended, "workers may be down")
	client.backlog = 1
	require.NoError(t, r.endStalled(t.Context()))
	require.Contains(t, client.ended, workflows.HeartbeatIDOf(workflows.FilingsQueue), "the heartbeat is what is lost")

	client.backlog = 0
	short := *r
	short.lostAfter = time.Millisecond
	queue := taskQueue{"nobody/" + lost, enumspb.TASK_QUEUE_TYPE_WORKFLOW}
	backlog, err := short.hasBacklog(t.Context(), queue)
	require.NoError(t, err)
	require.True(t, backlog, "there its task waits")
	queue = taskQueue{"nobody/" + asks + "/activities", enumspb.TASK_QUEUE_TYPE_ACTIVITY}
	backlog, err = short.hasBacklog(t.Context(), queue)
	require.NoError(t, err)
	require.True(t, backlog, "there its activity waits")
	client.status, client.backlog = enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED, r.lostAfter
	require.NoError(t, r.endStalled(t.Context()))
	require.Equal(t, []enumspb.WorkflowExecutionStatus{running, running, running, running, running, running},
		statuses(), "workers may be busy")
	client.backlog = 0
	old, err := r.oldRuns(t.Context(), workflows.OnboardingQueue)
	require.NoError(t, err)
	found, err := r.stalled(t.Context(), old)
	require.NoError(t, err)
	require.Len(t, found, 2)
	earlier := found[0]
	earlier.lost.scheduled = earlier.lost.scheduled.Add(-time.Second)
	require.NoError(t, r.replace(t.Context(), []stalledRun{earlier}))
	require.Equal(t, []enumspb.WorkflowExecutionStatus{running, running}, statuses()[:2], "it had moved since")
	require.NoError(t, r.endStalled(t.Context()))
	require.Equal(t, []enumspb.WorkflowExecutionStatus{terminated, terminated, terminated, terminated, running,
		running}, statuses())
	require.InDelta(t, 2, testutil.ToFloat64(metrics.replacedRuns.WithLabelValues(workflows.OnboardingName)), 0)
	require.Eventually(t, func() bool { // the schedule repeats what the run did not do
		again, err := plain.ScheduleClient().GetHandle(t.Context(),
			workflows.ScheduleThatRepeats(workflows.RecountNexusName)).Describe(t.Context())
		return err == nil && again.Info.NumActions == 1
	}, waitLimit, 50*time.Millisecond)
}
