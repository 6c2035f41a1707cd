package api

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"levy/contract"
	"levy/models"
)

// CreateOrganization makes a client of the root organization: step 1 of its
// onboarding.
func (s *Server) CreateOrganization(
	ctx context.Context, r contract.CreateOrganizationRequest,
) (contract.Organization, error) {
	call := callOf(ctx)
	id, made, err := s.organizationToMake(ctx)
	if err != nil {
		return contract.Organization{}, err
	}
	if made != nil {
		return organizationAnswer(*made), nil
	}
	holder, err := s.deps.Organizations.NameHolder(ctx, call.scope, r.Body.Name)
	if err != nil {
		return contract.Organization{}, err
	}
	if holder != "" && holder != id { // said at once; the step decides again
		return contract.Organization{}, &models.DuplicateError{Field: "name", ExistingID: holder}
	}
	externalID := cmp.Or(r.Body.ExternalID, id)
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
		return contract.Organization{}, err
	}
	o, err := s.deps.Organizations.Reachable(ctx, call.scope, id)
	if err != nil {
		return contract.Organization{}, unknownAfterWrite(err)
	}
	return organizationAnswer(o), nil
}

// organizationToMake is the id of the organization that the request makes. Of a request with an idempotency key it is
// the same in every repeat; made is the organization of an earlier one whose outcome did not reach its client. Made
// before the time for which the key is remembered, it is that of another request.
func (s *Server) organizationToMake(ctx context.Context) (id string, made *models.Organization, err error) {
	call := callOf(ctx)
	if call.claim == nil {
		return models.NewID(models.PrefixOrganization), nil, nil
	}
	id = call.claim.ID(models.PrefixOrganization)
	found, err := s.deps.Organizations.Reachable(ctx, call.scope, id)
	switch {
	case errors.Is(err, models.ErrNotFound):
		return id, nil, nil
	case err != nil:
		return "", nil, err
	case s.now().Sub(found.CreatedAt) > models.AnswersKept:
		return models.NewID(models.PrefixOrganization), nil, nil
	}
	return id, &found, nil
}

