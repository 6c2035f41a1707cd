package onboarding

import (
	"context"
	"encoding/json"
	"fmt"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
)

// GetOrganizationDetails reads the details of the organization.
func (o *Operations) GetOrganizationDetails(
	ctx context.Context, _ contract.GetOrganizationDetailsRequest,
) (contract.OrganizationDetails, error) {
	return o.detailsAnswer(ctx, false)
}

// GetBankDetails reads the bank account of the organization.
func (o *Operations) GetBankDetails(ctx context.Context, _ contract.GetBankDetailsRequest) (contract.BankDetails, error) {
	return o.bankAnswer(ctx, false)
}

// detailsAnswer reads the details that a step has committed. warn adds warnings about the address.
func (o *Operations) detailsAnswer(ctx context.Context, warn bool) (contract.OrganizationDetails, error) {
	scope := call.Of(ctx).Scope
	var answer contract.OrganizationDetails
	d, err := o.deps.Onboardings.OrganizationDetails(ctx, scope)
	if err != nil {
		return answer, err
	}
	onboarding, err := o.deps.Onboardings.Onboarding(ctx, scope)
	if err != nil {
		return answer, err
	}
	documents, err := completedDocuments(d)
	if err != nil {
		return answer, err
	}
	for _, document := range documents { // their fields have the names of the answer
		if err := contract.Decode(document, &answer); err != nil {
			return answer, fmt.Errorf("answer of details: %w", err)
		}
	}
	answer.ID, answer.OrganizationID = d.ID, d.OrganizationID
	answer.AddressStatus = contract.AddressStatus(d.AddressStatus)
	answer.Onboarding = o.Answer(onboarding)
	answer.Warnings = []contract.Warning{}
	if warn && len(d.Place) > 0 {
		answer.Warnings = addressWarnings(tax.AddressStatus(d.AddressStatus))
	}
	answer.CreatedAt, answer.UpdatedAt = convert.Instant(d.CreatedAt), convert.Instant(d.UpdatedAt)
	return answer, nil
}

// completedDocuments returns the existing documents. It fills in addresses that are the same as another one.
func completedDocuments(d models.OrganizationDetails) ([][]byte, error) {
	var shown [][]byte
	for _, document := range [][]byte{d.BusinessDetails, d.BusinessAddress, d.BusinessContact, d.BusinessOwners} {
		if len(document) > 0 {
			shown = append(shown, document)
		}
	}
	if len(d.BusinessInformation) == 0 {
		return shown, nil
	}
	var company models.BusinessAddress
	var information models.BusinessInformation
	if err := models.Document(d.BusinessAddress, &company); err != nil {
		return nil, err
	}
	if err := models.Document(d.BusinessInformation, &information); err != nil {
		return nil, err
	}
	filled, err := json.Marshal(information.WithDefaults(company))
	return append(shown, filled), err
}

func addressWarnings(status tax.AddressStatus) []contract.Warning {
	if status == tax.StatusVerified || status == tax.StatusPartiallyVerified {
		return []contract.Warning{}
	}
	return []contract.Warning{{
		Code: contract.WarningCodeAddressUnverified, Location: problem.Location(models.InBody, "company_address_1"),
		Message: fmt.Sprintf("The address could not be verified: it is %s.", status),
	}}
}

// bankAnswer reads the account that a step has committed. warn adds warnings about it.
func (o *Operations) bankAnswer(ctx context.Context, warn bool) (contract.BankDetails, error) {
	scope := call.Of(ctx).Scope
	var answer contract.BankDetails
	b, err := o.deps.Onboardings.BankDetails(ctx, scope)
	if err != nil {
		return answer, err
	}
	onboarding, err := o.deps.Onboardings.Onboarding(ctx, scope)
	if err != nil {
		return answer, err
	}
	if err := contract.Decode(b.Details, &answer); err != nil {
		return answer, fmt.Errorf("answer of bank details: %w", err)
	}
	answer.ID, answer.OrganizationID = b.ID, b.OrganizationID
	answer.Onboarding = o.Answer(onboarding)
	answer.Warnings = []contract.Warning{}
	answer.CreatedAt, answer.UpdatedAt = convert.Instant(b.CreatedAt), convert.Instant(b.UpdatedAt)
	if warn {
		answer.Warnings, err = o.bankWarnings(ctx, scope, b)
	}
	return answer, err
}

func (o *Operations) bankWarnings(
	ctx context.Context, scope models.Scope, b models.BankDetails,
) ([]contract.Warning, error) {
	d, err := o.deps.Onboardings.OrganizationDetails(ctx, scope)
	if err != nil {
		return nil, err
	}
	var company models.BusinessAddress
	var bank models.Bank
	if err := models.Document(d.BusinessAddress, &company); err != nil {
		return nil, err
	}
	if err := models.Document(b.Details, &bank); err != nil {
		return nil, err
	}
	if rules.HolderMatches(bank, company) {
		return []contract.Warning{}, nil
	}
	return []contract.Warning{{
		Code:     contract.WarningCodeAccountHolderMismatch,
		Location: problem.Location(models.InBody, "account_holder_name"),
		Message:  "The account holder is not the business by its name.",
	}}, nil
}
