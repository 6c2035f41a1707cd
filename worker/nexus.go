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
	// nexusTick is the time between two checks. It is short, so that nexus is evaluated within a second after a
	// transaction.
	nexusTick = 200 * time.Millisecond
	// nexusLease is the time for which organizations are leased. Then another process may take them, if no evaluation
	// was done.
	nexusLease = 30 * time.Second
)

// NexusChanges leases the organizations whose nexus changes are not evaluated yet.
type NexusChanges interface {
	// LeaseNexus returns up to that many organizations with changes. No other process gets them until the lease ends.
	LeaseNexus(ctx context.Context, organizations int, lease time.Duration) ([]string, error)
}

// NexusWatch starts evaluations of nexus after changes. The changes are in the database, so nothing is lost with a
// process, and no transaction waits for an evaluation. Many changes of one organization become one evaluation.
type NexusWatch struct {
	client  sdkclient.Client
	changes NexusChanges
	log     *slog.Logger
}

// NewNexusWatch returns a watch; Run makes it work. Every process may have one.
func NewNexusWatch(client sdkclient.Client, changes NexusChanges, log *slog.Logger) *NexusWatch {
	return &NexusWatch{client: client, changes: changes, log: log}
}

// Run watches until ctx ends.
func (w *NexusWatch) Run(ctx context.Context) { repeat(ctx, nexusTick, w.check) }

// check leases organizations once and starts their evaluation. It reports whether there may be more.
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
		return false // the organizations are due again when their lease ends
	}
	return len(organizations) == workflows.MaxBatchOrganizations && ctx.Err() == nil
}
