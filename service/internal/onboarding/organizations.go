package onboarding

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// CreateOrganization creates a client of the root organization. This is step 1 of its onboarding.
func (s *Operations) CreateOrganization(
	ctx context.Context, r contract.CreateOrganizationRequest,
) (contract.Organization, error) {
	c := call.Of(ctx)
	id, created, err := s.organizationToCreate(ctx)
	if err != nil {
		return contract.Organization{}, err
	}
	if created != nil {
		return OrganizationAnswer(*created), nil
	}
	holder, err := s.deps.Organizations.NameHolder(ctx, c.Scope, r.Body.Name)
	if err != nil {
		return contract.Organization{}, err
	}
	if holder != "" && holder != id { // reported at once; the step checks it again
		return contract.Organization{}, &models.DuplicateError{Field: "name", ExistingID: holder}
	}
	externalID := cmp.Or(r.Body.ExternalID, id)
	step := c.Submission(id, models.StepOrganization)
	step.Organization = &models.OrganizationDraft{
		ParentID:      c.Scope.OrganizationID,
		ExternalID:    externalID,
		Name:          r.Body.Name,
		Source:        string(r.Body.Source),
		Promo:         convert.Optional(r.Body.Promo),
		IsTest:        r.Body.IsTest == nil || *r.Body.IsTest,
		DisableEmails: r.Body.DisableEmails,
		EmailGroup:    convert.Optional(r.Body.EmailGroup),
	}
	unborn := models.Onboarding{OrganizationID: id, Status: models.OnboardingInProgress}
	if err := s.deps.Steps.Submit(ctx, unborn, step); err != nil {
		return contract.Organization{}, err
	}
	o, err := s.deps.Organizations.Reachable(ctx, c.Scope, id)
	if err != nil {
		return contract.Organization{}, call.UnknownAfterWrite(err)
	}
	return OrganizationAnswer(o), nil
}

// organizationToCreate returns the id of the organization that the request creates. All repeats
// with one idempotency key have the same id. created is the organization that an earlier repeat created
// without reaching its client. An organization from before the lifetime of the key belongs to another request.
func (o *Operations) organizationToCreate(ctx context.Context) (id string, created *models.Organization, err error) {
	c := call.Of(ctx)
	if c.Claim == nil {
		return models.NewID(models.PrefixOrganization), nil, nil
	}
	id = c.Claim.ID(models.PrefixOrganization)
	found, err := o.deps.Organizations.Reachable(ctx, c.Scope, id)
	switch {
	case errors.Is(err, models.ErrNotFound):
		return id, nil, nil
	case err != nil:
		return "", nil, err
	case o.now().Sub(found.CreatedAt) > models.AnswersKept:
		return models.NewID(models.PrefixOrganization), nil, nil
	}
	return id, &found, nil
}

// GetOrganization reads the organization of the key. A key of a root organization also reads its clients.
func (s *Operations) GetOrganization(
	ctx context.Context, r contract.GetOrganizationRequest,
) (contract.Organization, error) {
	c := call.Of(ctx)
	if c.Class()&call.ClassRoot == 0 && r.OrganizationID != c.Scope.OrganizationID {
		return contract.Organization{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.Reachable(ctx, c.Scope, r.OrganizationID)
	return convert.Answered(o, err, OrganizationAnswer)
}

// ListOrganizations lists the root organization and its clients; for staff without an organization all organizations.
func (o *Operations) ListOrganizations(
	ctx context.Context, r contract.ListOrganizationsRequest,
) (contract.OrganizationList, error) {
	p := r.Params
	filter := organizationFilter(p.Query, p.StatusIn, p.IsTest, p.OnboardingStatus)
	list, err := o.deps.Organizations.ListOrganizations(
		ctx, call.Of(ctx).Scope, filter, convert.OrderOf(p.OrderBy), convert.PageOf(p.Page, p.Size),
	)
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, OrganizationAnswer)
	return contract.OrganizationList(answer), err
}

func organizationFilter(
	text string, statuses []contract.OrganizationStatus, isTest *bool, onboarding []contract.OnboardingStatus,
) models.OrganizationFilter {
	return models.OrganizationFilter{
		Text: text, Statuses: convert.Texts[models.OrganizationStatus](statuses), IsTest: isTest,
		Onboarding: convert.Texts[models.OnboardingStatus](onboarding),
	}
}

// organizationColumns are the columns of the list of organizations as a file.
var organizationColumns = output.Columns[contract.Organization](`
	id 'external_id 'name parent_organization_id source status is_test onboarding_status created_at updated_at archived_at
	'archival_reason`, nil)

// ExportOrganizations sends the list of organizations as a file.
func (o *Operations) ExportOrganizations(
	ctx context.Context, r contract.ExportOrganizationsRequest, out contract.Stream,
) error {
	p := r.Params
	filter := organizationFilter(p.Query, p.StatusIn, p.IsTest, p.OnboardingStatus)
	order, file := convert.OrderOf(p.OrderBy), output.ListFile{Name: "organizations", Format: p.Format}
	return output.ExportList(ctx, o.outputs, out, file, organizationColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.Organization], error) {
			list, err := o.deps.Organizations.ListOrganizations(ctx, call.Of(ctx).Scope, filter, order, page)
			return output.Answers(list, err, OrganizationAnswer)
		})
}

