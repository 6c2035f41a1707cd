package api

import (
	"context"
	"encoding/hex"
	"time"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
)

// CreateExemption records an exemption.
func (s *Server) CreateExemption(
	ctx context.Context, r contract.CreateExemptionRequest,
) (contract.ExemptionRecord, error) {
	call := callOf(ctx)
	b := r.Body
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionType(b.ExemptionType),
		StartDate: b.StartDate.Time, EndDate: optionalDay(b.EndDate), CustomerID: optional(b.CustomerID),
		TransactionID: optional(b.TransactionID),
		CountryCode:   b.CountryCode, Jurisdiction: optional(b.Jurisdiction),
		Reseller: resellerByDefault(models.ExemptionType(b.ExemptionType)),
		FEIN:     optional(b.FEIN), SalesTaxID: optional(b.SalesTaxID), Status: models.ExemptionStatus(b.Status),
	}}
	if b.Reseller != nil {
		e.Reseller = *b.Reseller
	}
	if err := s.deps.Exemptions.CreateExemption(ctx, call.scope, call.actor(), &e); err != nil {
		return contract.ExemptionRecord{}, err
	}
	return exemptionAnswer(e), nil
}

func resellerByDefault(kind models.ExemptionType) bool { return kind == models.ExemptionWholesale }

// GetExemption reads an exemption.
func (s *Server) GetExemption(ctx context.Context, r contract.GetExemptionRequest) (contract.ExemptionRecord, error) {
	e, err := s.deps.Exemptions.Exemption(ctx, callOf(ctx).scope, r.ExemptionID)
	return answered(e, err, exemptionAnswer)
}

// ListExemptions lists exemptions.
func (s *Server) ListExemptions(ctx context.Context, r contract.ListExemptionsRequest) (contract.ExemptionList, error) {
	p := r.Params
	filter := models.ExemptionFilter{
		Text:          p.SearchQuery,
		Statuses:      texts[models.ExemptionStatus](p.StatusIn),
		Countries:     p.CountryCode,
		Jurisdiction:  p.Jurisdiction,
		StartsFrom:    p.StartDate.Time,
		EndsBy:        p.EndDate.Time,
		CustomerID:    p.CustomerID,
		TransactionID: p.TransactionID,
	}
	order := orderOf(p.OrderBy)
	for i := range order {
		if order[i].Column == "FEIN" {
			order[i].Column = "fein"
		}
	}
	page, err := pageAfter(ctx, p.After, filter, order, pageOf(p.Page, p.Size))
	if err != nil {
		return contract.ExemptionList{}, err
	}
	list, err := s.deps.Exemptions.ListExemptions(ctx, callOf(ctx).scope, filter, order, page.Page)
	answer, err := cursorAnswer(list, err, page, exemptionAnswer)
	return contract.ExemptionList(answer), err
}

// UpdateExemption changes the fields that were sent.
func (s *Server) UpdateExemption(
	ctx context.Context, r contract.UpdateExemptionRequest,
) (contract.ExemptionRecord, error) {
	call := callOf(ctx)
	e, err := s.deps.Exemptions.UpdateExemption(ctx, call.scope, call.actor(), r.ExemptionID,
		func(e *models.Exemption) error {
			return changeExemption(e, &r.Body, s.now(), s.deps.KnownJurisdiction)
		})
	return answered(e, err, exemptionAnswer)
}

// changeExemption applies what was sent. An exemption that has expired comes back
// by itself with a last day that has not passed.
func changeExemption(
	e *models.Exemption, sent *contract.ExemptionUpdate, now time.Time, known func(country, state string) bool,
) error {
	if !sent.StartDate.IsZero() {
		e.StartDate = sent.StartDate.Time
	}
	changeDay(&e.EndDate, sent.EndDate)
	country, jurisdiction := e.CountryCode, e.Jurisdiction
	change(&e.CountryCode, sent.CountryCode, "US")
	changeOptional(&e.Jurisdiction, sent.Jurisdiction)
	faults := exemptionUpdateFaults(e, sent)
	if code := valueOf(e.Jurisdiction); (e.CountryCode != country || code != valueOf(jurisdiction)) &&
		!validate.IsJurisdictionCode(known, e.CountryCode, code) {
		faults = append(faults, models.Fault{
			Code: models.FieldInvalidEnum, Path: "jurisdiction", Message: validate.MessageJurisdictionCode,
			Of: []string{"country_code"},
		})
	}
	if faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	change(&e.Reseller, sent.Reseller, resellerByDefault(e.ExemptionType))
	changeOptional(&e.FEIN, sent.FEIN)
	changeOptional(&e.SalesTaxID, sent.SalesTaxID)
	to := contract.ExemptionStatus(e.Status)
	change(&to, sent.Status, contract.ExemptionStatusACTIVE)
	if to == contract.ExemptionStatusEXPIRED && sent.EndDate.IsSpecified() && !e.Over(now) {
		to = contract.ExemptionStatusACTIVE
	}
	return e.Transition(models.ExemptionStatus(to), now)
}

// exemptionUpdateFaults are those that only the stored exemption reveals. EXPIRED is set
// by the service alone: repeated it asks for nothing.
func exemptionUpdateFaults(e *models.Exemption, sent *contract.ExemptionUpdate) []models.Fault {
	var faults []models.Fault
	if e.EndDate != nil && e.EndDate.Before(e.StartDate) {
		faults = append(faults, models.Fault{
			Code: models.FieldMismatch, Path: later(sent),
			Message: "end_date must not be before start_date.",
			Of:      []string{"start_date", "end_date"},
		})
	}
	if sent.Status[true] == contract.ExemptionStatusEXPIRED && e.Status != models.ExemptionExpired {
		faults = append(faults, models.Fault{
			Code: models.FieldNotAllowed, Path: "status",
			Message: "This value is set by the service only.",
		})
	}
	return faults
}

// later names the date of the request that does not fit the stored one.
func later(sent *contract.ExemptionUpdate) string {
	if sent.EndDate.IsSpecified() {
		return "end_date"
	}
	return "start_date"
}

func exemptionAnswer(e models.ExemptionRecord) contract.ExemptionRecord {
	return contract.ExemptionRecord{
		ID:             e.ID,
		OrganizationID: e.OrganizationID,
		ExemptionType:  contract.ExemptionType(e.ExemptionType),
		StartDate:      dayOf(e.StartDate),
		EndDate:        optionalDate(e.EndDate),
		CustomerID:     e.CustomerID,
		TransactionID:  e.TransactionID,
		CountryCode:    e.CountryCode,
		Jurisdiction:   e.Jurisdiction,
		Reseller:       e.Reseller,
		FEIN:           e.FEIN,
		SalesTaxID:     e.SalesTaxID,
		Status:         contract.ExemptionStatus(e.Status),
		CustomerName:   e.CustomerName,
		Attachments:    convertAll(e.Attachments, attachmentAnswer),
		CreatedAt:      instant(e.CreatedAt),
		UpdatedAt:      optionalInstant(e.UpdatedAt),
	}
}

func attachmentAnswer(a models.Attachment) contract.ExemptionAttachment {
	return contract.ExemptionAttachment{
		ID: a.ID, Filename: a.Filename, ContentType: a.ContentType, Size: a.Size,
		Sha256: hex.EncodeToString(a.SHA256), CreatedAt: instant(a.CreatedAt),
	}
}
