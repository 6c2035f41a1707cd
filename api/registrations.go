package api

import (
	"context"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// CreateRegistration asks for a registration, or records one that exists.
func (s *Server) CreateRegistration(
	ctx context.Context, r contract.CreateRegistrationRequest,
) (contract.Registration, error) {
	b := r.Body
	s.completeByScheme(&b)
	authority, faults := s.newRegistrationFaults(&b)
	if faults != nil {
		return contract.Registration{}, &models.InvalidError{Faults: faults}
	}
	if b.StateName != "" {
		authority.Name = b.StateName
	}
	return s.register(ctx, &b, authority)
}

// newRegistrationFaults finds the authority of a new registration, and what is wrong with the request.
func (s *Server) newRegistrationFaults(b *contract.RegistrationCreate) (tax.NamedAuthority, []models.Fault) {
	authority, known := s.deps.Law.Current().AuthorityNamed(b.CountryCode, b.StateCode)
	if known {
		return authority, append(s.deps.NameFaults(authority, b.StateName), registrationFaults(b, authority.Country, dateOf(s.now()))...)
	}
	unknown := unknownJurisdiction("state_code")
	unknown.Of = []string{"country_code", "registration_import_type"}
	return authority, append([]models.Fault{unknown}, registrationFaults(b, b.CountryCode, dateOf(s.now()))...)
}

// register writes a new registration without faults, if the authority taxes sales.
func (s *Server) register(
	ctx context.Context, b *contract.RegistrationCreate, authority tax.NamedAuthority,
) (contract.Registration, error) {
	call := callOf(ctx)
	if !s.deps.Law.Current().Taxes(authority, dateOf(s.now())) {
		return contract.Registration{}, problem.New(problem.CodeNoSalesTax, "There is no sales tax in "+authority.Name+
			", neither of the state nor of a place in it, so there is nobody to register with.")
	}
	reg := newRegistration(b, authority, s.now().UTC())
	if err := s.sealPasswords(ctx, &reg, b.PasswordPlainText, b.PasswordMetadataPlainText); err != nil {
		return contract.Registration{}, err
	}
	if err := s.deps.Registrations.CreateRegistration(ctx, call.scope, call.actor(), &reg); err != nil {
		return contract.Registration{}, err
	}
	s.coversChanged(ctx)
	return s.GetRegistration(ctx, contract.GetRegistrationRequest{RegistrationID: reg.ID})
}

// sealPasswords stores the passwords that are given, sealed.
func (s *Server) sealPasswords(ctx context.Context, reg *models.Registration, password, metadata string) error {
	if password == "" && metadata == "" {
		return nil
	}
	key, err := s.deps.Vault.KeyOrNew(ctx, callOf(ctx).scope.OrganizationID)
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
func (s *Server) GetRegistration(
	ctx context.Context, r contract.GetRegistrationRequest,
) (contract.Registration, error) {
	reg, err := s.deps.Registrations.Registration(ctx, callOf(ctx).scope, r.RegistrationID)
	return answered(reg, err, s.registrationAnswer)
}

// ListRegistrations lists registrations.
func (s *Server) ListRegistrations(
	ctx context.Context, r contract.ListRegistrationsRequest,
) (contract.RegistrationList, error) {
	p := r.Params
	filter := models.RegistrationFilter{
		Statuses:    texts[models.RegistrationStatus](p.StatusIn),
		States:      s.deps.Spellings(p.StateCode),
		Countries:   p.CountryCodeIn,
		Frequencies: texts[calendar.FilingFrequency](p.FilingFrequencyIn),
	}
	list, err := s.deps.Registrations.ListRegistrations(
		ctx, callOf(ctx).scope, filter, orderOf(p.OrderBy), pageOf(p.Page, p.Size),
	)
	answer, err := listAnswer(list, err, p.Page, p.Size, s.registrationAnswer)
	return contract.RegistrationList(answer), err
}

// Deregister begins the end of a registration.
func (s *Server) Deregister(ctx context.Context, r contract.DeregisterRequest) (contract.Registration, error) {
	call := callOf(ctx)
	reg, err := s.deps.Registrations.UpdateRegistration(ctx, call.scope, call.actor(), r.RegistrationID,
		func(reg *models.Registration) error { return deregister(reg, &r.Body, s.now().UTC()) })
	if err != nil {
		return contract.Registration{}, err
	}
	s.coversChanged(ctx)
	return s.registrationAnswer(reg), nil
}

// deregister begins the end of a registration, today unless another day was sent.
func deregister(reg *models.Registration, sent *contract.RegistrationDeregister, now time.Time) error {
	last := sent.DeregistrationDate.Time
	if last.IsZero() {
		last = calendar.DateOf(now).Time()
	}
	if reg.RegistrationDate != nil && last.Before(*reg.RegistrationDate) {
		return invalid(models.FieldMismatch, "deregistration_date",
			"deregistration_date must not be before registration_date.")
	}
	return reg.Deregister(last, optional(sent.Reason), now)
}

// coversChanged lets the next estimate know what registrations cover now.
func (s *Server) coversChanged(ctx context.Context) {
	afterCommit(ctx, func() { s.principals.forgetOrganization(callOf(ctx).scope.OrganizationID) })
}
