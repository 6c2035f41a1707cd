package onboarding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax/calendar"
)

// PutBusinessDetails submits step 3.
func (o *Operations) PutBusinessDetails(
	ctx context.Context, r contract.PutBusinessDetailsRequest,
) (contract.OrganizationDetails, error) {
	return o.detailsStep(ctx, models.StepBusinessDetails, r.Body, false)
}

// PutBusinessAddress submits step 4.
func (o *Operations) PutBusinessAddress(
	ctx context.Context, r contract.PutBusinessAddressRequest,
) (contract.OrganizationDetails, error) {
	return o.detailsStep(ctx, models.StepBusinessAddress, r.Body, false)
}

// PutBusinessInformation submits step 5.
func (o *Operations) PutBusinessInformation(
	ctx context.Context, r contract.PutBusinessInformationRequest,
) (contract.OrganizationDetails, error) {
	return o.detailsStep(ctx, models.StepBusinessInformation, r.Body, false)
}

// PutBusinessContact submits step 6.
func (o *Operations) PutBusinessContact(
	ctx context.Context, r contract.PutBusinessContactRequest,
) (contract.OrganizationDetails, error) {
	return o.detailsStep(ctx, models.StepBusinessContact, r.Body, r.Params.SaveBusinessContactAsCompanyOwner)
}

// PutBusinessOwners submits step 7.
func (o *Operations) PutBusinessOwners(
	ctx context.Context, r contract.PutBusinessOwnersRequest,
) (contract.OrganizationDetails, error) {
	return o.detailsStep(ctx, models.StepBusinessOwners, r.Body, false)
}

// PutBankDetails submits step 8, the last one.
func (o *Operations) PutBankDetails(ctx context.Context, r contract.PutBankDetailsRequest) (contract.BankDetails, error) {
	if err := o.step(ctx, models.StepBankDetails, r.Body, false); err != nil {
		return contract.BankDetails{}, err
	}
	answer, err := o.bankAnswer(ctx, true)
	return answer, call.UnknownAfterWrite(err)
}

func (o *Operations) detailsStep(
	ctx context.Context, step int, body contract.Patch, contactIsOwner bool,
) (contract.OrganizationDetails, error) {
	if err := o.step(ctx, step, body, contactIsOwner); err != nil {
		return contract.OrganizationDetails{}, err
	}
	call.AfterCommit(ctx, func() { o.principals.ForgetOrganization(call.Of(ctx).Scope.OrganizationID) })
	answer, err := o.detailsAnswer(ctx, step == models.StepBusinessDetails || step == models.StepBusinessAddress)
	return answer, call.UnknownAfterWrite(err)
}

// step merges a request into the stored data and submits the step: to the workflow until the onboarding is completed,
// directly after that.
func (o *Operations) step(ctx context.Context, step int, body contract.Patch, contactIsOwner bool) error {
	c := call.Of(ctx)
	release, err := o.steps.Acquire(ctx, c.Scope.OrganizationID)
	if err != nil {
		return err
	}
	defer release()
	err = models.ErrChangedMeanwhile
	for n := 0; n < convert.MaxChangeAttempts && errors.Is(err, models.ErrChangedMeanwhile); n++ {
		var onboarding models.Onboarding
		if onboarding, err = o.deps.Onboardings.Onboarding(ctx, c.Scope); err != nil {
			return err
		}
		// A refusal by the record is reported at once, and the step checks it again. Faults of the request come
		// before the order of the steps.
		if onboarding.Status.Undone() || c.IsLink() && onboarding.Status == models.OnboardingCompleted {
			return &models.OnboardingInactiveError{Status: onboarding.Status}
		}
		sub := c.Submission(c.Scope.OrganizationID, step)
		sub.Recorded, sub.Day = onboarding.Completed, calendar.DateOf(o.now().UTC())
		if sub.Content, err = o.content(ctx, c.Scope, step, body, contactIsOwner); err != nil {
			return err
		}
		if step > onboarding.Completed+1 {
			return &models.StepOrderError{Next: onboarding.Completed + 1}
		}
		if onboarding.Status == models.OnboardingCompleted {
			err = o.deps.Edits.Complete(ctx, sub)
		} else {
			err = o.deps.Steps.Submit(ctx, onboarding, sub)
		}
	}
	return err
}

// content returns the data that a step will write, sealed. From here to the database only the organization's data key
// can open it.
func (o *Operations) content(
	ctx context.Context, scope models.Scope, step int, body contract.Patch, contactIsOwner bool,
) ([]byte, error) {
	from, err := o.StepRecords(ctx, scope, step, contactIsOwner)
	if err != nil {
		return nil, err
	}
	key, err := o.deps.Vault.KeyOrNew(ctx, scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	content, err := rules.DraftStep(step, body, from, contactIsOwner, key)
	if err != nil {
		return nil, err
	}
	plain, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("content of step %d: %w", step, err)
	}
	return key.Seal(models.StepContentField(step), plain), nil
}

// StepRecords reads the records that a step changes.
func (o *Operations) StepRecords(
	ctx context.Context, scope models.Scope, step int, contactIsOwner bool,
) (from models.StepRecords, err error) {
	if step == models.StepBankDetails {
		bank, err := o.deps.Onboardings.BankDetails(ctx, scope)
		if err == nil {
			from.Bank = &bank
		} else if !errors.Is(err, models.ErrNotFound) {
			return from, err
		}
		return from, nil
	}
	if from.Details, err = o.deps.Onboardings.OrganizationDetails(ctx, scope); err != nil {
		return from, err
	}
	if contactIsOwner {
		from.Sealed, err = o.deps.Onboardings.SealedPersonal(ctx, scope, "business_contact_")
	}
	return from, err
}
