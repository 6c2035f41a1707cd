package nexus

import (
	"cmp"
	"context"
	"slices"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// CreatePhysicalNexus records a presence.
func (o *Operations) CreatePhysicalNexus(
	ctx context.Context, r contract.CreatePhysicalNexusRequest,
) (contract.PhysicalNexus, error) {
	c := call.Of(ctx)
	b := r.Body
	authority, known := o.deps.Law.Current().AuthorityNamed(b.CountryCode, b.StateCode)
	if !known {
		return contract.PhysicalNexus{}, &models.InvalidError{
			Faults: []models.Fault{convert.UnknownJurisdiction()},
		}
	}
	p := models.PhysicalNexus{
		ID: models.NewID(models.PrefixPhysicalNexus), CountryCode: authority.Country, StateCode: authority.State,
		StartDate: b.StartDate.Time, EndDate: convert.OptionalDay(b.EndDate), Category: string(b.Category),
		ExternalID: convert.Optional(b.ExternalID), Source: b.Source,
		Street1: convert.Optional(b.Street1), Street2: convert.Optional(b.Street2), City: convert.Optional(b.City),
		PostalCode: convert.Optional(b.PostalCode),
	}
	if err := o.deps.Nexus.CreatePhysicalNexus(ctx, c.Scope, c.Actor(), &p); err != nil {
		return contract.PhysicalNexus{}, err
	}
	return PhysicalAnswer(p), nil
}

// GetPhysicalNexus reads a presence.
func (o *Operations) GetPhysicalNexus(
	ctx context.Context, r contract.GetPhysicalNexusRequest,
) (contract.PhysicalNexus, error) {
	p, err := o.deps.Nexus.PhysicalNexus(ctx, call.Of(ctx).Scope, r.PhysicalNexusID)
	return convert.Answered(p, err, PhysicalAnswer)
}

// ListPhysicalNexus lists presences.
func (o *Operations) ListPhysicalNexus(
	ctx context.Context, r contract.ListPhysicalNexusRequest,
) (contract.PhysicalNexusList, error) {
	p := r.Params
	filter := o.physicalFilter(&contract.ExportPhysicalNexusParams{
		CountryCode: p.CountryCode, StateCode: p.StateCode, Category: p.Category,
	})
	list, err := o.deps.Nexus.ListPhysicalNexus(
		ctx, call.Of(ctx).Scope, filter, convert.OrderOf(p.OrderBy), convert.PageOf(p.Page, p.Size),
	)
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, PhysicalAnswer)
	return contract.PhysicalNexusList(answer), err
}

func (o *Operations) physicalFilter(p *contract.ExportPhysicalNexusParams) models.PhysicalNexusFilter {
	return models.PhysicalNexusFilter{
		Countries: p.CountryCode, States: o.deps.Spellings(p.StateCode), Category: string(p.Category),
	}
}

// ListPhysicalNexusCategories lists the categories of presence.
func (o *Operations) ListPhysicalNexusCategories(
	ctx context.Context, r contract.ListPhysicalNexusCategoriesRequest,
) (contract.PhysicalNexusCategoryList, error) {
	filter := models.PhysicalNexusFilter{States: o.deps.Spellings(r.Params.StateCode)}
	if r.Params.CountryCode != "" {
		filter.Countries = []string{r.Params.CountryCode}
	}
	assigned, err := o.deps.Nexus.PhysicalNexusCategories(ctx, call.Of(ctx).Scope, filter)
	if err != nil {
		return contract.PhysicalNexusCategoryList{}, err
	}
	answer := contract.PhysicalNexusCategoryList{Items: slices.Clone(physicalNexusCategories), Page: 1, Pages: 1}
	for i := range answer.Items {
		answer.Items[i].IsCategoryAssigned = slices.Contains(assigned, string(answer.Items[i].Name))
	}
	answer.Total, answer.Size = int64(len(answer.Items)), len(answer.Items)
	return answer, nil
}

