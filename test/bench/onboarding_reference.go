package main

import (
	"context"
	"io"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	enumspb "go.temporal.io/api/enums/v1"

	"levy/models"
)

// The reference of a step: an update that starts its workflow when there is none,
// to a workflow that does nothing but wait.

const updatesQueue = "bench-updates"

// waitForUpdates answers eight updates, with an empty activity for each or with
// nothing.
func waitForUpdates(ctx workflow.Context, withActivity bool) error {
	answered := 0
	err := workflow.SetUpdateHandler(ctx, "step", func(ctx workflow.Context) error {
		defer func() { answered++ }()
		if !withActivity {
			return nil
		}
		ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: 5 * time.Second})
		return workflow.ExecuteActivity(ctx, doNothing).Get(ctx, nil)
	})
	if err != nil {
		return err
	}
	return workflow.Await(ctx, func() bool { return answered == models.LastStep && workflow.AllHandlersFinished(ctx) })
}

func doNothing(context.Context) error { return nil }

// measureUpdates measures both references, with as many clients as the onboardings
// have, and the bare one with a single client as well.
func (b *bench) measureUpdates(ctx context.Context, during time.Duration) error {
	b.say("Bare updates with start, %d clients at once, %d s each", onboardingClients, b.Seconds)
	client, err := b.temporalClient()
	if err != nil {
		return err
	}
	defer client.Close()
	worker := sdkworker.New(client, updatesQueue, sdkworker.Options{
		MaxConcurrentActivityExecutionSize: 4, MaxConcurrentWorkflowTaskPollers: 4,
		MaxConcurrentActivityTaskPollers: 2, // as Levy has
	})
	worker.RegisterWorkflow(waitForUpdates)
	worker.RegisterActivity(doNothing)
	if err := worker.Start(); err != nil {
		return err
	}
	defer worker.Stop()
	for _, withActivity := range []bool{false, true} {
		u := &updates{client: client, withActivity: withActivity}
		if err := many(ctx, warmUp, u.eight); err != nil {
			return err
		}
		u.took = nil
		before, began := b.cpuNow(), time.Now()
		if err := many(ctx, during, u.eight); err != nil {
			return err
		}
		name := map[bool]string{false: "bare updates", true: "updates with an empty activity"}[withActivity]
		p := b.report.add(name, newPhase(onboardingClients, u.took, time.Since(began), b.cpuNow().since(before)))
		b.say("  %s: %s", name, p)
		if withActivity {
			b.report.activityUpdates = p
		} else {
			b.report.bareUpdates = p
		}
	}
	alone := &updates{client: client}
	for range max(1, b.Idle/models.LastStep) {
		if err := alone.eight(ctx); err != nil {
			return err
		}
	}
	b.report.bareIdle = alone.took
	withActivity := &updates{client: client, withActivity: true}
	id, err := withActivity.eightOfOne(ctx)
	if err != nil {
		return err
	}
	b.report.eventsOfEight, b.report.bytesOfEight, err = historyOf(ctx, client, id)
	return err
}

// historyOf is how many events the history of a run has, and how many bytes.
func historyOf(ctx context.Context, client sdkclient.Client, id string) (events, size int64, err error) {
	run, err := client.DescribeWorkflowExecution(ctx, id, "")
	info := run.GetWorkflowExecutionInfo()
	return info.GetHistoryLength(), info.GetHistorySizeBytes(), err
}

// measureHistory sets the history of an onboarding beside that of eight updates with an
// empty activity each.
func (b *bench) measureHistory(ctx context.Context, id string) error {
	client, err := b.temporalClient()
	if err != nil {
		return err
	}
	defer client.Close()
	events, size, err := historyOf(ctx, client, id)
	b.report.beside("history of an onboarding, events", "", float64(events), "eight updates with an empty activity",
		float64(b.report.eventsOfEight))
	b.report.beside("history of an onboarding, size", "kB", float64(size)/1000, "eight updates with an empty activity",
		float64(b.report.bytesOfEight)/1000)
	return err
}

func (b *bench) temporalClient() (sdkclient.Client, error) {
	return sdkclient.Dial(sdkclient.Options{
		HostPort: b.temporal.Address, Logger: sdklog.NewStructuredLogger(slog.New(slog.NewTextHandler(io.Discard, nil))),
	})
}

type updates struct {
	onboardings
	client       sdkclient.Client
	withActivity bool
}

// eight sends one workflow its eight updates, one after the other.
func (u *updates) eight(ctx context.Context) error {
	_, err := u.eightOfOne(ctx)
	return err
}

// eightOfOne is eight, and returns the id of the workflow.
func (u *updates) eightOfOne(ctx context.Context) (id string, err error) {
	id = models.NewID("bench")
	for range models.LastStep {
		start := u.client.NewWithStartWorkflowOperation(sdkclient.StartWorkflowOptions{
			ID: id, TaskQueue: updatesQueue, WorkflowIDConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		}, waitForUpdates, u.withActivity)
		began := time.Now()
		handle, err := u.client.UpdateWithStartWorkflow(ctx, sdkclient.UpdateWithStartWorkflowOptions{
			StartWorkflowOperation: start,
			UpdateOptions: sdkclient.UpdateWorkflowOptions{UpdateName: "step",
				WaitForStage: sdkclient.WorkflowUpdateStageCompleted},
		})
		if err == nil {
			err = handle.Get(ctx, nil)
		}
		if err != nil {
			return id, err
		}
		took := time.Since(began)
		u.mu.Lock()
		u.took = append(u.took, took)
		u.mu.Unlock()
	}
	return id, nil
}
