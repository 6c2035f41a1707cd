package api

import (
	"cmp"
	"context"
	"time"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
	"levy/tax/money"
)

// CreateFiling writes a filing in the status that was sent.
func (s *Server) CreateFiling(ctx context.Context, r contract.CreateFilingRequest) (contract.Filing, error) {
	call := callOf(ctx)
	b := &r.Body
	if faults := filingFaults(b, dateOf(s.now())); faults != nil {
		return contract.Filing{}, &models.InvalidError{Faults: faults}
	}
	f, err := runDetached(ctx, func(ctx context.Context) (models.Filing, error) {
		return s.deps.Filings.CreateFiling(ctx, call.scope, call.actor(), newFiling(b),
			func(f *models.Filing, registration models.Registration) error {
				return s.checkNewFiling(f, registration, b.StateCode, call.actor())
			})
	})
	return answered(f, err, s.filingAnswer)
}

// GetFiling reads a filing.
func (s *Server) GetFiling(ctx context.Context, r contract.GetFilingRequest) (contract.Filing, error) {
	f, err := s.deps.Filings.Filing(ctx, callOf(ctx).scope, r.FilingID)
	return answered(f, err, s.filingAnswer)
}

// ListFilings lists filings.
func (s *Server) ListFilings(ctx context.Context, r contract.ListFilingsRequest) (contract.FilingList, error) {
	return s.listFilings(ctx, r.Params)
}

// ListRegistrationFilings lists the filings of a registration.
func (s *Server) ListRegistrationFilings(
	ctx context.Context, r contract.ListRegistrationFilingsRequest,
) (contract.FilingList, error) {
	if _, err := s.deps.Registrations.Registration(ctx, callOf(ctx).scope, r.RegistrationID); err != nil {
		return contract.FilingList{}, err
	}
	params := contract.ListFilingsParams(r.Params)
	if params.RegistrationID != "" && params.RegistrationID != r.RegistrationID {
		return contract.FilingList{Items: []contract.Filing{}, Page: params.Page, Size: params.Size}, nil
	}
	params.RegistrationID = r.RegistrationID
	return s.listFilings(ctx, params)
}

func (s *Server) listFilings(ctx context.Context, p contract.ListFilingsParams) (contract.FilingList, error) {
	filter := models.FilingFilter{
		Statuses: texts[models.FilingStatus](p.StatusIn), StartsFrom: p.StartDate.Time, EndsBy: p.EndDate.Time,
		FiledFrom: p.DateFiledGte.Time, FiledBy: p.DateFiledLte.Time, DueBy: p.DueDateLte.Time,
		States: s.deps.Spellings(p.StateCode), Countries: p.CountryCode, Categories: p.FilingCategoryIn,
		RegistrationID: p.RegistrationID,
	}
	list, err := s.deps.Filings.ListFilings(ctx, callOf(ctx).scope, filter, orderOf(p.OrderBy), pageOf(p.Page, p.Size))
	answer, err := listAnswer(list, err, p.Page, p.Size, s.filingAnswer)
	return contract.FilingList(answer), err
}

// ApproveFiling claims the transactions of the period and hands the return over.
func (s *Server) ApproveFiling(ctx context.Context, r contract.ApproveFilingRequest) (contract.Filing, error) {
	approval := models.FilingApproval{
		By:                approver(callOf(ctx).actor(), r.Body.ApprovedBy),
		ExcludeUnresolved: r.Body.ExcludeUnresolved,
	}
	if r.Body.ExpectedAmount != "" {
		expected, err := money.ParseTotal(r.Body.ExpectedAmount)
		if err != nil {
			return contract.Filing{}, err // the validator has read it
		}
		approval.Expected = &expected
	}
	return s.updateFiling(ctx, r.FilingID, func(f *models.Filing) error { return f.Approve(approval, s.now().UTC()) })
}

// approver is who approves: a person as who that is, a key as who it says.
func approver(by models.Actor, said string) string {
	if by.UserID != "" {
		return by.UserName
	}
	return cmp.Or(said, by.APIKeyID)
}

// ListFilingHistory lists what happened to a filing.
func (s *Server) ListFilingHistory(
	ctx context.Context, r contract.ListFilingHistoryRequest,
) (contract.FilingHistory, error) {
	p := r.Params
	list, err := s.deps.Filings.FilingHistory(ctx, callOf(ctx).scope, r.FilingID, pageOf(p.Page, p.Size))
	answer, err := listAnswer(list, err, p.Page, p.Size, filingEvent)
	return contract.FilingHistory(answer), err
}

// RetryFiling hands a return over once more.
func (s *Server) RetryFiling(ctx context.Context, r contract.RetryFilingRequest) (contract.Filing, error) {
	return s.updateFiling(ctx, r.FilingID, (*models.Filing).Retry)
}

// updateFiling changes a filing and answers with the result.
func (s *Server) updateFiling(
	ctx context.Context, id string, change func(*models.Filing) error,
) (contract.Filing, error) {
	call := callOf(ctx)
	f, err := runDetached(ctx, func(ctx context.Context) (models.Filing, error) {
		return s.deps.Filings.UpdateFiling(ctx, call.scope, call.actor(), id, change)
	})
	return answered(f, err, s.filingAnswer)
}

// checkNewFiling decides about a new filing, when its registration is known.
func (s *Server) checkNewFiling(
	f *models.Filing, registration models.Registration, state string, actor models.Actor,
) error {
	authority, known := s.deps.Law.Current().AuthorityNamed(f.CountryCode, state)
	if !known || authority.Country != registration.CountryCode || authority.State != registration.StateCode {
		return &models.InvalidError{Faults: mismatches(f.CountryCode == registration.CountryCode)}
	}
	if faults := s.deps.NameFaults(authority, valueOf(f.StateName)); faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	f.CountryCode, f.StateCode = registration.CountryCode, registration.StateCode
	if f.StateName == nil {
		f.StateName = &registration.StateName
	}
	period := calendar.Period{Start: calendar.DateOf(f.StartDate), End: calendar.DateOf(f.EndDate)}
	f.Currency, _ = rules.CurrencyOf(f.CountryCode, period.End)
	frequency, _ := rules.FrequencyOn(registration, period.Start)
	f.FilingFrequency = optional(string(frequency))
	f.DueDate = s.dueDay(f)
	if f.Status != models.FilingFiled && registration.Status.Over() {
		return &models.RegistrationNotActiveError{CurrentStatus: registration.Status}
	}
	return beginFiling(f, actor, s)
}

// dueDay is when a filing is due by law; nil where the tax content does not know.
func (s *Server) dueDay(f *models.Filing) *time.Time {
	if f.FilingCategory != calendar.FilingRegular &&
		f.FilingCategory != calendar.FilingPrepayment {
		return nil
	}
	period := calendar.FilingPeriod{
		Period:   calendar.Period{Start: calendar.DateOf(f.StartDate), End: calendar.DateOf(f.EndDate)},
		Category: f.FilingCategory,
	}
	due, ok := s.deps.Law.Current().Calendar().DueIn(
		f.CountryCode, f.StateCode, calendar.FilingFrequency(valueOf(f.FilingFrequency)), period,
	)
	if !ok {
		return nil
	}
	day := due.Date.Time()
	return &day
}

// beginFiling takes a new filing to its status.
func beginFiling(f *models.Filing, actor models.Actor, s *Server) error {
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
