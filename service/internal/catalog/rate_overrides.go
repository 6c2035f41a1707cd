package catalog

import (
	"context"

	"github.com/govalues/decimal"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/money"
)

// CreateRateOverride creates a rate override.
func (s *Operations) CreateRateOverride(
	ctx context.Context, r contract.CreateRateOverrideRequest,
) (contract.RateOverride, error) {
	c := call.Of(ctx)
	b := r.Body
	j, faults := s.RateOverrideFaults(&b)
	if faults != nil {
		return contract.RateOverride{}, &models.InvalidError{Faults: faults}
	}
	o := models.RateOverride{
		ID: models.NewID(models.PrefixRateOverride), JurisdictionID: j.ID, CountryCode: j.Country, StateCode: j.State,
		JurisdictionType: string(j.Type), JurisdictionName: j.Name, TaxClass: string(b.TaxClass), Rate: b.Rate,
		StartDate: b.StartDate.Time, EndDate: convert.OptionalDay(b.EndDate), Reason: b.Reason, CreatedAt: s.now().UTC(),
	}
	if err := s.deps.RateOverrides.CreateRateOverride(ctx, c.Scope, c.Actor(), &o); err != nil {
		return contract.RateOverride{}, err
	}
	call.AfterCommit(ctx, func() { s.principals.ForgetOrganization(o.OrganizationID) })
	return rateOverrideAnswer(o), nil
}

// RateOverrideFaults returns the jurisdiction of a new rate override and the faults of the request.
func (o *Operations) RateOverrideFaults(b *contract.RateOverrideCreate) (j tax.Jurisdiction, faults []models.Fault) {
	law := o.deps.Law.Current()
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

// GetRateOverride reads a rate override.
func (s *Operations) GetRateOverride(
	ctx context.Context, r contract.GetRateOverrideRequest,
) (contract.RateOverride, error) {
	o, err := s.deps.RateOverrides.RateOverride(ctx, call.Of(ctx).Scope, r.RateOverrideID)
	return convert.Answered(o, err, rateOverrideAnswer)
}

// ListRateOverrides lists rate overrides.
func (o *Operations) ListRateOverrides(
	ctx context.Context, r contract.ListRateOverridesRequest,
) (contract.RateOverrideList, error) {
	p := r.Params
	list, err := o.deps.RateOverrides.ListRateOverrides(
		ctx, call.Of(ctx).Scope, models.RateOverrideFilter{Country: p.CountryCode, State: p.StateCode},
		convert.OrderOf(p.OrderBy), convert.PageOf(p.Page, p.Size),
	)
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, rateOverrideAnswer)
	return contract.RateOverrideList(answer), err
}

// DeleteRateOverride deletes a rate override and returns it.
func (s *Operations) DeleteRateOverride(
	ctx context.Context, r contract.DeleteRateOverrideRequest,
) (contract.RateOverride, error) {
	c := call.Of(ctx)
	o, err := s.deps.RateOverrides.DeleteRateOverride(ctx, c.Scope, c.Actor(), r.RateOverrideID)
	if err != nil {
		return contract.RateOverride{}, err
	}
	call.AfterCommit(ctx, func() { s.principals.ForgetOrganization(o.OrganizationID) })
	return rateOverrideAnswer(o), nil
}

func rateOverrideAnswer(o models.RateOverride) contract.RateOverride {
	answer := contract.RateOverride{
		ID: o.ID, OrganizationID: o.OrganizationID, CountryCode: o.CountryCode, StateCode: o.StateCode,
		JurisdictionType: contract.JurisdictionType(o.JurisdictionType), JurisdictionName: o.JurisdictionName,
		Rate:      money.FormatRate(o.Rate),
		StartDate: convert.DayOf(o.StartDate), EndDate: convert.OptionalDate(o.EndDate), Reason: o.Reason,
		CreatedAt: convert.Instant(o.CreatedAt),
	}
	if o.TaxClass != "" {
		class := contract.TaxClass(o.TaxClass)
		answer.TaxClass = &class
	}
	return answer
}
