package activities

import (
	"context"
	"log/slog"
	"time"

	"levy/models"
)

// ExemptionRecords expires the exemptions whose last day has passed.
type ExemptionRecords interface {
	// ExpireExemptions sets a bounded number of ACTIVE exemptions EXPIRED whose last
	// day lies before today, of organizations behind after in the order of their ids.
	ExpireExemptions(ctx context.Context, today time.Time, after string) (models.ExpiredExemptions, error)
}

// ExpiryInput says which day it is, and where to go on.
type ExpiryInput struct {
	Today string `json:"today"` // 2006-01-02
	After string `json:"after"` // organization; empty to begin with the first
}

// ExpiryResult says how many exemptions expired and where to go on.
type ExpiryResult struct {
	Expired int    `json:"expired"`
	Next    string `json:"next"`
	Done    bool   `json:"done"`
}

// Exemptions holds the activities of the workflow ExpireExemptions.
type Exemptions struct {
	store ExemptionRecords
	log   *slog.Logger
}

// NewExemptions returns the activities of ExpireExemptions.
func NewExemptions(store ExemptionRecords, log *slog.Logger) *Exemptions {
	return &Exemptions{store: store, log: log}
}

// ExpireEndedExemptions sets exemptions EXPIRED whose last day has passed. Exemptions that have expired already stay as
// they are.
func (e *Exemptions) ExpireEndedExemptions(ctx context.Context, in ExpiryInput) (ExpiryResult, error) {
	today, err := time.Parse(time.DateOnly, in.Today)
	if err != nil {
		return ExpiryResult{}, invalidInput("today is not a day")
	}
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	var batch models.ExpiredExemptions
	err = guarded(ctx, e.log, func(ctx context.Context) (err error) {
		batch, err = e.store.ExpireExemptions(ctx, today, in.After)
		return err
	})
	if err != nil {
		e.log.WarnContext(ctx, "exemptions not expired", failureAttributes(ctx, err)...)
		// Nothing here is bound to one record: whatever it is, it is retried.
		return ExpiryResult{}, failure(err, 0)
	}
	return ExpiryResult{Expired: batch.Expired, Next: batch.Next, Done: batch.Done}, nil
}
