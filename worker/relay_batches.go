package worker

import (
	"context"
	"time"

	"levy/models"
	"levy/workflows"
)

const (
	// stalledAfter is the time without progress after which an open batch has stalled. It is longer than a stage, and
	// than the pauses of its retries.
	stalledAfter = 5 * time.Minute
	// replaceTrial is the pause between replacements while no batch has ended for progressFor. The next one shows
	// whether that batch alone had stalled.
	replaceTrial = time.Minute
	progressFor  = 2 * time.Minute // longer than the pauses between leases of a row
)

// releaseEnded makes the rows due whose batch is over, and reports whether there were any.
func (r *Relay) releaseEnded(ctx context.Context, rows []models.OutboxRow) bool {
	over := make(map[string]bool)
	var left []models.OutboxRow
	for _, row := range rows {
		if row.BatchID == "" {
			continue
		}
		if _, known := over[row.BatchID]; !known {
			is, err := r.over(ctx, row.BatchID)
			r.batches.Breaker.recordCall(err)
			if err != nil {
				r.batches.Log.WarnContext(ctx, "batch not described", "batch_id", row.BatchID, "error", err.Error())
				break // the rows stay leased for a while
			}
			over[row.BatchID] = is
		}
		if over[row.BatchID] {
			left = append(left, row)
		}
	}
	if len(left) > 0 {
		r.batches.release(ctx, left)
	}
	return len(left) > 0
}

// ReplacedReason is the reason in the Temporal UI for the termination of a stalled batch.
const ReplacedReason = "It has done nothing for minutes: its transactions leave with a new batch."

// over reports whether a batch no longer processes its transactions. It terminates an open batch that has stalled,
// because its task is lost. If that batch should go on after all, the guards of the stages make it harmless.
func (r *Relay) over(ctx context.Context, batchID string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	status, err := r.batches.Starter.Describe(ctx, batchID)
	if err != nil || !status.Open {
		return err == nil, err
	}
	now := time.Now()
	if now.Sub(status.idleSince()) < stalledAfter {
		return false, nil
	}
	if !r.batches.Breaker.progressSince(now.Add(-progressFor)) && now.Sub(r.replaced) < replaceTrial {
		return false, nil
	}
	r.replaced = now
	r.batches.Metrics.replacedBatches.Inc()
	r.batches.Log.WarnContext(
		ctx, "batch makes no progress, its transactions leave with a new one", "batch_id", batchID, "idle_since",
		status.idleSince(),
	)
	err = r.batches.Starter.Terminate(ctx, batchID, ReplacedReason)
	return err == nil, err
}

// group is a batch that is to start.
type group struct {
	id            string
	marked        bool // its rows name it already
	urgency       workflows.Urgency
	refs          []models.Ref
	organizations map[string]struct{}
}

// groups forms new batches of leased rows. Rows of recent transactions, which only missed the dispatcher, do not wait
// with a backlog.
func (r *Relay) groups(rows []models.OutboxRow) []*group {
	if r.background {
		return regroup(rows, workflows.Background)
	}
	var recent, late []models.OutboxRow
	for _, row := range rows {
		if row.Attempts <= 1 && time.Since(row.CreatedAt) < models.RecentFor {
			recent = append(recent, row)
		} else {
			late = append(late, row)
		}
	}
	return append(regroup(recent, workflows.Recent), regroup(late, workflows.Late)...)
}

// regroup forms new batches of the rows that have none, in the order of the rows.
func regroup(rows []models.OutboxRow, urgency workflows.Urgency) []*group {
	var groups []*group
	var g *group
	for _, row := range rows {
		if row.BatchID != "" {
			continue
		}
		if g == nil || !g.takes(row.Ref) {
			g = newGroup(models.NewID(models.PrefixBatch), urgency)
			groups = append(groups, g)
		}
		g.refs = append(g.refs, row.Ref)
		g.organizations[row.OrganizationID] = struct{}{}
	}
	return groups
}

// newGroup returns a batch without transactions.
func newGroup(id string, urgency workflows.Urgency) *group {
	return &group{id: id, urgency: urgency, organizations: make(map[string]struct{})}
}

// takes reports whether a new batch has room for another transaction.
func (g *group) takes(ref models.Ref) bool {
	_, known := g.organizations[ref.OrganizationID]
	return len(g.refs) < g.urgency.MaxBatch() && (known || len(g.organizations) < workflows.MaxBatchOrganizations)
}
