package catalog

import (
	"context"
	"encoding/hex"
	"time"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// CreateExemption records an exemption.
func (o *Operations) CreateExemption(
	ctx context.Context, r contract.CreateExemptionRequest,
) (contract.ExemptionRecord, error) {
	c := call.Of(ctx)
	b := r.Body
	if faults := ExemptionFaults(ctx, o.now(), &b); faults != nil {
		return contract.ExemptionRecord{}, &models.InvalidError{Faults: faults}
	}
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionType(b.ExemptionType),
		StartDate: b.StartDate.Time, EndDate: convert.OptionalDay(b.EndDate), CustomerID: convert.Optional(b.CustomerID),
		TransactionID: convert.Optional(b.TransactionID),
		CountryCode:   b.CountryCode, Jurisdiction: convert.Optional(b.Jurisdiction),
		Reseller: resellerByDefault(models.ExemptionType(b.ExemptionType)),
		FEIN:     convert.Optional(b.FEIN), SalesTaxID: convert.Optional(b.SalesTaxID), Status: models.ExemptionStatus(b.Status),
		ExemptionCategory: convert.Optional(string(b.ExemptionCategory)),
	}}
	if b.Reseller != nil {
		e.Reseller = *b.Reseller
	}
	if err := o.deps.Exemptions.CreateExemption(ctx, c.Scope, c.Actor(), &e); err != nil {
		return contract.ExemptionRecord{}, err
	}
	return ExemptionAnswer(e), nil
}

func resellerByDefault(kind models.ExemptionType) bool { return kind == models.ExemptionWholesale }

// GetExemption reads an exemption.
func (o *Operations) GetExemption(ctx context.Context, r contract.GetExemptionRequest) (contract.ExemptionRecord, error) {
	e, err := o.deps.Exemptions.Exemption(ctx, call.Of(ctx).Scope, r.ExemptionID)
	return convert.Answered(e, err, ExemptionAnswer)
}

// ListExemptions lists exemptions.
func (o *Operations) ListExemptions(ctx context.Context, r contract.ListExemptionsRequest) (contract.ExemptionList, error) {
	p := r.Params
	filter, order := exemptionFilter(&contract.ExportExemptionsParams{
		SearchQuery: p.SearchQuery, StatusIn: p.StatusIn, CountryCode: p.CountryCode, Jurisdiction: p.Jurisdiction,
		StartDate: p.StartDate, EndDate: p.EndDate, CustomerID: p.CustomerID, TransactionID: p.TransactionID,
		ExemptionCategoryIn: p.ExemptionCategoryIn, OrderBy: p.OrderBy,
	})
	page, err := convert.PageAfter(ctx, p.After, filter, order, convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.ExemptionList{}, err
	}
	list, err := o.deps.Exemptions.ListExemptions(ctx, call.Of(ctx).Scope, filter, order, page.Page)
	answer, err := convert.CursorAnswer(list, err, page, ExemptionAnswer)
	return contract.ExemptionList(answer), err
}

// exemptionFilter returns the filter and the order of a list of exemptions.
func exemptionFilter(p *contract.ExportExemptionsParams) (models.ExemptionFilter, []models.Order) {
	filter := models.ExemptionFilter{
		Text:          p.SearchQuery,
		Statuses:      convert.Texts[models.ExemptionStatus](p.StatusIn),
		Countries:     p.CountryCode,
		Jurisdiction:  p.Jurisdiction,
		StartsFrom:    p.StartDate.Time,
		EndsBy:        p.EndDate.Time,
		CustomerID:    p.CustomerID,
		TransactionID: p.TransactionID,
		Categories:    p.ExemptionCategoryIn,
	}
	order := convert.OrderOf(p.OrderBy)
	for i := range order {
		if order[i].Column == "FEIN" {
			order[i].Column = "fein"
		}
	}
	return filter, order
}

// UpdateExemption changes the submitted fields of an exemption.
func (o *Operations) UpdateExemption(
	ctx context.Context, r contract.UpdateExemptionRequest,
) (contract.ExemptionRecord, error) {
	c := call.Of(ctx)
	e, err := o.deps.Exemptions.UpdateExemption(ctx, c.Scope, c.Actor(), r.ExemptionID,
		func(e *models.Exemption) error {
			return ChangeExemption(e, &r.Body, o.now(), o.deps.KnownJurisdiction)
		})
	return convert.Answered(e, err, ExemptionAnswer)
}

