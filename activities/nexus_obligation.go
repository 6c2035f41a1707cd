package activities

import (
	"context"
	"errors"

	"levy/models"
)

// ObligationStore queues transactions again whose liability an obligation changes.
type ObligationStore interface {
	// NexusObligation is the change that liabilities do not follow yet. Errors:
	// models.ErrNotFound when they all do.
	NexusObligation(ctx context.Context, ref models.NexusRef) (models.ObligationChange, error)
	// RequeueForObligation queues a bounded number of sales behind the cursor again.
	RequeueForObligation(
		ctx context.Context, run models.StageRun, c models.ObligationChange, after models.ObligationCursor,
	) (models.ObligationStep, error)
	// RequeueCalculated queues those that have been calculated since they were named.
	RequeueCalculated(
		ctx context.Context, run models.StageRun, ref models.NexusRef, versions []models.TransactionVersion,
	) (int, error)
	// ApplyObligation notes that liabilities follow the change.
	ApplyObligation(ctx context.Context, c models.ObligationChange) error
}

// FindObligationResult is the change to apply; none means that there is nothing to do.
type FindObligationResult struct {
	Change *models.ObligationChange `json:"change,omitempty"`
}

// RequeueForObligationInput says where to go on.
type RequeueForObligationInput struct {
	Change models.ObligationChange `json:"change"`
	After  models.ObligationCursor `json:"after"`
}

// RequeueCalculatedInput names what was being calculated.
type RequeueCalculatedInput struct {
	Nexus    models.NexusRef             `json:"nexus"`
	Versions []models.TransactionVersion `json:"versions"`
}

// RequeueCalculatedResult says how many of them were queued again.
type RequeueCalculatedResult struct {
	Requeued int `json:"requeued"`
}

// ApplyObligationResult is empty.
type ApplyObligationResult struct{}

// FindObligation reads what an obligation was and what it is now.
func (n *Nexus) FindObligation(ctx context.Context, ref models.NexusRef) (FindObligationResult, error) {
	var result FindObligationResult
	err := n.do(ctx, 1, func(ctx context.Context) error {
		change, err := n.obligations.NexusObligation(ctx, ref)
		if errors.Is(err, models.ErrNotFound) {
			return nil
		}
		result.Change = &change
		return err
	})
	return result, err
}

// RequeueForObligation queues sales again on whose day an obligation began or ended.
func (n *Nexus) RequeueForObligation(ctx context.Context, in RequeueForObligationInput) (models.ObligationStep, error) {
	var step models.ObligationStep
	err := n.do(ctx, 1, func(ctx context.Context) (err error) {
		step, err = n.obligations.RequeueForObligation(ctx, runOf(ctx), in.Change, in.After)
		return err
	})
	return step, err
}

// RequeueCalculated queues transactions again whose calculation may have read
// the obligation before it changed.
func (n *Nexus) RequeueCalculated(ctx context.Context, in RequeueCalculatedInput) (RequeueCalculatedResult, error) {
	var result RequeueCalculatedResult
	err := n.do(ctx, 1, func(ctx context.Context) (err error) {
		result.Requeued, err = n.obligations.RequeueCalculated(ctx, runOf(ctx), in.Nexus, in.Versions)
		return err
	})
	return result, err
}

// ApplyObligation notes that liabilities follow an obligation now.
func (n *Nexus) ApplyObligation(ctx context.Context, change models.ObligationChange) (ApplyObligationResult, error) {
	return ApplyObligationResult{}, n.do(ctx, 1, func(ctx context.Context) error {
		return n.obligations.ApplyObligation(ctx, change)
	})
}
