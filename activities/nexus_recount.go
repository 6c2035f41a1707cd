package activities

import (
	"context"
	"log/slog"

	"levy/models"
	"levy/rules"
)

// RecountStore recounts nexus.
type RecountStore interface {
	// RecountContributions compares what the next transactions contribute with what
	// decide says, and with repair puts it right.
	RecountContributions(ctx context.Context, r models.NexusRecount,
		decide func(models.Transaction) (models.NexusOutcome, error)) (models.NexusRecountStep, error)
	// RecountCounters compares the counters with the sums of what was contributed, and
	// the taxes of days with the totals of the transactions.
	RecountCounters(
		ctx context.Context, run models.StageRun, organizationID string, repair bool,
	) ([]models.NexusDifference, error)
}

// RecountNexusInput says where to go on.
type RecountNexusInput struct {
	// Organization that is counted; empty for the first one behind After.
	Organization string `json:"organization"`
	After        string `json:"after"`       // organization
	Transaction  string `json:"transaction"` // of the organization, behind which to go on
}

// RecountNexusResult says what one step found and where to go on.
type RecountNexusResult struct {
	Next        RecountNexusInput `json:"next"`
	Counted     int               `json:"counted"` // transactions
	Differences int               `json:"differences"`
	Done        bool              `json:"done"`
}

// recountPages bounds the pages of transactions of one step.
const recountPages = 10

// RecountNexus recounts a part of an organization and corrects what differs. Nothing should
// ever differ: what does is logged, counted in the metrics, and kept with its old value.
func (n *Nexus) RecountNexus(ctx context.Context, in RecountNexusInput) (RecountNexusResult, error) {
	var result RecountNexusResult
	err := n.do(ctx, 1, func(ctx context.Context) (err error) {
		result, err = n.recountStep(ctx, in)
		return err
	})
	return result, err
}

func (n *Nexus) recountStep(ctx context.Context, in RecountNexusInput) (RecountNexusResult, error) {
	result := RecountNexusResult{Next: in}
	next := &result.Next
	if next.Organization == "" {
		ids, err := n.store.OrganizationsAfter(ctx, in.After, 1)
		if err != nil {
			return result, err
		}
		if len(ids) == 0 {
			result.Done = true
			return result, nil
		}
		next.Organization = ids[0]
	}
	for range recountPages {
		step, err := n.recounts.RecountContributions(ctx, models.NexusRecount{
			OrganizationID: next.Organization, After: next.Transaction, Repair: true, Run: runOf(ctx),
		}, rules.CountNexus)
		if err != nil {
			return result, err
		}
		n.alarm(ctx, step.Differences)
		result.Counted, result.Differences = result.Counted+step.Counted, result.Differences+len(step.Differences)
		if next.Transaction = step.Next; step.Next == "" {
			break
		}
	}
	if next.Transaction != "" {
		return result, nil
	}
	differences, err := n.recounts.RecountCounters(ctx, runOf(ctx), next.Organization, true)
	if err != nil {
		return result, err
	}
	n.alarm(ctx, differences)
	result.Differences += len(differences)
	result.Next = RecountNexusInput{After: next.Organization}
	return result, nil
}

// alarm logs and counts every difference.
func (n *Nexus) alarm(ctx context.Context, differences []models.NexusDifference) {
	for _, d := range differences {
		n.log.ErrorContext(ctx, "nexus counted wrong, repaired", differenceAttributes(d)...)
		if n.repaired != nil {
			n.repaired(d.Kind)
		}
	}
}

func differenceAttributes(d models.NexusDifference) []any {
	attributes := []any{
		slog.String("kind", d.Kind), slog.String("organization_id", d.OrganizationID),
		slog.String("country_code", d.CountryCode),
		slog.String("state_code", d.StateCode), slog.String("day", d.Day.Format("2006-01-02")),
	}
	if d.TransactionID != nil {
		attributes = append(attributes, slog.String("transaction_id", *d.TransactionID))
	}
	return attributes
}

// Recount recounts the nexus of one organization outside of any workflow, and hands
// every difference to found.
func Recount(
	ctx context.Context, store RecountStore, organizationID string, repair bool,
	found func(models.NexusDifference),
) (counted int, err error) {
	after := ""
	for {
		step, err := store.RecountContributions(ctx, models.NexusRecount{
			OrganizationID: organizationID, After: after, Repair: repair, Run: models.StageRun{Attempt: 1},
		}, rules.CountNexus)
		if err != nil {
			return counted, err
		}
		counted += step.Counted
		for _, d := range step.Differences {
			found(d)
		}
		if after = step.Next; after == "" {
			break
		}
	}
	differences, err := store.RecountCounters(ctx, models.StageRun{Attempt: 1}, organizationID, repair)
	for _, d := range differences {
		found(d)
	}
	return counted, err
}