// GetOrganization reads the organization of the key, or for a key of a root
// organization one of its clients.
func (s *Server) GetOrganization(
	ctx context.Context, r contract.GetOrganizationRequest,
) (contract.Organization, error) {
	call := callOf(ctx)
	if call.class()&classRoot == 0 && r.OrganizationID != call.scope.OrganizationID {
		return contract.Organization{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.Reachable(ctx, call.scope, r.OrganizationID)
	return answered(o, err, organizationAnswer)
}

// ListOrganizations lists the root organization and its clients.
func (s *Server) ListOrganizations(
	ctx context.Context, r contract.ListOrganizationsRequest,
) (contract.OrganizationList, error) {
	p := r.Params
	filter := models.OrganizationFilter{
		Text:       p.Query,
		Statuses:   texts[models.OrganizationStatus](p.StatusIn),
		IsTest:     p.IsTest,
		Onboarding: texts[models.OnboardingStatus](p.OnboardingStatus),
	}
	list, err := s.deps.Organizations.ListOrganizations(
		ctx, callOf(ctx).scope, filter, orderOf(p.OrderBy), pageOf(p.Page, p.Size),
	)
	answer, err := listAnswer(list, err, p.Page, p.Size, organizationAnswer)
	return contract.OrganizationList(answer), err
}

// CheckOrganizationName says whether a client could be created under a name.
func (s *Server) CheckOrganizationName(
	ctx context.Context, r contract.CheckOrganizationNameRequest,
) (contract.OrganizationNameCheck, error) {
	name := r.Params.Name
	answer := contract.OrganizationNameCheck{Name: name}
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > maxOrganizationName {
		answer.Reason = optional("INVALID")
		return answer, nil
	}
	taken, err := s.deps.Organizations.NameTaken(ctx, callOf(ctx).scope, name)
	if err != nil {
		return contract.OrganizationNameCheck{}, err
	}
	if taken {
		answer.Reason = optional("DUPLICATE")
	}
	answer.IsValid = !taken
	return answer, nil
}

// maxOrganizationName is the length of a name in characters.
const maxOrganizationName = 200

// UpdateOrganization changes the root organization or one of its clients.
func (s *Server) UpdateOrganization(
	ctx context.Context, r contract.UpdateOrganizationRequest,
) (contract.Organization, error) {
	call := callOf(ctx)
	found, err := s.GetOrganization(ctx, contract.GetOrganizationRequest{OrganizationID: r.OrganizationID})
	if err != nil {
		return contract.Organization{}, err
	}
	o, err := s.deps.Organizations.UpdateOrganization(ctx, models.Scope{OrganizationID: found.ID}, call.actor(),
		func(o *models.Organization) error {
			if r.Body.Name != "" {
				o.Name = &r.Body.Name
			}
			change(&o.ExternalID, r.Body.ExternalID, o.ID)
			changeOptional(&o.Promo, r.Body.Promo)
			changeOptional(&o.EmailGroup, r.Body.EmailGroup)
			change(&o.DisableEmails, r.Body.DisableEmails, false)
			return nil
		})
	return answered(o, err, organizationAnswer)
}

// ArchiveOrganization ends a client of the root organization. If its onboarding
// is in progress, that is cancelled: undoing it archives the organization.
func (s *Server) ArchiveOrganization(ctx context.Context, r contract.ArchiveOrganizationRequest) error {
	call := callOf(ctx)
	found, err := s.GetOrganization(ctx, contract.GetOrganizationRequest(r))
	if err != nil {
		return err
	}
	if found.ID == call.principal.OrganizationID {
		return models.ErrForbidden
	}
	if err := s.archive(ctx, models.Scope{OrganizationID: found.ID}); err != nil {
		return err
	}
	afterCommit(ctx, func() { s.principals.forgetOrganization(found.ID) })
	return nil
}

func (s *Server) archive(ctx context.Context, scope models.Scope) error {
	const reason = "Archived by its partner."
	onboarding, err := s.deps.Onboardings.Onboarding(ctx, scope)
	if err != nil {
		return err
	}
	switch {
	case onboarding.Status.Undone():
		return nil // it is being archived
	case onboarding.Status == models.OnboardingInProgress:
		_, err = s.cancelOnboarding(ctx, scope, onboarding, reason)
		return err
	}
	return s.deps.Organizations.ArchiveOrganization(ctx, scope, callOf(ctx).actor(), reason)
}

// GetOrganizationSettings reads the settings of the organization itself.
func (s *Server) GetOrganizationSettings(
	ctx context.Context, r contract.GetOrganizationSettingsRequest,
) (contract.OrganizationSettings, error) {
	call := callOf(ctx)
	if r.OrganizationID != call.scope.OrganizationID {
		return contract.OrganizationSettings{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.Organization(ctx, call.scope)
	return answered(o.Settings, err, settingsAnswer)
}

// ChangeOrganizationSettings changes the settings that were sent. It counts for
// calculations from then on.
func (s *Server) ChangeOrganizationSettings(
	ctx context.Context, r contract.ChangeOrganizationSettingsRequest,
) (contract.Organization, error) {
	call := callOf(ctx)
	if r.OrganizationID != call.scope.OrganizationID {
		return contract.Organization{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.ChangeSettings(ctx, call.scope, call.actor(),
		func(settings *models.OrganizationSettings) {
			change(&settings.DisableOnboarding, r.Body.DisableOnboarding, settings.DisableOnboarding)
			change(
				&settings.PreferCollectedTaxAmounts, r.Body.PreferCollectedTaxAmounts,
				settings.PreferCollectedTaxAmounts,
			)
			change(&settings.RequireSecondPerson, r.Body.RequireSecondPerson, settings.RequireSecondPerson)
			changeOptional(&settings.EnableEURegistration, r.Body.EnableEuRegistration)
			changeOptional(&settings.EnableBusinessAddressFallback, r.Body.EnableBusinessAddressFallback)
		})
	if err != nil {
		return contract.Organization{}, err
	}
	afterCommit(ctx, func() { s.principals.forgetOrganization(o.ID) })
	return organizationAnswer(o), nil
}

func organizationAnswer(o models.Organization) contract.Organization {
	return contract.Organization{
		ID:                   o.ID,
		OrganizationID:       o.ID,
		ParentOrganizationID: o.ParentOrganizationID,
		ExternalID:           o.ExternalID,
		Name:                 o.Name,
		Source:               (*contract.OrganizationSource)(o.Source),
		Promo:                o.Promo,
		Status:               contract.OrganizationStatus(o.Status),
		IsTest:               o.IsTest,
		BillingPlan:          contract.BillingPlan(o.BillingPlan),
		DisableEmails:        o.DisableEmails,
		EmailGroup:           o.EmailGroup,
		InternalUse:          o.InternalUse,
		ArchivalReason:       o.ArchivalReason,
		ArchivedAt:           optionalInstant(o.ArchivedAt),
		ScheduledDeletion:    optionalDate(o.ScheduledDeletion),
		OnboardingStatus:     contract.OnboardingStatus(o.OnboardingStatus),
		Settings:             settingsAnswer(o.Settings),
		CreatedAt:            instant(o.CreatedAt),
		UpdatedAt:            instant(o.UpdatedAt),
	}
}

func settingsAnswer(s models.OrganizationSettings) contract.OrganizationSettings {
	return contract.OrganizationSettings{
		DisableOnboarding:             s.DisableOnboarding,
		RequireSecondPerson:           s.RequireSecondPerson,
		EnableEuRegistration:          s.EnableEURegistration,
		ProductCategoryVersion:        s.ProductCategoryVersion,
		OssScheme:                     (*contract.OssScheme)(s.OssScheme),
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
