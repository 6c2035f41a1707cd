package api

import (
	"context"

	"github.com/govalues/decimal"

	"levy/contract"
	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// RateOverrides are the rates that organizations set themselves.
type RateOverrides interface {
	// CreateRateOverride sets a rate. Errors: *models.LimitError.
	CreateRateOverride(ctx context.Context, scope models.Scope, actor models.Actor, o *models.RateOverride) error
	// RateOverride reads one. Errors: models.ErrNotFound.
	RateOverride(ctx context.Context, scope models.Scope, id string) (models.RateOverride, error)
	// ListRateOverrides lists those that pass the filter.
	ListRateOverrides(ctx context.Context, scope models.Scope, f models.RateOverrideFilter, order []models.Order,
		page models.Page) (models.List[models.RateOverride], error)
	// DeleteRateOverride takes one back and returns it as it was. Errors: models.ErrNotFound.
	DeleteRateOverride(ctx context.Context, scope models.Scope, actor models.Actor, id string) (models.RateOverride, error)
}

// CreateRateOverride sets a rate.
func (s *Server) CreateRateOverride(
	ctx context.Context, r contract.CreateRateOverrideRequest,
) (contract.RateOverride, error) {
	call := callOf(ctx)
	b := r.Body
	j, faults := s.rateOverrideFaults(&b)
	if faults != nil {
		return contract.RateOverride{}, &models.InvalidError{Faults: faults}
	}
	o := models.RateOverride{
		ID: models.NewID(models.PrefixRateOverride), JurisdictionID: j.ID, CountryCode: j.Country, StateCode: j.State,
		JurisdictionType: string(j.Type), JurisdictionName: j.Name, TaxClass: string(b.TaxClass), Rate: b.Rate,
		StartDate: b.StartDate.Time, EndDate: optionalDay(b.EndDate), Reason: b.Reason, CreatedAt: s.now().UTC(),
	}
	if err := s.deps.RateOverrides.CreateRateOverride(ctx, call.scope, call.actor(), &o); err != nil {
		return contract.RateOverride{}, err
	}
	afterCommit(ctx, func() { s.principals.forgetOrganization(o.OrganizationID) })
	return rateOverrideAnswer(o), nil
}

// rateOverrideFaults finds the jurisdiction of a rate to be set, and what is wrong with the request.
func (s *Server) rateOverrideFaults(b *contract.RateOverrideCreate) (j tax.Jurisdiction, faults []models.Fault) {
	law := s.deps.Law.Current()
	j, known := law.JurisdictionNamed(
		b.CountryCode, b.StateCode, tax.JurisdictionType(b.JurisdictionType), b.JurisdictionName,
	)
	if !known || !law.Applies(j.ID) {
		faults = append(faults, models.Fault{
			Code: models.FieldInvalidEnum, Path: "jurisdiction_name",
			Message: "The tax content has no tax of such a jurisdiction: write it as the tax_items of an estimate do.",
			Of:      []string{"country_code", "state_code", "jurisdiction_type"},
		})
	}
	if b.Rate.IsNeg() || b.Rate.Cmp(decimal.One) > 0 {
		faults = append(faults, models.Fault{
			Code: models.FieldOutOfRange, Path: "rate",
			Message: "Must be a fraction from 0 to 1: 0.0825 is 8.25 %.",
		})
	}
	return j, faults
}

// GetRateOverride reads a rate that was set.
func (s *Server) GetRateOverride(
	ctx context.Context, r contract.GetRateOverrideRequest,
) (contract.RateOverride, error) {
	o, err := s.deps.RateOverrides.RateOverride(ctx, callOf(ctx).scope, r.RateOverrideID)
	return answered(o, err, rateOverrideAnswer)
}

// ListRateOverrides lists the rates that were set.
func (s *Server) ListRateOverrides(
	ctx context.Context, r contract.ListRateOverridesRequest,
) (contract.RateOverrideList, error) {
	p := r.Params
	list, err := s.deps.RateOverrides.ListRateOverrides(
		ctx, callOf(ctx).scope, models.RateOverrideFilter{Country: p.CountryCode, State: p.StateCode},
		orderOf(p.OrderBy), pageOf(p.Page, p.Size),
	)
	answer, err := listAnswer(list, err, p.Page, p.Size, rateOverrideAnswer)
	return contract.RateOverrideList(answer), err
}

// DeleteRateOverride takes a rate back and answers it as it was.
func (s *Server) DeleteRateOverride(
	ctx context.Context, r contract.DeleteRateOverrideRequest,
) (contract.RateOverride, error) {
	call := callOf(ctx)
	o, err := s.deps.RateOverrides.DeleteRateOverride(ctx, call.scope, call.actor(), r.RateOverrideID)
	if err != nil {
		return contract.RateOverride{}, err
	}
	afterCommit(ctx, func() { s.principals.forgetOrganization(o.OrganizationID) })
	return rateOverrideAnswer(o), nil
}

func rateOverrideAnswer(o models.RateOverride) contract.RateOverride {
	answer := contract.RateOverride{
		ID: o.ID, OrganizationID: o.OrganizationID, CountryCode: o.CountryCode, StateCode: o.StateCode,
		JurisdictionType: contract.JurisdictionType(o.JurisdictionType), JurisdictionName: o.JurisdictionName,
		Rate:      money.FormatRate(o.Rate),
		StartDate: dayOf(o.StartDate), EndDate: optionalDate(o.EndDate), Reason: o.Reason,
		CreatedAt: instant(o.CreatedAt),
	}
	if o.TaxClass != "" {
		class := contract.TaxClass(o.TaxClass)
		answer.TaxClass = &class
	}
	return answer
}