// UpdatePhysicalNexus changes the submitted fields of a presence.
func (o *Operations) UpdatePhysicalNexus(
	ctx context.Context, r contract.UpdatePhysicalNexusRequest,
) (contract.PhysicalNexus, error) {
	c := call.Of(ctx)
	p, err := o.deps.Nexus.UpdatePhysicalNexus(ctx, c.Scope, c.Actor(), r.PhysicalNexusID,
		func(p *models.PhysicalNexus) error {
			return o.ChangePhysicalNexus(p, &r.Body)
		})
	return convert.Answered(p, err, PhysicalAnswer)
}

// ChangePhysicalNexus applies the submitted fields. Errors: *models.InvalidError.
func (o *Operations) ChangePhysicalNexus(p *models.PhysicalNexus, sent *contract.PhysicalNexusUpdate) error {
	faults := o.movedFaults(p, sent)
	if !sent.StartDate.IsZero() {
		p.StartDate = sent.StartDate.Time
	}
	path := "start_date"
	if sent.EndDate.IsSpecified() {
		path = "end_date"
	}
	convert.ChangeDay(&p.EndDate, sent.EndDate)
	if p.EndDate != nil && p.EndDate.Before(p.StartDate) {
		faults = append(faults, models.Fault{
			Code: models.FieldMismatch, Path: path, Message: "end_date must not be before start_date.",
			Of: []string{"start_date", "end_date"},
		})
	}
	if faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	if sent.Category != "" {
		p.Category = string(sent.Category)
	}
	convert.ChangeOptional(&p.ExternalID, convert.KeepOptional(sent.ExternalID, p.ExternalID))
	convert.ChangeOptional(&p.Street1, sent.Street1)
	convert.ChangeOptional(&p.Street2, sent.Street2)
	convert.ChangeOptional(&p.City, sent.City)
	convert.ChangeOptional(&p.PostalCode, sent.PostalCode)
	return nil
}

// movedFaults returns a fault for another jurisdiction than that of the presence. The request may name the state
// by code or name.
func (o *Operations) movedFaults(p *models.PhysicalNexus, sent *contract.PhysicalNexusUpdate) (faults []models.Fault) {
	fixed := func(field string) {
		faults = append(faults, models.Fault{
			Code: models.FieldNotAllowed, Path: field, Message: field + " cannot be changed.",
		})
	}
	country, state := cmp.Or(sent.CountryCode, p.CountryCode), cmp.Or(sent.StateCode, p.StateCode)
	at, _ := o.deps.Law.Current().AuthorityNamed(country, state)
	if at.Country == p.CountryCode && at.State == p.StateCode {
		return nil
	}
	if country != p.CountryCode {
		fixed("country_code")
	}
	if in, _ := o.deps.Law.Current().AuthorityNamed(p.CountryCode, state); in.State != p.StateCode {
		fixed("state_code")
	}
	return faults
}

// DeletePhysicalNexus deletes a presence and returns it.
func (o *Operations) DeletePhysicalNexus(
	ctx context.Context, r contract.DeletePhysicalNexusRequest,
) (contract.PhysicalNexus, error) {
	c := call.Of(ctx)
	p, err := o.deps.Nexus.DeletePhysicalNexus(ctx, c.Scope, c.Actor(), r.PhysicalNexusID)
	return convert.Answered(p, err, PhysicalAnswer)
}

// PhysicalAnswer returns a presence in the form of the contract.
func PhysicalAnswer(p models.PhysicalNexus) contract.PhysicalNexus {
	return contract.PhysicalNexus{
		ID: p.ID, OrganizationID: p.OrganizationID, CountryCode: p.CountryCode, StateCode: p.StateCode,
		StartDate: convert.DayOf(p.StartDate), EndDate: convert.OptionalDate(p.EndDate),
		Category:   contract.PhysicalNexusCategory(p.Category),
		ExternalID: p.ExternalID, Source: p.Source, Street1: p.Street1, Street2: p.Street2, City: p.City,
		PostalCode: p.PostalCode,
		CreatedAt:  convert.Instant(p.CreatedAt), UpdatedAt: convert.Instant(p.UpdatedAt),
	}
}