// ChangeExemption applies the submitted fields. A new last day that has not passed makes an expired exemption valid
// again.
func ChangeExemption(
	e *models.Exemption, sent *contract.ExemptionUpdate, now time.Time, known func(country, state string) bool,
) error {
	if !sent.StartDate.IsZero() {
		e.StartDate = sent.StartDate.Time
	}
	convert.ChangeDay(&e.EndDate, sent.EndDate)
	country, jurisdiction := e.CountryCode, e.Jurisdiction
	convert.Change(&e.CountryCode, sent.CountryCode, "US")
	convert.ChangeOptional(&e.Jurisdiction, sent.Jurisdiction)
	faults := exemptionUpdateFaults(e, sent, now)
	if code := convert.ValueOf(e.Jurisdiction); (e.CountryCode != country || code != convert.ValueOf(jurisdiction)) &&
		!validate.IsJurisdictionCode(known, e.CountryCode, code) {
		faults = append(faults, models.Fault{
			Code: models.FieldInvalidEnum, Path: "jurisdiction", Message: validate.MessageJurisdictionCode,
			Of: []string{"country_code"},
		})
	}
	if faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	convert.Change(&e.Reseller, sent.Reseller, resellerByDefault(e.ExemptionType))
	category := (*contract.ExemptionCategory)(e.ExemptionCategory)
	convert.ChangeOptional(&category, sent.ExemptionCategory)
	e.ExemptionCategory = (*string)(category)
	convert.ChangeOptional(&e.FEIN, sent.FEIN)
	convert.ChangeOptional(&e.SalesTaxID, sent.SalesTaxID)
	to := contract.ExemptionStatus(e.Status)
	convert.Change(&to, sent.Status, contract.ExemptionStatusACTIVE)
	if to == contract.ExemptionStatusEXPIRED && sent.EndDate.IsSpecified() && !e.Over(now) {
		to = contract.ExemptionStatusACTIVE
	}
	return e.Transition(models.ExemptionStatus(to), now)
}

// exemptionUpdateFaults returns the faults that only the stored exemption reveals. A client may repeat EXPIRED, and
// submit it once the last day has passed.
func exemptionUpdateFaults(e *models.Exemption, sent *contract.ExemptionUpdate, now time.Time) []models.Fault {
	var faults []models.Fault
	if e.EndDate != nil && e.EndDate.Before(e.StartDate) {
		faults = append(faults, models.Fault{
			Code: models.FieldMismatch, Path: later(sent),
			Message: "end_date must not be before start_date.",
			Of:      []string{"start_date", "end_date"},
		})
	}
	if sent.Status[true] == contract.ExemptionStatusEXPIRED && e.Status != models.ExemptionExpired && !e.Over(now) {
		faults = append(faults, notOver)
	}
	return faults
}

// notOver is the fault of an exemption that is sent as expired before its last day has passed.
var notOver = models.Fault{
	Code: models.FieldNotAllowed, Path: "status",
	Message: "EXPIRED is set by the service, and may be sent only where end_date is past.",
}

// ExemptionFaults returns the faults of a new exemption that the contract's schema does not find.
func ExemptionFaults(_ context.Context, now time.Time, b *contract.ExemptionCreate) []models.Fault {
	e := models.Exemption{EndDate: convert.OptionalDay(b.EndDate)}
	// guard: clients: only an exemption that is over is sent as expired
	if b.Status == contract.ExemptionStatusEXPIRED && !e.Over(now) {
		return []models.Fault{notOver}
	}
	return nil
}

// later returns the submitted date that does not match the stored one.
func later(sent *contract.ExemptionUpdate) string {
	if sent.EndDate.IsSpecified() {
		return "end_date"
	}
	return "start_date"
}

// ExemptionAnswer returns an exemption in the form of the contract.
func ExemptionAnswer(e models.ExemptionRecord) contract.ExemptionRecord {
	return contract.ExemptionRecord{
		ID:             e.ID,
		OrganizationID: e.OrganizationID,
		ExemptionType:  contract.ExemptionType(e.ExemptionType),
		StartDate:      convert.DayOf(e.StartDate),
		EndDate:        convert.OptionalDate(e.EndDate),
		CustomerID:     e.CustomerID,
		TransactionID:  e.TransactionID,
		CountryCode:    e.CountryCode,
		Jurisdiction:   e.Jurisdiction,
		Reseller:       e.Reseller,
		FEIN:           e.FEIN,
		SalesTaxID:     e.SalesTaxID,
		Status:         contract.ExemptionStatus(e.Status),
		CustomerName:   e.CustomerName,
		Attachments:    convert.ConvertAll(e.Attachments, AttachmentAnswer),
		CreatedAt:      convert.Instant(e.CreatedAt),
		UpdatedAt:      convert.OptionalInstant(e.UpdatedAt),

		ExemptionCategory: (*contract.ExemptionCategory)(convert.Optional(e.Category())),
	}
}

// AttachmentAnswer returns a document of an exemption in the form of the contract.
func AttachmentAnswer(a models.Attachment) contract.ExemptionAttachment {
	return contract.ExemptionAttachment{
		ID: a.ID, Filename: a.Filename, ContentType: a.ContentType, Size: a.Size,
		Sha256: hex.EncodeToString(a.SHA256), CreatedAt: convert.Instant(a.CreatedAt),
	}
}
