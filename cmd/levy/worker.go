package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.temporal.io/sdk/interceptor"

	"levy/activities"
	"levy/authority"
	"levy/internal/secret"
	"levy/store/pg"
	"levy/worker"
)

type workerCmd struct{}

// Run works until the program receives a signal to end.
func (workerCmd) Run(p *program) error {
	if err := p.config.validate(needDatabase, needTemporal, needMasterKeys); err != nil {
		return err
	}
	boundMemory(workerPace)
	go giveMemoryBack(p.ctx)
	return runWorker(p.ctx, p.config, p.serviceLog())
}

// runWorker runs workflows and activities, with /readyz on cfg.PrivateAddr,
// until ctx ends; then it finishes what is in progress and returns.
func runWorker(ctx context.Context, cfg Config, log io.Writer) (err error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	p, err := openParts(ctx, cfg, pg.RoleWorker, log)
	if err != nil {
		return err
	}
	p.end = end
	defer func() { err = errors.Join(err, endedBy(ctx), p.close(context.WithoutCancel(ctx))) }()
	authorities, err := p.authorities()
	if err != nil {
		return err
	}
	release, err := buildID(cfg.WorkerBuildID, version, os.Executable)
	if err != nil {
		return err
	}
	private, err := p.listenPrivate(ctx)
	if err != nil {
		return err
	}
	p.registered = new(atomic.Bool)
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	work := p.newDispatching()
	inBackground(background, &running, slices.Concat([]func(context.Context){
		work.dispatcher.Run,
		work.background.Run,
	}, work.sweepers, p.inEveryProcess(), []func(context.Context){
		worker.NewNexusWatch(p.client, p.store.Nexus, p.log).Run,
		worker.NewWebhookSweeper(p.client, p.store.Webhooks, p.log).Run,
		p.store.Webhooks.Follow,
		p.store.Webhooks.ForgetDeliveries,
		p.store.Filings.KeepFilingsAmended,
		p.store.Filings.KeepRecomputed,
		p.store.Filings.KeepFigures,
		p.store.KeepMigrating,
	})...)
	running.Go(func() { p.servePrivate(background, private) })
	reach := waitForTemporal{dial: cfg.dialPlain, log: p.log, now: time.Now, wait: pause}
	if reach.run(ctx) != nil {
		return nil // it was told to end, or ends itself
	}
	return worker.Run(ctx, p.client, p.work(authorities, work), worker.Config{
		Activities: cfg.WorkerConcurrency, BuildID: release, Registered: func() { p.registered.Store(true) },
		Around: []interceptor.WorkerInterceptor{worker.NewUnexplainedFailures(p.registry)},
	}, p.log)
}

// work is what the activities of a worker need.
func (p *parts) work(authorities *authority.Switchboard, dispatching dispatching) worker.Work {
	return worker.Work{
		Database:         p.store,
		Processing:       activities.New(p.store.Processing(), p.taxes, p.log),
		Heartbeat:        activities.NewHeartbeat(p.store.Engine, p.log),
		Onboarding:       p.onboardings(),
		Exemptions:       activities.NewExemptions(p.store.Catalog, p.log),
		Filing:           p.filing(authorities),
		FilingPlan:       activities.NewFilingPlan(p.store.Filings, p.taxes.Current, p.log),
		Acknowledgements: activities.NewAcknowledgements(answerQueues{authorities, p}, p.log),
		Registration:     activities.NewRegistration(p.store.Registering(), authorities, p.log),
		Imports:          p.importing(dispatching),
		RateFiles:        activities.NewRateFiles(newFetcher(p.store, io.Discard, io.Discard), p.log),
		Webhooks:         p.webhooks(),
		Nexus: activities.NewNexus(
			p.store.Evaluation(), p.store.Records(secret.NewSealer(p.ring)), p.taxes, p.cfg.NexusApproaching, newNexusMetrics(p.registry), p.log,
		),
	}
}
