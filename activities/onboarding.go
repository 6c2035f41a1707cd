package activities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"levy/internal/secret"
	"levy/models"
	"levy/tax"
)

// Onboarding holds the activities of the workflow Onboarding: one for each step,
// one for each undo, and those that end it.
type Onboarding struct {
	store     Onboardings
	operators Operators
	vault     Vault
	places    Places
	bank      BankCheck
	rules     models.OnboardingRules
	log       *slog.Logger
}

// NewOnboarding returns the activities of Onboarding.
func NewOnboarding(
	store Onboardings, operators Operators, vault Vault, places Places, bank BankCheck, rules models.OnboardingRules,
	log *slog.Logger,
) *Onboarding {
	return &Onboarding{store: store, operators: operators, vault: vault, places: places, bank: bank, rules: rules,
		log: log}
}

// StepResult is empty: what a step wrote is read from the record.
type StepResult struct{}

// CreateOrganization is step 1.
func (o *Onboarding) CreateOrganization(ctx context.Context, in models.StepSubmission) (StepResult, error) {
	return o.step(ctx, in)
}

// CreateAPIKey is step 2.
func (o *Onboarding) CreateAPIKey(ctx context.Context, in models.StepSubmission) (StepResult, error) {
	return o.step(ctx, in)
}

// SaveBusinessDetails is step 3.
func (o *Onboarding) SaveBusinessDetails(ctx context.Context, in models.StepSubmission) (StepResult, error) {
	return o.step(ctx, in)
}

// SaveBusinessAddress is step 4: it finds out where the address is.
func (o *Onboarding) SaveBusinessAddress(ctx context.Context, in models.StepSubmission) (StepResult, error) {
	return o.step(ctx, in)
}

// SaveBusinessInformation is step 5.
func (o *Onboarding) SaveBusinessInformation(ctx context.Context, in models.StepSubmission) (StepResult, error) {
	return o.step(ctx, in)
}

// SaveBusinessContact is step 6.
func (o *Onboarding) SaveBusinessContact(ctx context.Context, in models.StepSubmission) (StepResult, error) {
	return o.step(ctx, in)
}

// SaveBusinessOwners is step 7.
func (o *Onboarding) SaveBusinessOwners(ctx context.Context, in models.StepSubmission) (StepResult, error) {
	return o.step(ctx, in)
}

// SaveBankDetails is step 8: it has the account checked.
func (o *Onboarding) SaveBankDetails(ctx context.Context, in models.StepSubmission) (StepResult, error) {
	return o.step(ctx, in)
}

// step does a step and turns its errors into failures. Why the work did not succeed
// is noted on the record, where the partner can read it.
func (o *Onboarding) step(ctx context.Context, in models.StepSubmission) (StepResult, error) {
	own, cancel := ownDeadline(ctx)
	defer cancel()
	err := guarded(own, o.log, func(ctx context.Context) error { return o.complete(ctx, in) })
	if err == nil {
		return StepResult{}, nil
	}
	left := stepFailure(err, ofOnboarding, countDefect(ctx, err))
	if reason, ok := noted(err); ok {
		if err := o.store.NoteStepError(ctx, in.Scope(), in.Step, reason); err != nil {
			o.log.WarnContext(ctx, "error of a step not noted", "error", diagnosis(err))
		}
		o.log.WarnContext(ctx, "activity failed", failureAttributes(ctx, err, "organization_id", in.OrganizationID)...)
	}
	return StepResult{}, left
}

// Edits does steps without a workflow. It is a type of its own because every exported
// method of Onboarding is an activity.
type Edits struct{ steps *Onboarding }

// NewEdits returns the work of the steps of an onboarding.
func NewEdits(o *Onboarding) Edits { return Edits{o} }

// Complete does the work behind a step and writes what the step says together with
// its completion, once for a submission. Errors: those of Onboardings.CompleteStep,
// and *models.StepFailedError when the work failed for good.
func (e Edits) Complete(ctx context.Context, in models.StepSubmission) error {
	return e.steps.complete(ctx, in)
}

func (o *Onboarding) complete(ctx context.Context, in models.StepSubmission) error {
	work, err := o.work(ctx, in)
	if err != nil {
		return err
	}
	return o.store.CompleteStep(ctx, in, work)
}

// work opens the content of a step, which is sealed until here, and finds out what
// has to be known before it is written.
func (o *Onboarding) work(ctx context.Context, in models.StepSubmission) (models.StepWork, error) {
	var work models.StepWork
	if in.Step <= models.StepAPIKey {
		return work, nil
	}
	key, err := o.vault.Key(ctx, in.OrganizationID)
	if errors.Is(err, secret.ErrNoKey) {
		return work, o.inactive(ctx, in)
	}
	if err != nil {
		return work, err
	}
	plain, err := key.Open(models.StepContentField(in.Step), in.Content)
	if err != nil {
		return work, err
	}
	if err := json.Unmarshal(plain, &work.Content); err != nil {
		return work, fmt.Errorf("content of step %d: %w", in.Step, err)
	}
	return work, o.examine(ctx, in, &work, key)
}

// inactive says why an organization has no data key: its onboarding was undone.
func (o *Onboarding) inactive(ctx context.Context, in models.StepSubmission) error {
	found, err := o.store.Onboarding(ctx, in.Scope())
	if err != nil {
		return err
	}
	if !found.Status.Undone() {
		return secret.ErrNoKey
	}
	return &models.OnboardingInactiveError{Status: found.Status}
}

func (o *Onboarding) examine(
	ctx context.Context, in models.StepSubmission, work *models.StepWork, key *secret.DataKey,
) error {
	documents := work.Content.Documents
	if raw, ok := documents[models.DocumentDetails]; ok && in.Step == models.StepBusinessDetails {
		work.Details = &models.BusinessDetails{}
		if err := models.Document(raw, work.Details); err != nil {
			return err
		}
	}
	if raw, ok := documents[models.DocumentAddress]; ok {
		var address models.BusinessAddress
		if err := models.Document(raw, &address); err != nil {
			return err
		}
		asked := tax.DatedAddress{Address: address.Parts(), Day: in.Day}
		places, err := o.places.Locate(ctx, []tax.DatedAddress{asked})
		if err != nil {
			return err
		}
		place := places[asked]
		work.Place = &place
	}
	if in.Step == models.StepBankDetails {
		return o.checkBank(ctx, work.Content, key)
	}
	return nil
}

// checkBank has the numbers checked that came with the step.
func (o *Onboarding) checkBank(ctx context.Context, content models.StepContent, key *secret.DataKey) error {
	var account BankAccount
	for field, to := range map[string]*string{
		"routing_number": &account.RoutingNumber, "account_number": &account.AccountNumber,
	} {
		sealed, sent := content.Personal[field]
		if !sent {
			continue
		}
		plain, err := key.Open(field, sealed)
		if err != nil {
			return err
		}
		*to = string(plain)
	}
	if account == (BankAccount{}) {
		return nil
	}
	return o.bank(ctx, account)
}
