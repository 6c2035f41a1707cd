package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	sdkworker "go.temporal.io/sdk/worker"

	"levy/activities"
	"levy/workflows"
)

// Config configures the workers of a process. The zero value means the defaults.
type Config struct {
	// Activities is the number of activities of a task queue that run at once, by default 4, of background work half as
	// many. Each uses one or two database connections.
	Activities int
	// BuildID is the release, which is the version of the Worker Deployments of its workers. Empty: they have no
	// version.
	BuildID string
	// Registered is called once, when the workers of all task queues poll. Workers with a version must also know that
	// the current version is theirs or a newer one. May be nil.
	Registered func()
	// Around are interceptors for the activities of all task queues.
	Around []interceptor.WorkerInterceptor
}

const defaultActivities = 4

// backgroundSlots returns how many background activities run at once in a process, and how many background batches are
// in progress. activities is the number for other task queues.
func backgroundSlots(activities int) int { return max(1, cmp.Or(activities, defaultActivities)/2) }

// stopTimeout is the time that running activities have to end when the process stops. It is longer than any database
// stage.
const stopTimeout = 15 * time.Second

// shortSticky is the time that a step of an onboarding, or a stage of a batch, waits for the worker of the last one. If
// that worker has died, another one still answers within the client's timeout. It has little to replay.
const shortSticky = 2 * time.Second

// cachedRuns is the number of open runs in memory. Another run is replayed from its history when it has a task. Ten
// thousand waiting onboardings would fill the memory that a process may have, so that it mostly collected garbage.
const cachedRuns = 2000

// Work holds the activities of a worker process, and the database that all of them need.
type Work struct {
	Database Database

	Processing *activities.Processing
	Heartbeat  *activities.Heartbeat
	Onboarding *activities.Onboarding
	Exemptions *activities.Exemptions
	Filing     *activities.Filing
	FilingPlan *activities.FilingPlan

	Acknowledgements *activities.Acknowledgements

	Registration *activities.Registration
	Imports      *activities.Imports
	RateFiles    *activities.RateFiles
	Nexus        *activities.Nexus
	Webhooks     *activities.Webhooks
}

// noRelease is the checksum of workers without a version.
const noRelease = "none"

// Run runs the workers of a process until ctx ends, then waits for running activities. It retries while Temporal cannot
// be reached. Errors: those of a worker that cannot go on.
func Run(ctx context.Context, client sdkclient.Client, work Work, config Config, log *slog.Logger) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	sdkworker.SetStickyWorkflowCacheSize(cachedRuns)
	// Without a checksum the SDK hashes the whole program, which takes longer than the rest of the start.
	sdkworker.SetBinaryChecksum(cmp.Or(config.BuildID, noRelease))
	watch := &databaseWatch{database: work.Database, log: log}
	var watching sync.WaitGroup
	defer watching.Wait()
	watching.Go(func() { watch.Run(ctx) })
	yields := newBackgroundYield()
	queues := work.queues(config.Activities)
	var unregistered atomic.Int64
	unregistered.Store(int64(len(queues)))
	ended := make(chan error, len(queues))
	for _, q := range queues {
		q.around = append(yields.of(q.queue), config.Around...)
		q.registered = sync.OnceFunc(func() {
			if unregistered.Add(-1) == 0 && config.Registered != nil {
				config.Registered()
			}
		})
		go func() { ended <- q.run(ctx, client, config, watch, log) }()
	}
	var errs []error
	for range queues {
		errs = append(errs, <-ended)
		stop() // a worker that cannot go on ends the process
	}
	return errors.Join(errs...)
}

// queues returns the workers of a process. concurrency is the number of activities that each runs at once, unless it
// has its own.
func (work Work) queues(concurrency int) []queueWork {
	queues := []queueWork{
		{queue: workflows.TransactionsQueue, reopened: true, activities: []any{work.Processing}},
		{
			queue: workflows.BackgroundQueue, reopened: true, activities: []any{work.Processing},
			concurrency: backgroundSlots(concurrency),
		},
		{queue: workflows.OnboardingQueue, activities: []any{work.Onboarding}},
		{queue: workflows.ImportsQueue, reopened: true, activities: []any{work.Imports, work.RateFiles}},
		{queue: workflows.ExemptionsQueue, reopened: true, activities: []any{work.Exemptions}},
		{queue: workflows.RegistrationsQueue, activities: []any{work.Registration}},
		{queue: workflows.FilingsQueue, activities: []any{work.Filing, work.FilingPlan, work.Acknowledgements}},
		{queue: workflows.WebhooksQueue, reopened: true, activities: []any{work.Webhooks}, concurrency: deliveries},
		{queue: workflows.NexusQueue, reopened: true, activities: []any{work.Nexus}},
	}
	for i := range queues {
		queues[i].activities = append(queues[i].activities, work.Heartbeat)
	}
	return queues
}

