package registrations

import (
	"context"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
)

// CreateRegistration requests a registration, or records an existing one.
func (o *Operations) CreateRegistration(
	ctx context.Context, r contract.CreateRegistrationRequest,
) (contract.Registration, error) {
	b := r.Body
	o.CompleteByScheme(&b)
	authority, faults := o.NewRegistrationFaults(&b)
	if faults != nil {
		return contract.Registration{}, &models.InvalidError{Faults: faults}
	}
	if b.RegistrationImportType == contract.RegistrationImportTypeOSS && b.OssType == "" {
		home := homeOf(call.Of(ctx).Seller().Business)
		b.OssType = contract.OssType(models.OneStopShopScheme(home, o.now()))
	}
	if b.StateName != "" {
		authority.Name = b.StateName
	}
	return o.register(ctx, &b, authority)
}

// NewRegistrationFaults returns the authority of a new registration and the faults of the request.
func (o *Operations) NewRegistrationFaults(b *contract.RegistrationCreate) (tax.NamedAuthority, []models.Fault) {
	authority, known := o.deps.Law.Current().AuthorityNamed(b.CountryCode, b.StateCode)
	if known {
		return authority, append(o.deps.NameFaults(authority, b.StateName), registrationFaults(b, authority.Country, convert.DateOf(o.now()))...)
	}
	unknown := convert.UnknownJurisdiction()
	unknown.Of = []string{"country_code", "registration_import_type"}
	return authority, append([]models.Fault{unknown}, registrationFaults(b, b.CountryCode, convert.DateOf(o.now()))...)
}

// register writes a new registration without faults if the authority has a sales tax.
func (o *Operations) register(
	ctx context.Context, b *contract.RegistrationCreate, authority tax.NamedAuthority,
) (contract.Registration, error) {
	c := call.Of(ctx)
	if !o.deps.Law.Current().Taxes(authority, convert.DateOf(o.now())) {
		return contract.Registration{}, problem.New(problem.CodeNoSalesTax, "There is no sales tax in "+authority.Name+
			", neither of the state nor of a place in it, so there is no authority to register with.")
	}
	reg := newRegistration(b, authority, o.now().UTC())
	if err := o.sealPasswords(ctx, &reg, b.PasswordPlainText, b.PasswordMetadataPlainText); err != nil {
		return contract.Registration{}, err
	}
	if err := o.deps.Registrations.CreateRegistration(ctx, c.Scope, c.Actor(), &reg); err != nil {
		return contract.Registration{}, err
	}
	o.coversChanged(ctx)
	return o.GetRegistration(ctx, contract.GetRegistrationRequest{RegistrationID: reg.ID})
}

// homeOf returns the country in which the business is established; "" if it is unknown.
func homeOf(business *models.Business) string {
	if business == nil {
		return ""
	}
	return business.Address.Country
}

// sealPasswords seals and stores the submitted passwords.
func (o *Operations) sealPasswords(ctx context.Context, reg *models.Registration, password, metadata string) error {
	if password == "" && metadata == "" {
		return nil
	}
	key, err := o.deps.Vault.KeyOrNew(ctx, call.Of(ctx).Scope.OrganizationID)
	if err != nil {
		return err
	}
	if password != "" {
		reg.Password = reg.SealPassword(key, password)
	}
	if metadata != "" {
		reg.PasswordMetadata = reg.SealPasswordMetadata(key, metadata)
	}
	return nil
}

// GetRegistration reads a registration.
func (o *Operations) GetRegistration(
	ctx context.Context, r contract.GetRegistrationRequest,
) (contract.Registration, error) {
	reg, err := o.deps.Registrations.Registration(ctx, call.Of(ctx).Scope, r.RegistrationID)
	return convert.Answered(reg, err, o.Answer)
}

// ListRegistrations lists registrations.
func (o *Operations) ListRegistrations(
	ctx context.Context, r contract.ListRegistrationsRequest,
) (contract.RegistrationList, error) {
	p := r.Params
	filter := o.filter(&contract.ExportRegistrationsParams{
		StatusIn: p.StatusIn, StateCode: p.StateCode, CountryCodeIn: p.CountryCodeIn, FilingFrequencyIn: p.FilingFrequencyIn,
	})
	list, err := o.deps.Registrations.ListRegistrations(
		ctx, call.Of(ctx).Scope, filter, convert.OrderOf(p.OrderBy), convert.PageOf(p.Page, p.Size),
	)
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, o.Answer)
	return contract.RegistrationList(answer), err
}

func (o *Operations) filter(p *contract.ExportRegistrationsParams) models.RegistrationFilter {
	return models.RegistrationFilter{
		Statuses:    convert.Texts[models.RegistrationStatus](p.StatusIn),
		States:      o.deps.Spellings(p.StateCode),
		Countries:   p.CountryCodeIn,
		Frequencies: convert.Texts[calendar.FilingFrequency](p.FilingFrequencyIn),
	}
}

// Deregister begins the end of a registration.
func (o *Operations) Deregister(ctx context.Context, r contract.DeregisterRequest) (contract.Registration, error) {
	c := call.Of(ctx)
	reg, err := o.deps.Registrations.UpdateRegistration(ctx, c.Scope, c.Actor(), r.RegistrationID,
		func(reg *models.Registration) error { return Deregister(reg, &r.Body, o.now().UTC()) })
	if err != nil {
		return contract.Registration{}, err
	}
	o.coversChanged(ctx)
	return o.Answer(reg), nil
}

// Deregister sets the end of a registration: the submitted day, else today.
func Deregister(reg *models.Registration, sent *contract.RegistrationDeregister, now time.Time) error {
	last := sent.DeregistrationDate.Time
	if last.IsZero() {
		last = calendar.DateOf(now).Time()
	}
	if reg.RegistrationDate != nil && last.Before(*reg.RegistrationDate) {
		return problem.Invalid(models.FieldMismatch, "deregistration_date",
			"deregistration_date must not be before registration_date.")
	}
	return reg.Deregister(last, convert.Optional(sent.Reason), now)
}

// coversChanged drops cached principals, because they contain which authorities the registrations cover.
func (o *Operations) coversChanged(ctx context.Context) {
	call.AfterCommit(ctx, func() { o.principals.ForgetOrganization(call.Of(ctx).Scope.OrganizationID) })
}
