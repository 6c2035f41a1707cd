package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	sdkclient "go.temporal.io/sdk/client"

	"levy/activities"
	"levy/models"
	"levy/rules"
	"levy/worker"
)

const (
	// startsPerSecond and startBurst are a process's budget of workflow starts.
	startsPerSecond, startBurst = 10, 10
	// drainTimeout is how long a stopping API goes on starting what it accepted;
	// the rest is the relay's.
	drainTimeout = 5 * time.Second
)

// dispatching is what starts and signals workflows: whatever the database says is due.
type dispatching struct {
	dispatcher *worker.Dispatcher
	background *worker.Relay           // where there are workers
	sweepers   []func(context.Context) // for as long as the process runs
}

func (p *parts) newDispatching() dispatching {
	metrics := worker.NewMetrics(p.registry)
	batches := worker.Batches{
		Starter: worker.NewStarter(p.client), Outbox: p.store.Transactions,
		Breaker: worker.NewCircuitBreaker(startsPerSecond, startBurst, metrics), Metrics: metrics, Log: p.log,
	}
	return dispatching{
		dispatcher: worker.NewDispatcher(batches, otel.Tracer("levy/worker")),
		background: worker.NewBackgroundRelay(batches, p.cfg.WorkerConcurrency),
		sweepers: []func(context.Context){
			worker.NewReconciler(p.client, p.cfg.TemporalNamespace, p.store.Engine, metrics, p.log).Run,
			worker.NewRelay(batches).Run,
			worker.NewOnboardingSweeper(p.client, p.store.Organizations, p.log).Run,
			worker.NewRegistrationSweeper(p.client, p.store.Registrations, p.log).Run,
			worker.NewFilingSweeper(p.client, p.store.Filings, p.filingRules(), p.log).Run,
			worker.NewImportSweeper(p.client, p.store.Imports, p.log).Run,
		},
	}
}

// onboardings are the activities of onboarding. Accounts are taken as they are: Levy
// has no connection to banks.
func (p *parts) onboardings() *activities.Onboarding {
	return activities.NewOnboarding(
		p.store.Organizations, p.store.Organizations, p.vault, p.taxes, activities.AcceptAnyBank,
		p.cfg.onboardingRules(), p.log,
	)
}

// filing are the activities of filings.
func (p *parts) filing(authorities activities.Authorities) *activities.Filing {
	work := activities.NewFiling(p.store.Filings, p.store.Organizations, authorities, p.filingRules(), p.log)
	return activities.WithDocuments(work, p.taxes.Current, p.cfg.sentTo())
}

func (p *parts) filingRules() rules.FilingPolicy {
	return rules.FilingPolicy{LookbackUnit: p.cfg.FilingLookbackUnit, Reminders: rules.DefaultFilingPolicy().Reminders}
}

func (p *parts) reachTemporal(ctx context.Context) error {
	_, err := p.client.CheckHealth(ctx, &sdkclient.CheckHealthRequest{})
	return err
}

// errNotDispatching says that Temporal hands no work of a task queue to workers, or that there are none.
var errNotDispatching = errors.New("Temporal has handed no work to a worker for too long")

// checkTemporal reports whether Temporal answers and hands work to workers. The latter the
// database says, and while that does not answer the state is unknown.
func (p *parts) checkTemporal(ctx context.Context) error {
	if err := p.reachTemporal(ctx); err != nil {
		return err
	}
	beats, err := p.store.Engine.Heartbeats(ctx)
	if late := lateQueues(beats); err == nil && len(late) > 0 {
		return fmt.Errorf("%w: %s", errNotDispatching, strings.Join(late, ", "))
	}
	return nil
}

// lateQueues are the task queues whose workers have not got a task for too long.
func lateQueues(beats []models.Heartbeat) (late []string) {
	for _, b := range beats {
		if b.Late() {
			late = append(late, b.Queue)
		}
	}
	return late
}
