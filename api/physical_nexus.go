package api

import (
	"cmp"
	"context"
	"slices"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
)

// CreatePhysicalNexus records a presence.
func (s *Server) CreatePhysicalNexus(
	ctx context.Context, r contract.CreatePhysicalNexusRequest,
) (contract.PhysicalNexus, error) {
	call := callOf(ctx)
	b := r.Body
	authority, known := s.deps.Law.Current().AuthorityNamed(b.CountryCode, b.StateCode)
	if !known {
		return contract.PhysicalNexus{}, &models.InvalidError{
			Faults: []models.Fault{unknownJurisdiction("state_code")},
		}
	}
	p := models.PhysicalNexus{
		ID: models.NewID(models.PrefixPhysicalNexus), CountryCode: authority.Country, StateCode: authority.State,
		StartDate: b.StartDate.Time, EndDate: optionalDay(b.EndDate), Category: string(b.Category),
		ExternalID: optional(b.ExternalID), Source: b.Source,
		Street1: optional(b.Street1), Street2: optional(b.Street2), City: optional(b.City),
		PostalCode: optional(b.PostalCode),
	}
	if err := s.deps.Nexus.CreatePhysicalNexus(ctx, call.scope, call.actor(), &p); err != nil {
		return contract.PhysicalNexus{}, err
	}
	return physicalNexusAnswer(p), nil
}

func unknownJurisdiction(path string) models.Fault {
	return models.Fault{Code: models.FieldInvalidEnum, Path: path, Message: validate.MessageJurisdiction}
}

// GetPhysicalNexus reads a presence.
func (s *Server) GetPhysicalNexus(
	ctx context.Context, r contract.GetPhysicalNexusRequest,
) (contract.PhysicalNexus, error) {
	p, err := s.deps.Nexus.PhysicalNexus(ctx, callOf(ctx).scope, r.PhysicalNexusID)
	return answered(p, err, physicalNexusAnswer)
}

// ListPhysicalNexus lists presences.
func (s *Server) ListPhysicalNexus(
	ctx context.Context, r contract.ListPhysicalNexusRequest,
) (contract.PhysicalNexusList, error) {
	p := r.Params
	filter := models.PhysicalNexusFilter{
		Countries: p.CountryCode, States: s.deps.Spellings(p.StateCode), Category: string(p.Category),
	}
	list, err := s.deps.Nexus.ListPhysicalNexus(
		ctx, callOf(ctx).scope, filter, orderOf(p.OrderBy), pageOf(p.Page, p.Size),
	)
	answer, err := listAnswer(list, err, p.Page, p.Size, physicalNexusAnswer)
	return contract.PhysicalNexusList(answer), err
}

// ListPhysicalNexusCategories lists the kinds of presence.
func (s *Server) ListPhysicalNexusCategories(
	ctx context.Context, r contract.ListPhysicalNexusCategoriesRequest,
) (contract.PhysicalNexusCategoryList, error) {
	filter := models.PhysicalNexusFilter{States: s.deps.Spellings(r.Params.StateCode)}
	if r.Params.CountryCode != "" {
		filter.Countries = []string{r.Params.CountryCode}
	}
	assigned, err := s.deps.Nexus.PhysicalNexusCategories(ctx, callOf(ctx).scope, filter)
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

// UpdatePhysicalNexus changes what was sent.
func (s *Server) UpdatePhysicalNexus(
	ctx context.Context, r contract.UpdatePhysicalNexusRequest,
) (contract.PhysicalNexus, error) {
	call := callOf(ctx)
	p, err := s.deps.Nexus.UpdatePhysicalNexus(ctx, call.scope, call.actor(), r.PhysicalNexusID,
		func(p *models.PhysicalNexus) error {
			return s.changePhysicalNexus(p, &r.Body)
		})
	return answered(p, err, physicalNexusAnswer)
}

func (s *Server) changePhysicalNexus(p *models.PhysicalNexus, sent *contract.PhysicalNexusUpdate) error {
	faults := s.movedFaults(p, sent)
	if !sent.StartDate.IsZero() {
		p.StartDate = sent.StartDate.Time
	}
	path := "start_date"
	if sent.EndDate.IsSpecified() {
		path = "end_date"
	}
	changeDay(&p.EndDate, sent.EndDate)
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
	changeOptional(&p.ExternalID, sent.ExternalID)
	changeOptional(&p.Street1, sent.Street1)
	changeOptional(&p.Street2, sent.Street2)
	changeOptional(&p.City, sent.City)
	changeOptional(&p.PostalCode, sent.PostalCode)
	return nil
}

// movedFaults refuses another jurisdiction than that of the presence. The state counts by its code or its name.
func (s *Server) movedFaults(p *models.PhysicalNexus, sent *contract.PhysicalNexusUpdate) (faults []models.Fault) {
	fixed := func(field string) {
		faults = append(faults, models.Fault{
			Code: models.FieldNotAllowed, Path: field, Message: field + " cannot be changed.",
		})
	}
	country, state := cmp.Or(sent.CountryCode, p.CountryCode), cmp.Or(sent.StateCode, p.StateCode)
	at, _ := s.deps.Law.Current().AuthorityNamed(country, state)
	if at.Country == p.CountryCode && at.State == p.StateCode {
		return nil
	}
	if country != p.CountryCode {
		fixed("country_code")
	}
	if in, _ := s.deps.Law.Current().AuthorityNamed(p.CountryCode, state); in.State != p.StateCode {
		fixed("state_code")
	}
	return faults
}

// DeletePhysicalNexus deletes a presence and answers it as it was.
func (s *Server) DeletePhysicalNexus(
	ctx context.Context, r contract.DeletePhysicalNexusRequest,
) (contract.PhysicalNexus, error) {
	call := callOf(ctx)
	p, err := s.deps.Nexus.DeletePhysicalNexus(ctx, call.scope, call.actor(), r.PhysicalNexusID)
	return answered(p, err, physicalNexusAnswer)
}

func physicalNexusAnswer(p models.PhysicalNexus) contract.PhysicalNexus {
	return contract.PhysicalNexus{
		ID: p.ID, OrganizationID: p.OrganizationID, CountryCode: p.CountryCode, StateCode: p.StateCode,
		StartDate: dayOf(p.StartDate), EndDate: optionalDate(p.EndDate),
		Category:   contract.PhysicalNexusCategory(p.Category),
		ExternalID: p.ExternalID, Source: p.Source, Street1: p.Street1, Street2: p.Street2, City: p.City,
		PostalCode: p.PostalCode,
		CreatedAt:  instant(p.CreatedAt), UpdatedAt: instant(p.UpdatedAt),
	}
}
