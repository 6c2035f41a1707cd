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

// deploymentOf returns the name of the Worker Deployment of a task queue. Its versions are the releases. Each queue has
// its own deployment, because the server registers the queues of a deployment one after the other. With all seven
// queues in one, a release would take over after 14 seconds.
func deploymentOf(queue string) string { return "levy-" + queue }

// upgradesAtOnce bounds the runs that one check continues with the current version.
const upgradesAtOnce = 100

// serverVersions are the versions of the Worker Deployment of a task queue on a Temporal server.
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

// deploymentOptions returns the options that make a worker belong to the version of its release. Without a build id,
// and on a server without Worker Deployments, the worker has no version. Runs then continue with the release that takes
// their next task. deploymentOptions waits until the server answers or ctx ends.
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

// Polled reports whether workers of a version have polled both task queues, for workflows and for activities.
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

// PolledSince reports whether a worker of a version has polled for workflow tasks since a time.
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

// UpgradePinned continues runs that are pinned to other versions with the current one, and returns how many. A run that
// the code of the current version does not fit fails at once, and another run starts from its record.
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
