package filings

import (
	"cmp"
	"context"
	"strings"
	"time"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax/calendar"
	"levy/tax/money"
)

// CreateFiling creates a filing with the submitted status.
func (o *Operations) CreateFiling(ctx context.Context, r contract.CreateFilingRequest) (contract.Filing, error) {
	c := call.Of(ctx)
	b := &r.Body
	if faults := Faults(b, o.now()); faults != nil {
		return contract.Filing{}, &models.InvalidError{Faults: faults}
	}
	connection, err := o.connectionOf(ctx)
	if err != nil {
		return contract.Filing{}, err
	}
	f, err := call.RunInBackground(ctx, func(ctx context.Context) (models.Filing, error) {
		return o.deps.Filings.CreateFiling(ctx, c.Scope, c.Actor(), newFiling(b),
			func(f *models.Filing, registration models.Registration) error {
				o.connect(f, connection)
				return o.checkNewFiling(f, registration, b.StateCode, c.Actor())
			})
	})
	return convert.Answered(f, err, o.Answer)
}

// GetFiling reads a filing.
func (o *Operations) GetFiling(ctx context.Context, r contract.GetFilingRequest) (contract.Filing, error) {
	f, err := o.deps.Filings.Filing(ctx, call.Of(ctx).Scope, r.FilingID)
	if err == nil {
		f.ReturnRefusals, err = o.refusalsOf(ctx, &f, o.factsOf(ctx, f.ID))
	}
	return convert.Answered(f, err, o.Answer)
}

// ListFilings lists filings.
func (o *Operations) ListFilings(ctx context.Context, r contract.ListFilingsRequest) (contract.FilingList, error) {
	return o.listFilings(ctx, r.Params)
}

// ListRegistrationFilings lists the filings of a registration.
func (o *Operations) ListRegistrationFilings(
	ctx context.Context, r contract.ListRegistrationFilingsRequest,
) (contract.FilingList, error) {
	if _, err := o.deps.Registrations.Registration(ctx, call.Of(ctx).Scope, r.RegistrationID); err != nil {
		return contract.FilingList{}, err
	}
	params := contract.ListFilingsParams(r.Params)
	if params.RegistrationID != "" && params.RegistrationID != r.RegistrationID {
		return contract.FilingList{Items: []contract.Filing{}, Page: params.Page, Size: params.Size}, nil
	}
	params.RegistrationID = r.RegistrationID
	return o.listFilings(ctx, params)
}

func (o *Operations) listFilings(ctx context.Context, p contract.ListFilingsParams) (contract.FilingList, error) {
	filter := o.filter(&contract.ExportFilingsParams{
		StatusIn: p.StatusIn, StartDate: p.StartDate, EndDate: p.EndDate, DateFiledGte: p.DateFiledGte, DateFiledLte: p.DateFiledLte,
		DueDateLte: p.DueDateLte, StateCode: p.StateCode, CountryCode: p.CountryCode, FilingCategoryIn: p.FilingCategoryIn,
		RegistrationID: p.RegistrationID,
	})
	list, err := o.deps.Filings.ListFilings(ctx, call.Of(ctx).Scope, filter, convert.OrderOf(p.OrderBy), convert.PageOf(p.Page, p.Size))
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, o.Answer)
	return contract.FilingList(answer), err
}

func (o *Operations) filter(p *contract.ExportFilingsParams) models.FilingFilter {
	return models.FilingFilter{
		Statuses: convert.Texts[models.FilingStatus](p.StatusIn), StartsFrom: p.StartDate.Time, EndsBy: p.EndDate.Time,
		FiledFrom: p.DateFiledGte.Time, FiledBy: p.DateFiledLte.Time, DueBy: p.DueDateLte.Time,
		States: o.deps.Spellings(p.StateCode), Countries: p.CountryCode, Categories: p.FilingCategoryIn,
		RegistrationID: p.RegistrationID,
	}
}

// ApproveFiling claims the transactions of the period and submits the return.
func (o *Operations) ApproveFiling(ctx context.Context, r contract.ApproveFilingRequest) (contract.Filing, error) {
	approval, err := approvalOf(call.Of(ctx).Actor(), r.Body)
	if err != nil {
		return contract.Filing{}, err // the validator has already read it
	}
	refusals, err := o.refusalsOfID(ctx, r.FilingID)
	if err != nil {
		return contract.Filing{}, err
	}
	return o.updateFiling(ctx, r.FilingID, func(f *models.Filing) error {
		f.ReturnRefusals = refusals
		return f.Approve(approval, o.now().UTC())
	})
}

// approvalOf returns the approval that a caller submits. Errors: those of money.ParseTotal.
func approvalOf(by models.Actor, b contract.FilingApproval) (models.FilingApproval, error) {
	approval := models.FilingApproval{
		By:                approver(by, b.ApprovedBy),
		ExcludeUnresolved: b.ExcludeUnresolved, Attestation: strings.TrimSpace(b.Attestation),
	}
	if b.ExpectedAmount == "" {
		return approval, nil
	}
	expected, err := money.ParseTotal(b.ExpectedAmount)
	approval.Expected = &expected
	return approval, err
}

// approver returns the name of the approver: that of the signed-in person, or the one that the key states.
func approver(by models.Actor, stated string) string {
	if by.UserID != "" {
		return by.UserName
	}
	return cmp.Or(stated, by.APIKeyID)
}

