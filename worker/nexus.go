package worker

import (
	"context"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/workflows"
)

const (
	// nexusTick is short: within a second after a transaction its nexus is evaluated.
	nexusTick = 200 * time.Millisecond
	// nexusLease is when others may take up what a process took and did not get done.
	nexusLease = 30 * time.Second
)

// NexusChanges are what happened to the nexus of organizations and was not evaluated
// yet.
type NexusChanges interface {
	// LeaseNexus lists organizations whose nexus changed; no other process gets them
	// until the lease ends.
	LeaseNexus(ctx context.Context, organizations int, lease time.Duration) ([]string, error)
}

// NexusWatch starts the evaluation of whatever changed. The list of it is in the
// database: nothing is lost with a process, and transactions come and go without waiting
// for an evaluation. Many changes of one organization become one evaluation.
type NexusWatch struct {
	client  sdkclient.Client
	changes NexusChanges
	log     *slog.Logger
}

// NewNexusWatch makes a watch; Run makes it work. Every process may have one.
func NewNexusWatch(client sdkclient.Client, changes NexusChanges, log *slog.Logger) *NexusWatch {
	return &NexusWatch{client: client, changes: changes, log: log}
}

// Run watches until ctx ends.
func (w *NexusWatch) Run(ctx context.Context) { repeat(ctx, nexusTick, w.check) }

// check takes what is due once. It reports whether more is to be expected at once.
func (w *NexusWatch) check(ctx context.Context) (more bool) {
	organizations, err := w.changes.LeaseNexus(ctx, workflows.MaxBatchOrganizations, nexusLease)
	if err != nil {
		if ctx.Err() == nil {
			w.log.WarnContext(ctx, "changes of nexus not read", "error", err.Error())
		}
		return false
	}
	if len(organizations) == 0 {
		return false
	}
	start, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	_, err = w.client.ExecuteWorkflow(start, workflows.NexusStart(models.NewID(models.PrefixBatch), organizations),
		workflows.EvaluateNexusName, workflows.EvaluateNexusInput{Organizations: organizations})
	if err != nil {
		w.log.WarnContext(
			ctx, "evaluation of nexus not started", "organizations", len(organizations), "error", err.Error(),
		)
		return false // Temporal does not answer: they are due again later
	}
	return len(organizations) == workflows.MaxBatchOrganizations && ctx.Err() == nil
}
