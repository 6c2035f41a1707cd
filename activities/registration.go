package activities

import (
	"context"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"

	"levy/models"
	"levy/rules"
)

// Registration holds the activities of the workflow Registration.
type Registration struct {
	store       RegistrationRecords
	authorities Authorities
	log         *slog.Logger
}

// NewRegistration returns the activities of Registration.
func NewRegistration(store RegistrationRecords, authorities Authorities, log *slog.Logger) *Registration {
	return &Registration{store: store, authorities: authorities, log: log}
}

// RegistrationInput names a registration and what is handed over to its authority, and
// the moment by the clock of the workflow.
type RegistrationInput struct {
	OrganizationID string    `json:"organization_id"`
	RegistrationID string    `json:"registration_id"`
	Attempt        int       `json:"attempt,omitempty"`
	Now            time.Time `json:"now"`
}

func (in RegistrationInput) scope() models.Scope {
	return models.Scope{OrganizationID: in.OrganizationID}
}

// RefreshInput names a registration, with what the run remembers.
type RefreshInput struct {
	RegistrationInput
	Run rules.RegistrationRun `json:"run"`
}

// RefreshRegistration reads how a registration goes on.
func (r *Registration) RefreshRegistration(
	ctx context.Context, in RefreshInput,
) (snapshot rules.RegistrationSnapshot, err error) {
	info := activity.GetInfo(ctx)
	read := models.RegistrationRead{
		RegistrationID: in.RegistrationID, Reader: info.WorkflowExecution.RunID + "/" + info.ActivityID,
	}
	err = r.do(ctx, in.RegistrationInput, func(ctx context.Context) (err error) {
		snapshot, err = r.store.RefreshRegistration(ctx, in.scope(), read, in.Run, in.Now)
		return err
	})
	return snapshot, err
}

// CreateDefaultProducts gives the organization the default products that it lacks.
func (r *Registration) CreateDefaultProducts(ctx context.Context, in RegistrationInput) error {
	return r.do(ctx, in, func(ctx context.Context) error { return r.store.CreateDefaultProducts(ctx, in.scope()) })
}

// ProceedWithRegistration lets a registration go on whose organization is onboarded.
func (r *Registration) ProceedWithRegistration(ctx context.Context, in RegistrationInput) error {
	return r.do(ctx, in, func(ctx context.Context) error {
		return r.store.ProceedWithRegistration(ctx, in.scope(), in.RegistrationID, in.Now)
	})
}

// CancelLaterFilings cancels what is not to be filed under the registration any more.
func (r *Registration) CancelLaterFilings(ctx context.Context, in RegistrationInput) error {
	return r.do(ctx, in, func(ctx context.Context) error {
		return r.store.CancelLaterFilings(ctx, in.scope(), in.RegistrationID, in.Now)
	})
}

// CloseRegistration ends a registration whose filings are all over.
func (r *Registration) CloseRegistration(ctx context.Context, in RegistrationInput) error {
	return r.do(ctx, in, func(ctx context.Context) error {
		return r.store.CloseRegistration(ctx, in.scope(), in.attempt(), in.Now)
	})
}

// do works on the record.
func (r *Registration) do(ctx context.Context, in RegistrationInput, work func(context.Context) error) error {
	return r.work(ctx, in, false, work)
}

// ask talks to an authority: an outage is waited for, a defect is given up after
// MaxDefects.
func (r *Registration) ask(ctx context.Context, in RegistrationInput, work func(context.Context) error) error {
	return r.work(ctx, in, true, work)
}

func (r *Registration) work(
	ctx context.Context, in RegistrationInput, givesUp bool, work func(context.Context) error,
) error {
	if in.OrganizationID == "" || in.RegistrationID == "" || in.Now.IsZero() {
		return invalidInput("no registration given")
	}
	names := []any{"organization_id", in.OrganizationID, "registration_id", in.RegistrationID}
	return onRecord(ctx, r.log, record{of: ofRegistration, givesUp: givesUp, names: names}, work)
}