// deliveries is the number of endpoints that a process serves at once. It mostly waits for them, and a slow endpoint
// must not delay others.
const deliveries = 64

// queueWork is the worker of one task queue. Clients wait for some queues, so none waits for another.
type queueWork struct {
	queue string
	// reopened makes a run whose code does not fit fail at once, also where workers have no version. The relay, a
	// sweeper, the watch of nexus or the next day's schedule starts another run. Runs of other queues get messages of
	// clients and staff. Without versions they wait for code that fits, because during an upgrade their tasks also
	// reach workers of the last release.
	reopened    bool
	activities  []any
	concurrency int // activities at once; 0: as configured
	around      []interceptor.WorkerInterceptor
	registered  func() // called at least once, when the worker gets tasks or leaves them to a newer release
}

// run runs the worker until ctx ends. Errors: that of a worker that cannot go on.
func (q queueWork) run(
	ctx context.Context, client sdkclient.Client, config Config, watch *databaseWatch, log *slog.Logger,
) error {
	fatal := make(chan error, 1)
	versions := newServerVersions(client, q.queue)
	release := deploymentOptions(ctx, versions, q.queue, config.BuildID, log)
	w := started(ctx, log, func() sdkworker.Worker {
		options := q.options(config, watch)
		options.DeploymentOptions = release
		if q.reopened || release.UseVersioning {
			options.WorkflowPanicPolicy = sdkworker.FailWorkflow
		}
		options.OnFatalError = func(err error) {
			select {
			case fatal <- err:
			default:
			}
		}
		w := sdkworker.New(client, q.queue, options)
		workflows.Register(w, q.queue, q.activities...)
		return w
	})
	if w == nil {
		return nil
	}
	defer w.Stop()
	log.InfoContext(ctx, "worker started", "queue", q.queue)
	if release.UseVersioning {
		d := &deployment{
			buildID: config.BuildID, versions: versions, settled: q.registered, log: log.With("queue", q.queue),
		}
		var keeping sync.WaitGroup
		defer keeping.Wait()
		keeping.Go(func() { d.Run(ctx) })
	} else {
		q.registered()
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-fatal:
		return fmt.Errorf("worker of queue %s: %w", q.queue, err)
	}
}

// heartbeatThrottle is the time for which the SDK may hold back a heartbeat of an activity. By default it holds it back
// for most of the timeout, and a slow machine seems dead.
const heartbeatThrottle = 3 * time.Second

// options returns the options of the worker that do not depend on the release.
func (q queueWork) options(config Config, watch *databaseWatch) sdkworker.Options {
	options := workerOptions(Config{Activities: cmp.Or(q.concurrency, config.Activities)}, watch)
	options.Interceptors = q.around
	switch q.queue {
	case workflows.OnboardingQueue, workflows.TransactionsQueue, workflows.BackgroundQueue:
		options.StickyScheduleToStartTimeout = shortSticky
	}
	return options
}

// workerOptions returns the options that all workers have.
func workerOptions(config Config, watch *databaseWatch) sdkworker.Options {
	activities := cmp.Or(config.Activities, defaultActivities)
	return sdkworker.Options{
		Tuner: newTuner(activities, watch),
		// A poller holds the slot of the activity that it waits for. The other half of the slots is for eager
		// activities, which come with the answer to a workflow task instead of through the task queue.
		MaxConcurrentActivityTaskPollers: max(1, activities/2),
		MaxConcurrentWorkflowTaskPollers: 4,
		WorkerStopTimeout:                stopTimeout,
		MaxHeartbeatThrottleInterval:     heartbeatThrottle,
	}
}

// startRetry is the pause between two attempts to reach Temporal.
const startRetry = time.Second

// started creates and starts a worker, again and again until Temporal answers. It returns nil if ctx ends before.
func started(ctx context.Context, log *slog.Logger, newWorker func() sdkworker.Worker) sdkworker.Worker {
	for {
		w := newWorker()
		result := make(chan error, 1)
		go func() { result <- w.Start() }() // Start takes no context and may wait for long
		select {
		case <-ctx.Done():
			return nil
		case err := <-result:
			if err == nil {
				return w
			}
			log.WarnContext(ctx, "Temporal cannot be reached, trying again", "error", err.Error())
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(startRetry):
		}
	}
}
