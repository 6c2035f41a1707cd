package api

import (
	"context"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/api/openapi"
	"levy/models"
)

// CreateOrganization makes a client of the root organization: step 1 of its
// onboarding.
func (s *Server) CreateOrganization(ctx context.Context, r openapi.CreateOrganizationRequest) (openapi.Organization, error) {
	call := callOf(ctx)
	holder, err := s.deps.Organizations.NameHolder(ctx, call.scope, r.Body.Name)
	if err != nil {
		return openapi.Organization{}, err
	}
	if holder != "" { // said at once; the step decides again
		return openapi.Organization{}, &models.DuplicateError{Field: "name", ExistingID: holder}
	}
	id := models.NewID(models.PrefixOrganization)
	externalID := r.Body.ExternalID
	if externalID == "" {
		externalID = id
	}
	step := call.submission(id, models.StepOrganization)
	step.Organization = &models.OrganizationDraft{
		ParentID:      call.scope.OrganizationID,
		ExternalID:    externalID,
		Name:          r.Body.Name,
		Source:        string(r.Body.Source),
		Promo:         optional(r.Body.Promo),
		IsTest:        r.Body.IsTest == nil || *r.Body.IsTest,
		DisableEmails: r.Body.DisableEmails,
		EmailGroup:    optional(r.Body.EmailGroup),
	}
	unborn := models.Onboarding{OrganizationID: id, Status: models.OnboardingInProgress}
	if err := s.deps.Steps.Submit(ctx, unborn, step); err != nil {
		return openapi.Organization{}, err
	}
	o, err := s.deps.Organizations.Reachable(ctx, call.scope, id)
	if err != nil {
		return openapi.Organization{}, err
	}
	return organizationAnswer(o), nil
}

// GetOrganization reads the organization of the key, or for a key of a root
// organization one of its clients.
func (s *Server) GetOrganization(ctx context.Context, r openapi.GetOrganizationRequest) (openapi.Organization, error) {
	call := callOf(ctx)
	if call.class()&classRoot == 0 && r.OrganizationID != call.scope.OrganizationID {
		return openapi.Organization{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.Reachable(ctx, call.scope, r.OrganizationID)
	if err != nil {
		return openapi.Organization{}, err
	}
	return organizationAnswer(o), nil
}

// ListOrganizations lists the root organization and its clients.
func (s *Server) ListOrganizations(ctx context.Context, r openapi.ListOrganizationsRequest) (openapi.OrganizationList, error) {
	p := r.Params
	filter := models.OrganizationFilter{
		Text:     p.Query,
		Statuses: convertAll(p.StatusIn, func(s openapi.OrganizationStatus) models.OrganizationStatus { return models.OrganizationStatus(s) }),
		IsTest:   p.IsTest,
	}
	list, err := s.deps.Organizations.ListOrganizations(ctx, callOf(ctx).scope, filter, orderOf(p.OrderBy), pageOf(p.Page, p.Size))
	if err != nil {
		return openapi.OrganizationList{}, err
	}
	return openapi.OrganizationList{
		Items: convertAll(list.Items, organizationAnswer),
		Total: list.Total, Page: p.Page, Size: p.Size, Pages: pages(list.Total, p.Size),
	}, nil
}

func organizationAnswer(o models.Organization) openapi.Organization {
	answer := openapi.Organization{
		ID:                   o.ID,
		OrganizationID:       o.ID,
		ParentOrganizationID: o.ParentOrganizationID,
		ExternalID:           o.ExternalID,
		Name:                 o.Name,
		Source:               (*openapi.OrganizationSource)(o.Source),
		Promo:                o.Promo,
		Status:               openapi.OrganizationStatus(o.Status),
		IsTest:               o.IsTest,
		BillingPlan:          openapi.BillingPlan(o.BillingPlan),
		DisableEmails:        o.DisableEmails,
		EmailGroup:           o.EmailGroup,
		InternalUse:          o.InternalUse,
		ArchivalReason:       o.ArchivalReason,
		ArchivedAt:           optionalInstant(o.ArchivedAt),
		OnboardingStatus:     openapi.OnboardingStatus(o.OnboardingStatus),
		Settings:             settingsAnswer(o.Settings),
		CreatedAt:            instant(o.CreatedAt),
		UpdatedAt:            instant(o.UpdatedAt),
	}
	if o.ScheduledDeletion != nil {
		answer.ScheduledDeletion = &openapi_types.Date{Time: *o.ScheduledDeletion}
	}
	return answer
}

func settingsAnswer(s models.OrganizationSettings) openapi.OrganizationSettings {
	return openapi.OrganizationSettings{
		DisableOnboarding:             s.DisableOnboarding,
		EnableEuRegistration:          s.EnableEURegistration,
		ProductCategoryVersion:        s.ProductCategoryVersion,
		OssScheme:                     (*openapi.OssScheme)(s.OssScheme),
		EnableNewAutoFilingExperience: s.EnableNewAutoFilingExperience,
		EnableNewFilingUI:             s.EnableNewFilingUI,
		PreferCollectedTaxAmounts:     s.PreferCollectedTaxAmounts,
		SpecialTaxCircumstances:       s.SpecialTaxCircumstances,
		EnabledJurisdictions:          s.EnabledJurisdictions,
		DisableAiClassification:       s.DisableAIClassification,
		EnableBusinessAddressFallback: s.EnableBusinessAddressFallback,
		FilingLookbackPeriods:         s.FilingLookbackPeriods,
	}
}
