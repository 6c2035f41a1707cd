package main

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"levy/activities"
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
	p, err := openParts(ctx, cfg, pg.RoleWorker, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close(context.WithoutCancel(ctx))) }()
	authorities, err := p.authorities()
	if err != nil {
		return err
	}
	p.registered = new(atomic.Bool)
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	release, err := buildID(cfg.WorkerBuildID, version, os.Executable)
	if err != nil {
		return err
	}
	work := p.newDispatching()
	running.Go(func() { work.dispatcher.Run(background) })
	running.Go(func() { work.background.Run(background) })
	for _, s := range work.sweepers {
		running.Go(func() { s.Run(background) })
	}
	running.Go(func() { worker.NewNexusWatch(p.client, p.store.Nexus, p.log).Run(background) })
	running.Go(func() { worker.NewWebhookSweeper(p.client, p.store.Webhooks, p.log).Run(background) })
	running.Go(func() { p.store.Webhooks.Follow(background) })
	running.Go(func() { p.followContent(background) })
	running.Go(func() { p.store.Transactions.KeepCountsRolledUp(background) })
	running.Go(func() { p.store.Catalog.KeepCountsRolledUp(background) })
	running.Go(func() { p.sealAudit(background) })
	running.Go(func() { p.store.CorrectSkewedTimers(background) })
	running.Go(func() { p.store.Filings.KeepFilingsAmended(background) })
	running.Go(func() {
		if err := p.servePrivate(background); err != nil {
			p.log.ErrorContext(ctx, "private listener ended", "error", err.Error())
		}
	})
	return worker.Run(ctx, p.client, worker.Work{
		Database:   p.store,
		Processing: activities.New(p.store.Processing(), p.taxes, p.log),
		Heartbeat:  activities.NewHeartbeat(p.store.Engine),
		Onboarding: p.onboardings(),
		Exemptions: activities.NewExemptions(p.store.Catalog, p.log),
		Filing:     p.filing(authorities),
		FilingPlan: activities.NewFilingPlan(p.store.Filings, p.taxes.Current, p.log),

		Registration: activities.NewRegistration(p.store.Registering(), authorities, p.log),
		Imports:      p.importing(work),
		Webhooks:     p.webhooks(),
		Nexus: activities.NewNexus(
			p.store.Evaluation(), p.taxes, cfg.NexusApproaching, newNexusMetrics(p.registry), p.log,
		),
	}, worker.Config{Activities: cfg.WorkerConcurrency, BuildID: release,
		Registered: func() { p.registered.Store(true) }}, p.log)
}
