package main

import (
	"context"
	"time"

	"go.opentelemetry.io/otel"
	sdkclient "go.temporal.io/sdk/client"

	"levy/activities"
	"levy/models"
	"levy/worker"
)

const (
	// startsPerSecond and startBurst are a process's budget of workflow starts.
	startsPerSecond, startBurst = 10, 10
	// drainTimeout is how long a stopping API goes on starting what it accepted;
	// the rest is the relay's.
	drainTimeout = 5 * time.Second
)

// dispatching is what starts and tells workflows: whatever the database says is due.
type dispatching struct {
	dispatcher *worker.Dispatcher
	sweepers   []sweeper // for as long as the process runs
}

type sweeper interface{ Run(ctx context.Context) }

func (p *parts) newDispatching() dispatching {
	starter := worker.NewStarter(p.client)
	metrics := worker.NewMetrics(p.registry)
	gate := worker.NewGate(startsPerSecond, startBurst, metrics)
	return dispatching{
		dispatcher: worker.NewDispatcher(starter, p.store, gate, metrics, otel.Tracer("levy/worker"), p.log),
		sweepers: []sweeper{
			worker.NewRelay(starter, p.store, gate, metrics, p.log),
			worker.NewOnboardingSweeper(p.client, p.store, p.log),
			worker.NewRegistrationSweeper(p.client, p.store, p.log),
			worker.NewFilingSweeper(p.client, p.store, p.filingRules(), p.log),
			worker.NewImportSweeper(p.client, p.store, p.log),
		},
	}
}

// boarding are the activities of onboardings. Accounts are taken as they are: Levy
// has no connection to banks.
func (p *parts) boarding() *activities.Onboarding {
	return activities.NewOnboarding(p.store, p.vault, p.taxes, activities.AcceptAnyBank, p.cfg.onboardingRules(), p.log)
}

// filing are the activities of filings.
func (p *parts) filing(authorities activities.Authorities) *activities.Filing {
	return activities.NewFiling(p.store, authorities, p.filingRules(), p.log)
}

func (p *parts) filingRules() models.FilingRules {
	return models.FilingRules{LookbackUnit: p.cfg.FilingLookbackUnit, Reminders: models.DefaultFilingRules().Reminders}
}

func (p *parts) checkTemporal(ctx context.Context) error {
	_, err := p.client.CheckHealth(ctx, &sdkclient.CheckHealthRequest{})
	return err
}
