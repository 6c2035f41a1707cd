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

// Config bounds what one worker process does at a time. The zero value means the
// defaults.
type Config struct {
	// Activities of one task queue run at once. Each uses one or two database
	// connections. Default 4; of what is done in the background half as many.
	Activities int
	// BuildID names the release: the version of the Worker Deployment that its workers are.
	// Empty: they are no version.
	BuildID string
	// Registered is called once, when the workers of all task queues poll and, where they are
	// versions, it is settled which release is the current one. May be nil.
	Registered func()
	// Around is what is done around each activity, of all task queues.
	Around []interceptor.WorkerInterceptor
}

const defaultActivities = 4

// backgroundSlots are the activities of the background that run at once where so many others do, and its batches
// that are under way.
func backgroundSlots(activities int) int { return max(1, cmp.Or(activities, defaultActivities)/2) }

// stopTimeout is how long running activities may take to end when the process is
// asked to stop: longer than any database stage.
const stopTimeout = 15 * time.Second

// shortSticky is how long a step of an onboarding, or the next stage of a batch, waits for the worker that did the
// one before. When that worker died, another one still answers within the client's timeout, and another worker has
// little to replay.
const shortSticky = 2 * time.Second

// cachedRuns is how many open runs stay in memory; another one is replayed from its
// history when something happens to it. Ten thousand waiting onboardings would fill the
// memory that a process may have, and it would do little else than collect garbage.
const cachedRuns = 2000

// Work is what the worker activities: the activities of the workflows, and the database all of
// them need.
type Work struct {
	Database Database

	Processing *activities.Processing
	Heartbeat  *activities.Heartbeat
	Onboarding *activities.Onboarding
	Exemptions *activities.Exemptions
	Filing     *activities.Filing
	FilingPlan *activities.FilingPlan

	Registration *activities.Registration
	Imports      *activities.Imports
	Nexus        *activities.Nexus
	Webhooks     *activities.Webhooks
}

// noRelease is what Temporal calls workers that are no version.
const noRelease = "none"

// Run runs the worker until ctx ends, then lets running activities end. While
// Temporal cannot be reached it keeps trying. Errors: those of a worker that cannot
// go on.
func Run(ctx context.Context, client sdkclient.Client, work Work, config Config, log *slog.Logger) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	sdkworker.SetStickyWorkflowCacheSize(cachedRuns)
	// Else the SDK reads the whole program for a hash of its own, which takes longer than all else at the start.
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
		stop() // one that cannot go on takes the process with it
	}
	return errors.Join(errs...)
}

// queues are the workers of a process. concurrency is how many activities each runs at once, unless it says otherwise.
func (work Work) queues(concurrency int) []queueWork {
	queues := []queueWork{
		{queue: workflows.TransactionsQueue, reopened: true, activities: []any{work.Processing}},
		{
			queue: workflows.BackgroundQueue, reopened: true, activities: []any{work.Processing},
			concurrency: backgroundSlots(concurrency),
		},
		{queue: workflows.OnboardingQueue, activities: []any{work.Onboarding}},
		{queue: workflows.ImportsQueue, reopened: true, activities: []any{work.Imports}},
		{queue: workflows.ExemptionsQueue, reopened: true, activities: []any{work.Exemptions}},
		{queue: workflows.RegistrationsQueue, activities: []any{work.Registration}},
		{queue: workflows.FilingsQueue, activities: []any{work.Filing, work.FilingPlan}},
		{queue: workflows.WebhooksQueue, reopened: true, activities: []any{work.Webhooks}, concurrency: deliveries},
		{queue: workflows.NexusQueue, reopened: true, activities: []any{work.Nexus}},
	}
	for i := range queues {
		queues[i].activities = append(queues[i].activities, work.Heartbeat)
	}
	return queues
}

// deliveries are how many endpoints a process serves at once: it mostly waits for them, and one that is slow must not
// hold up others.
const deliveries = 64

// queueWork is the worker of one task queue: clients wait behind some of them, so
// none has to wait for another.
type queueWork struct {
	queue string
	// reopened says that a run whose code does not fit fails at once also where workers have
	// no version: the database opens it again by the relay, a sweeper, the watch of nexus, or
	// the next day's schedule. Where clients and staff have sent messages to the run, a sweeper does so
	// later; without versions such a run waits for code that fits, because during a release
	// its tasks also reach workers of the release before.
	reopened    bool
	activities  []any // its activities
	concurrency int   // activities; 0 for what the configuration says
	around      []interceptor.WorkerInterceptor
	registered  func() // called at least once, when its worker gets tasks or leaves them to a newer release
}

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

// heartbeatThrottle is how long the SDK may hold back an activity's heartbeat: otherwise it
// waits for most of the timeout, and a slow machine seems dead.
const heartbeatThrottle = 3 * time.Second

// options are those of the queue, whatever the release.
func (q queueWork) options(config Config, watch *databaseWatch) sdkworker.Options {
	options := workerOptions(Config{Activities: cmp.Or(q.concurrency, config.Activities)}, watch)
	options.Interceptors = q.around
	switch q.queue {
	case workflows.OnboardingQueue, workflows.TransactionsQueue, workflows.BackgroundQueue:
		options.StickyScheduleToStartTimeout = shortSticky
	}
	return options
}

func workerOptions(config Config, watch *databaseWatch) sdkworker.Options {
	activities := cmp.Or(config.Activities, defaultActivities)
	return sdkworker.Options{
		Tuner: newTuner(activities, watch),
		// A poller holds the slot of the activity it waits for. The other half of the
		// slots is for activities that come with the answer to the workflow task that
		// wants them, without a way through the task queue.
		MaxConcurrentActivityTaskPollers: max(1, activities/2),
		MaxConcurrentWorkflowTaskPollers: 4,
		WorkerStopTimeout:                stopTimeout,
		MaxHeartbeatThrottleInterval:     heartbeatThrottle,
	}
}

// startRetry is the pause between two tries to reach Temporal.
const startRetry = time.Second

// started makes and starts a worker, again and again until Temporal answers. It
// returns nil when ctx ends first.
func started(ctx context.Context, log *slog.Logger, newWorker func() sdkworker.Worker) sdkworker.Worker {
	for {
		w := newWorker()
		result := make(chan error, 1)
		go func() { result <- w.Start() }() // takes no context and may wait for long
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
