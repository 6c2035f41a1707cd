package api

import (
	"context"

	"levy/models"
	"levy/models/report"
)

// Reports are the reports of filings.
type Reports interface {
	// FilingExists reports whether there is such a filing. Errors: models.ErrNotFound.
	FilingExists(ctx context.Context, scope models.Scope, id string) error
	// ReadReport reads a report as it stands at one moment: its head, then its
	// transactions in the order of their ids, no more than limit, or all when that is 0;
	// with their taxes by jurisdiction when asked for. What the two functions get is valid
	// until they return, and their errors end it. Errors: models.ErrNotFound.
	ReadReport(ctx context.Context, scope models.Scope, filingID string, limit int, taxes bool,
		head func(*report.Head) error, each func(*report.Transaction) error) error
	// VerifyReport recomputes a report from what is stored now. The verdict is nil before
	// FILED. Errors: models.ErrNotFound.
	VerifyReport(ctx context.Context, scope models.Scope, filingID string) (*report.Head, *report.Verdict, error)
}