// CheckOrganizationName reports whether a client could be created under a name.
func (o *Operations) CheckOrganizationName(
	ctx context.Context, r contract.CheckOrganizationNameRequest,
) (contract.OrganizationNameCheck, error) {
	name := r.Params.Name
	answer := contract.OrganizationNameCheck{Name: name}
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > maxOrganizationName {
		answer.Reason = convert.Optional("INVALID")
		return answer, nil
	}
	taken, err := o.deps.Organizations.NameTaken(ctx, call.Of(ctx).Scope, name)
	if err != nil {
		return contract.OrganizationNameCheck{}, err
	}
	if taken {
		answer.Reason = convert.Optional("DUPLICATE")
	}
	answer.IsValid = !taken
	return answer, nil
}

// maxOrganizationName is the largest length of a name in characters.
const maxOrganizationName = 200

// UpdateOrganization changes the root organization or one of its clients.
func (s *Operations) UpdateOrganization(
	ctx context.Context, r contract.UpdateOrganizationRequest,
) (contract.Organization, error) {
	c := call.Of(ctx)
	scope, err := s.withinGrant(ctx, r.OrganizationID)
	if err != nil {
		return contract.Organization{}, err
	}
	o, err := s.deps.Organizations.UpdateOrganization(ctx, scope, c.Actor(),
		func(o *models.Organization) error {
			if r.Body.Name != "" {
				o.Name = &r.Body.Name
			}
			convert.Change(&o.ExternalID, convert.KeepOptional(r.Body.ExternalID, &o.ExternalID), o.ID)
			convert.ChangeOptional(&o.Promo, r.Body.Promo)
			convert.ChangeOptional(&o.EmailGroup, r.Body.EmailGroup)
			convert.Change(&o.DisableEmails, r.Body.DisableEmails, false)
			return nil
		})
	return convert.Answered(o, err, OrganizationAnswer)
}

// ArchiveOrganization archives a client of the root organization permanently. It cancels an onboarding
// in progress instead, because undoing that archives the organization.
func (o *Operations) ArchiveOrganization(ctx context.Context, r contract.ArchiveOrganizationRequest) error {
	c := call.Of(ctx)
	scope, err := o.withinGrant(ctx, r.OrganizationID)
	if err != nil {
		return err
	}
	if scope.OrganizationID == c.Principal.OrganizationID {
		return models.ErrForbidden
	}
	if err := o.archive(ctx, scope); err != nil {
		return err
	}
	call.AfterCommit(ctx, func() { o.principals.ForgetOrganization(scope.OrganizationID) })
	return nil
}

func (o *Operations) archive(ctx context.Context, scope models.Scope) error {
	const reason = "Archived by its partner."
	onboarding, err := o.deps.Onboardings.Onboarding(ctx, scope)
	if err != nil {
		return err
	}
	switch {
	case onboarding.Status.Undone():
		return nil // undoing its onboarding archives it
	case onboarding.Status == models.OnboardingInProgress:
		_, err = o.cancelOnboarding(ctx, scope, onboarding, reason)
		return err
	}
	return o.deps.Organizations.ArchiveOrganization(ctx, scope, call.Of(ctx).Actor(), reason)
}

