package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
	sdkworker "go.temporal.io/sdk/worker"
)

// deploymentOf names the Worker Deployment of a task queue; its versions are the releases.
// Each queue has one of its own, because the server makes queues known to a deployment one
// after the other: with all seven in one, a release takes over after 14 seconds.
func deploymentOf(queue string) string { return "levy-" + queue }

// upgradesAtOnce bounds the runs that one check has go on with the current version.
const upgradesAtOnce = 100

// serverVersions are the releases of the worker of a task queue, as the server knows them.
type serverVersions struct {
	client sdkclient.Client
	queue  string
	handle sdkclient.WorkerDeploymentHandle
}

func newServerVersions(client sdkclient.Client, queue string) serverVersions {
	return serverVersions{
		client: client, queue: queue, handle: client.WorkerDeploymentClient().GetHandle(deploymentOf(queue)),
	}
}

// deploymentOptions makes the workers of a release its version. Without a build id, and on
// a server that does not know Worker Deployments, they have none: runs then go on with the
// release that takes their next task. It waits for the server, or until ctx ends.
func deploymentOptions(
	ctx context.Context, versions deploymentVersions, queue, buildID string, log *slog.Logger,
) sdkworker.DeploymentOptions {
	for buildID != "" {
		_, err := versions.Describe(ctx)
		if _, unknown := errors.AsType[*serviceerror.NotFound](err); err == nil || unknown {
			return sdkworker.DeploymentOptions{
				UseVersioning: true,
				Version:       sdkworker.WorkerDeploymentVersion{DeploymentName: deploymentOf(queue), BuildID: buildID},
			}
		}
		_, old := errors.AsType[*serviceerror.Unimplemented](err)
		_, off := errors.AsType[*serviceerror.PermissionDenied](err)
		if old || off {
			log.WarnContext(
				ctx,
				"this Temporal server has no Worker Deployments (1.29 has them): runs go on with any release that is there",
				"error", err.Error(),
			)
			break
		}
		log.WarnContext(ctx, "Temporal cannot be reached, trying again", "error", err.Error())
		select {
		case <-ctx.Done():
			return sdkworker.DeploymentOptions{}
		case <-time.After(startRetry):
		}
	}
	return sdkworker.DeploymentOptions{}
}

// Describe returns the deployment.
func (s serverVersions) Describe(ctx context.Context) (sdkclient.WorkerDeploymentDescribeResponse, error) {
	return s.handle.Describe(ctx, sdkclient.WorkerDeploymentDescribeOptions{})
}

// Polled checks the two task queues of the name, for workflows and for activities.
func (s serverVersions) Polled(ctx context.Context, buildID string) (bool, error) {
	version, err := s.handle.DescribeVersion(ctx, sdkclient.WorkerDeploymentDescribeVersionOptions{BuildID: buildID})
	return len(version.Info.TaskQueuesInfos) == 2, err
}

// SetCurrent makes a version the current one.
func (s serverVersions) SetCurrent(ctx context.Context, buildID string, conflictToken []byte) error {
	_, err := s.handle.SetCurrentVersion(ctx, sdkclient.WorkerDeploymentSetCurrentVersionOptions{
		BuildID: buildID, ConflictToken: conflictToken,
	})
	return err
}

// PolledSince asks for the pollers of workflow tasks.
func (s serverVersions) PolledSince(ctx context.Context, buildID string, since time.Time) (bool, error) {
	queue, err := s.client.DescribeTaskQueue(ctx, s.queue, enumspb.TASK_QUEUE_TYPE_WORKFLOW)
	if err != nil {
		return false, err
	}
	for _, p := range queue.GetPollers() {
		if p.GetDeploymentOptions().GetBuildId() == buildID && p.GetLastAccessTime().AsTime().After(since) {
			return true, nil
		}
	}
	return false, nil
}

// UpgradePinned lists the runs and changes each. Where the code of the current version does
// not fit, the run fails at once, and is opened again from its record.
func (s serverVersions) UpgradePinned(ctx context.Context, buildID string) (int, error) {
	list, err := s.client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		PageSize: upgradesAtOnce,
		Query: fmt.Sprintf("ExecutionStatus = 'Running' AND TemporalWorkerDeployment = '%s' AND "+
			"TemporalWorkflowVersioningBehavior = 'Pinned' AND TemporalWorkerDeploymentVersion != '%s:%s'",
			deploymentOf(s.queue), deploymentOf(s.queue), buildID),
	})
	if err != nil {
		return 0, err
	}
	for i, run := range list.GetExecutions() {
		_, err := s.client.UpdateWorkflowExecutionOptions(ctx, sdkclient.UpdateWorkflowExecutionOptionsRequest{
			WorkflowId: run.GetExecution().GetWorkflowId(), RunId: run.GetExecution().GetRunId(),
			WorkflowExecutionOptionsChanges: sdkclient.WorkflowExecutionOptionsChanges{
				VersioningOverride: &sdkclient.VersioningOverrideChange{
					Value: &sdkclient.AutoUpgradeVersioningOverride{},
				},
			},
		})
		if _, ended := errors.AsType[*serviceerror.NotFound](err); err != nil && !ended {
			return i, fmt.Errorf("run %s: %w", run.GetExecution().GetWorkflowId(), err)
		}
	}
	return len(list.GetExecutions()), nil
}