// ListFilingHistory lists the events of a filing.
func (o *Operations) ListFilingHistory(
	ctx context.Context, r contract.ListFilingHistoryRequest,
) (contract.FilingHistory, error) {
	p := r.Params
	list, err := o.deps.Filings.FilingHistory(ctx, call.Of(ctx).Scope, r.FilingID, convert.PageOf(p.Page, p.Size))
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, filingEvent)
	return contract.FilingHistory(answer), err
}

// RetryFiling submits a return once more.
func (o *Operations) RetryFiling(ctx context.Context, r contract.RetryFilingRequest) (contract.Filing, error) {
	return o.updateFiling(ctx, r.FilingID, (*models.Filing).Retry)
}

// AmendFiling opens an amendment of a return that is FILED.
func (o *Operations) AmendFiling(ctx context.Context, r contract.AmendFilingRequest) (contract.Filing, error) {
	c := call.Of(ctx)
	var amounts models.EnteredAmounts
	for _, sent := range []struct {
		to   *money.Total
		text string
	}{
		{&amounts.Adjusted, r.Body.AmountAdjusted}, {&amounts.Penalties, r.Body.AmountPenalties},
		{&amounts.Fees, r.Body.AmountFees},
	} {
		var err error
		if *sent.to, err = money.ParseTotal(cmp.Or(sent.text, "0.00")); err != nil {
			return contract.Filing{}, err // the validator has already read it
		}
	}
	f, err := call.RunInBackground(ctx, func(ctx context.Context) (models.Filing, error) {
		return o.deps.Filings.AmendFiling(ctx, c.Scope, c.Actor(), r.FilingID, r.Body.Reason, amounts)
	})
	return convert.Answered(f, err, o.Answer)
}

// updateFiling changes a filing and returns the result.
func (o *Operations) updateFiling(
	ctx context.Context, id string, change func(*models.Filing) error,
) (contract.Filing, error) {
	c := call.Of(ctx)
	connection, err := o.connectionOf(ctx)
	if err != nil {
		return contract.Filing{}, err
	}
	f, err := call.RunInBackground(ctx, func(ctx context.Context) (models.Filing, error) {
		return o.deps.Filings.UpdateFiling(ctx, c.Scope, c.Actor(), id, func(f *models.Filing) error {
			o.connect(f, connection)
			return change(f)
		})
	})
	return convert.Answered(f, err, o.Answer)
}

// checkNewFiling checks a new filing against its registration and sets the fields that follow from it.
func (o *Operations) checkNewFiling(
	f *models.Filing, registration models.Registration, state string, actor models.Actor,
) error {
	if f.DateFiled != nil && calendar.DateOf(*f.DateFiled) > f.Today {
		return &models.InvalidError{Faults: []models.Fault{notInFuture("date_filed")}}
	}
	authority, known := o.deps.Law.Current().AuthorityNamed(f.CountryCode, state)
	if !known || authority.Country != registration.CountryCode || authority.State != registration.StateCode {
		return &models.InvalidError{Faults: mismatches(f.CountryCode == registration.CountryCode)}
	}
	if faults := o.deps.NameFaults(authority, convert.ValueOf(f.StateName)); faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	f.CountryCode, f.StateCode = registration.CountryCode, registration.StateCode
	if f.StateName == nil {
		f.StateName = &registration.StateName
	}
	period := calendar.Period{Start: calendar.DateOf(f.StartDate), End: calendar.DateOf(f.EndDate)}
	f.Currency, _ = rules.CurrencyOf(f.CountryCode, period.End)
	frequency, _ := rules.FrequencyOn(registration, period.Start)
	f.FilingFrequency = convert.Optional(string(frequency))
	f.DueDate, f.PrepaidShare = o.dueDay(f), rules.PrepaidShare(f.CountryCode, f.StateCode, f.FilingCategory)
	if f.Status != models.FilingFiled && registration.Status.Over() {
		return &models.RegistrationNotActiveError{CurrentStatus: registration.Status}
	}
	return beginFiling(f, actor, o)
}

// dueDay returns the due date by law; nil if the tax content does not have one.
func (o *Operations) dueDay(f *models.Filing) *time.Time {
	if f.FilingCategory != calendar.FilingRegular &&
		f.FilingCategory != calendar.FilingPrepayment {
		return nil
	}
	period := calendar.FilingPeriod{
		Period:   calendar.Period{Start: calendar.DateOf(f.StartDate), End: calendar.DateOf(f.EndDate)},
		Category: f.FilingCategory,
	}
	due, ok := o.deps.Law.Current().Calendar().DueIn(
		f.CountryCode, f.StateCode, calendar.FilingFrequency(convert.ValueOf(f.FilingFrequency)), period,
	)
	if !ok {
		return nil
	}
	day := due.Date.Time()
	return &day
}

// beginFiling moves a new filing to its status.
func beginFiling(f *models.Filing, actor models.Actor, s *Operations) error {
	now := s.now().UTC()
	switch f.Status {
	case models.FilingFiling:
		f.Status = models.FilingUnfiled
		return f.Approve(models.FilingApproval{By: actor.Name()}, now)
	case models.FilingFiled:
		day := calendar.Date(0)
		if f.DateFiled != nil {
			day = calendar.DateOf(*f.DateFiled)
		}
		f.File("", "", day, true, now)
		return f.CheckPeriodOver()
	case models.FilingUnfiled, models.FilingPaused, models.FilingIssue, models.FilingSkipped, models.FilingCancelled:
	}
	return nil
}