// GetOrganizationSettings reads the settings of the organization.
func (s *Operations) GetOrganizationSettings(
	ctx context.Context, r contract.GetOrganizationSettingsRequest,
) (contract.OrganizationSettings, error) {
	c := call.Of(ctx)
	if r.OrganizationID != c.Scope.OrganizationID {
		return contract.OrganizationSettings{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.Organization(ctx, c.Scope)
	return convert.Answered(o.Settings, err, settingsAnswer)
}

// ChangeOrganizationSettings changes the submitted settings. They apply to later calculations.
func (s *Operations) ChangeOrganizationSettings(
	ctx context.Context, r contract.ChangeOrganizationSettingsRequest,
) (contract.Organization, error) {
	c := call.Of(ctx)
	if r.OrganizationID != c.Scope.OrganizationID {
		return contract.Organization{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.ChangeSettings(ctx, c.Scope, c.Actor(),
		func(settings *models.OrganizationSettings) {
			convert.Change(&settings.DisableOnboarding, r.Body.DisableOnboarding, settings.DisableOnboarding)
			convert.Change(
				&settings.PreferCollectedTaxAmounts, r.Body.PreferCollectedTaxAmounts,
				settings.PreferCollectedTaxAmounts,
			)
			unit := contract.RoundingUnit(settings.RoundingUnit)
			convert.Change(&unit, r.Body.TaxRounding, unit)
			settings.RoundingUnit = string(unit)
			convert.Change(&settings.RequireSecondPerson, r.Body.RequireSecondPerson, settings.RequireSecondPerson)
			if r.Body.RequireSecondPerson.IsSpecified() && settings.RequireSecondPerson { // no admin asks to end it any more
				settings.SecondPersonEndBy, settings.SecondPersonEndName, settings.SecondPersonEndAt = nil, nil, nil
			}
			convert.ChangeOptional(&settings.EnableEURegistration, r.Body.EnableEuRegistration)
			convert.ChangeOptional(&settings.EnableBusinessAddressFallback, r.Body.EnableBusinessAddressFallback)
			convert.ChangeOptional(&settings.SSTID, r.Body.SstID)
			convert.ChangeOptional(&settings.TimeZone, r.Body.TimeZone)
		})
	if err != nil {
		return contract.Organization{}, err
	}
	call.AfterCommit(ctx, func() { s.principals.ForgetOrganization(o.ID) })
	return OrganizationAnswer(o), nil
}

// OrganizationAnswer returns an organization in the form of the contract.
func OrganizationAnswer(o models.Organization) contract.Organization {
	grants := []contract.Grant{}
	if o.Grant != nil {
		grants = append(grants, grantAnswer(&o))
	}
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
		ArchivedAt:           convert.OptionalInstant(o.ArchivedAt),
		ScheduledDeletion:    convert.OptionalDate(o.ScheduledDeletion),
		OnboardingStatus:     contract.OnboardingStatus(o.OnboardingStatus),
		Settings:             settingsAnswer(o.Settings),
		Grants:               grants,
		CreatedAt:            convert.Instant(o.CreatedAt),
		UpdatedAt:            convert.Instant(o.UpdatedAt),
	}
}

func settingsAnswer(s models.OrganizationSettings) contract.OrganizationSettings {
	return contract.OrganizationSettings{
		DisableOnboarding:             s.DisableOnboarding,
		RequireSecondPerson:           s.RequireSecondPerson,
		SecondPersonEndRequestedBy:    s.SecondPersonEndName,
		SecondPersonEndRequestedAt:    convert.OptionalInstant(s.SecondPersonEndAt),
		EnableEuRegistration:          s.EnableEURegistration,
		ProductCategoryVersion:        s.ProductCategoryVersion,
		OssScheme:                     (*contract.OssScheme)(s.OssScheme),
		EnableNewAutoFilingExperience: s.EnableNewAutoFilingExperience,
		EnableNewFilingUI:             s.EnableNewFilingUI,
		PreferCollectedTaxAmounts:     s.PreferCollectedTaxAmounts,
		TaxRounding:                   contract.RoundingUnit(s.RoundingUnit),
		SpecialTaxCircumstances:       s.SpecialTaxCircumstances,
		EnabledJurisdictions:          s.EnabledJurisdictions,
		DisableAiClassification:       s.DisableAIClassification,
		EnableBusinessAddressFallback: s.EnableBusinessAddressFallback,
		SstID:                         s.SSTID,
		TimeZone:                      s.TimeZone,
		FilingLookbackPeriods:         s.FilingLookbackPeriods,
	}
}
