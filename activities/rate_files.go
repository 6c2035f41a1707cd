package activities

import (
	"context"
	"log/slog"

	"levy/models"
)

// PublishedRateFiles takes in the rate and boundary files that states publish.
type PublishedRateFiles interface {
	// States are those that have addresses.
	States(ctx context.Context) ([]string, error)
	// FetchRates fetches the files of a state, checks them and decides by the policy. Faults of the server and of
	// the files are in the result. They are noted for the operator, and the rates in force stay.
	FetchRates(ctx context.Context, state string) (models.FetchedRates, error)
}

// RateFiles holds the activities of the workflow FetchRateFiles.
type RateFiles struct {
	files PublishedRateFiles
	log   *slog.Logger
}

// NewRateFiles returns the activities of FetchRateFiles.
func NewRateFiles(files PublishedRateFiles, log *slog.Logger) *RateFiles {
	return &RateFiles{files: files, log: log}
}

// ListSourcesInput is empty.
type ListSourcesInput struct{}

// ListSourcesResult names the states that have addresses.
type ListSourcesResult struct {
	States []string `json:"states"`
}

// ListSources names the states whose files are fetched.
func (r *RateFiles) ListSources(ctx context.Context, _ ListSourcesInput) (ListSourcesResult, error) {
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	var result ListSourcesResult
	err := guarded(ctx, r.log, func(ctx context.Context) (err error) {
		result.States, err = r.files.States(ctx)
		return err
	})
	if err != nil {
		return result, failure(err, 0)
	}
	return result, nil
}

// FetchRatesInput names a state.
type FetchRatesInput struct {
	State string `json:"state"`
}

// FetchRates fetches the files of a state. Files that were taken in already change nothing.
func (r *RateFiles) FetchRates(ctx context.Context, in FetchRatesInput) (models.FetchedRates, error) {
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	defer sendHeartbeats(ctx)()
	var result models.FetchedRates
	err := guarded(ctx, r.log, func(ctx context.Context) (err error) {
		result, err = r.files.FetchRates(ctx, in.State)
		return err
	})
	if err != nil {
		r.log.WarnContext(ctx, "rate files not fetched", failureAttributes(ctx, err)...)
		return result, failure(err, 0)
	}
	return result, nil
}
