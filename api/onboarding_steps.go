package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// PutBusinessDetails is step 3.
func (s *Server) PutBusinessDetails(
	ctx context.Context, r contract.PutBusinessDetailsRequest,
) (contract.OrganizationDetails, error) {
	return s.detailsStep(ctx, models.StepBusinessDetails, r.Body, false)
}

// PutBusinessAddress is step 4.
func (s *Server) PutBusinessAddress(
	ctx context.Context, r contract.PutBusinessAddressRequest,
) (contract.OrganizationDetails, error) {
	return s.detailsStep(ctx, models.StepBusinessAddress, r.Body, false)
}

// PutBusinessInformation is step 5.
func (s *Server) PutBusinessInformation(
	ctx context.Context, r contract.PutBusinessInformationRequest,
) (contract.OrganizationDetails, error) {
	return s.detailsStep(ctx, models.StepBusinessInformation, r.Body, false)
}

// PutBusinessContact is step 6.
func (s *Server) PutBusinessContact(
	ctx context.Context, r contract.PutBusinessContactRequest,
) (contract.OrganizationDetails, error) {
	return s.detailsStep(ctx, models.StepBusinessContact, r.Body, r.Params.SaveBusinessContactAsCompanyOwner)
}

// PutBusinessOwners is step 7.
func (s *Server) PutBusinessOwners(
	ctx context.Context, r contract.PutBusinessOwnersRequest,
) (contract.OrganizationDetails, error) {
	return s.detailsStep(ctx, models.StepBusinessOwners, r.Body, false)
}

// PutBankDetails is step 8, the last.
func (s *Server) PutBankDetails(ctx context.Context, r contract.PutBankDetailsRequest) (contract.BankDetails, error) {
	if err := s.step(ctx, models.StepBankDetails, r.Body, false); err != nil {
		return contract.BankDetails{}, err
	}
	answer, err := s.bankAnswer(ctx, true)
	return answer, unknownAfterWrite(err)
}

func (s *Server) detailsStep(
	ctx context.Context, step int, body contract.Patch, contactIsOwner bool,
) (contract.OrganizationDetails, error) {
	if err := s.step(ctx, step, body, contactIsOwner); err != nil {
		return contract.OrganizationDetails{}, err
	}
	afterCommit(ctx, func() { s.principals.forgetOrganization(callOf(ctx).scope.OrganizationID) })
	answer, err := s.detailsAnswer(ctx, step == models.StepBusinessDetails || step == models.StepBusinessAddress)
	return answer, unknownAfterWrite(err)
}

// maxChangeAttempts is how often a change is tried when another process changed what it is
// based on.
const maxChangeAttempts = 5

// step merges a request into what is stored and has the step done: by the workflow
// until the onboarding is completed, directly from then on.
func (s *Server) step(ctx context.Context, step int, body contract.Patch, contactIsOwner bool) error {
	call := callOf(ctx)
	release, err := s.steps.Acquire(ctx, call.scope.OrganizationID)
	if err != nil {
		return err
	}
	defer release()
	err = models.ErrChangedMeanwhile
	for n := 0; n < maxChangeAttempts && errors.Is(err, models.ErrChangedMeanwhile); n++ {
		var onboarding models.Onboarding
		if onboarding, err = s.deps.Onboardings.Onboarding(ctx, call.scope); err != nil {
			return err
		}
		// What the record refuses is said at once; the step decides again. A fault of the
		// request comes before the order of the steps.
		if onboarding.Status.Undone() || call.isLink() && onboarding.Status == models.OnboardingCompleted {
			return &models.OnboardingInactiveError{Status: onboarding.Status}
		}
		sub := call.submission(call.scope.OrganizationID, step)
		sub.Recorded, sub.Day = onboarding.Completed, calendar.DateOf(s.now().UTC())
		if sub.Content, err = s.content(ctx, call.scope, step, body, contactIsOwner); err != nil {
			return err
		}
		if step > onboarding.Completed+1 {
			return &models.StepOrderError{Next: onboarding.Completed + 1}
		}
		if onboarding.Status == models.OnboardingCompleted {
			err = s.deps.Edits.Complete(ctx, sub)
		} else {
			err = s.deps.Steps.Submit(ctx, onboarding, sub)
		}
	}
	return err
}

// content is what a step will write, sealed: from here to the database only whoever
// has the organization's data key can read it.
func (s *Server) content(
	ctx context.Context, scope models.Scope, step int, body contract.Patch, contactIsOwner bool,
) ([]byte, error) {
	from, err := s.stepRecords(ctx, scope, step, contactIsOwner)
	if err != nil {
		return nil, err
	}
	key, err := s.deps.Vault.KeyOrNew(ctx, scope.OrganizationID)
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

func (s *Server) stepRecords(
	ctx context.Context, scope models.Scope, step int, contactIsOwner bool,
) (from models.StepRecords, err error) {
	if step == models.StepBankDetails {
		bank, err := s.deps.Onboardings.BankDetails(ctx, scope)
		if err == nil {
			from.Bank = &bank
		} else if !errors.Is(err, models.ErrNotFound) {
			return from, err
		}
		return from, nil
	}
	if from.Details, err = s.deps.Onboardings.OrganizationDetails(ctx, scope); err != nil {
		return from, err
	}
	if contactIsOwner {
		from.Sealed, err = s.deps.Onboardings.SealedPersonal(ctx, scope, "business_contact_")
	}
	return from, err
}
