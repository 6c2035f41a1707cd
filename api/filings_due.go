package api

import (
	"context"
	"time"

	"levy/contract"
	"levy/models"
)

// ListDueFilings lists the filings of many organizations.
func (s *Server) ListDueFilings(ctx context.Context, r contract.ListDueFilingsRequest) (contract.DueFilingList, error) {
	p := r.Params
	filter := models.DueFilter{
		Statuses: texts[models.FilingStatus](p.StatusIn), States: s.deps.Spellings(p.StateCode), Countries: p.CountryCode,
		OrganizationID: p.OrganizationID,
		From:           p.DueDateGte.Time, Until: p.DueDateLte.Time,
	}
	today := s.now().UTC().Truncate(24 * time.Hour)
	if from := p.DueDaysGte; from != nil && filter.From.Before(today.AddDate(0, 0, *from)) {
		filter.From = today.AddDate(0, 0, *from)
	}
	if until := p.DueDaysLte; until != nil && (filter.Until.IsZero() || filter.Until.After(today.AddDate(0, 0, *until))) {
		filter.Until = today.AddDate(0, 0, *until)
	}
	list, err := s.deps.Filings.ListDueFilings(ctx, callOf(ctx).visibility(), filter, orderOf(p.OrderBy),
		pageOf(p.Page, p.Size))
	if err != nil {
		return contract.DueFilingList{}, err
	}
	answer := contract.DueFilingList{
		Items: make([]contract.DueFiling, len(list.Items)), Counts: make([]contract.DueCount, len(list.Counts)),
		Total: list.Total, Page: p.Page, Size: p.Size, Pages: pages(list.Total, p.Size),
	}
	for i := range list.Items {
		answer.Items[i] = dueFiling(&list.Items[i])
	}
	for i, c := range list.Counts {
		answer.Counts[i] = contract.DueCount{
			DueDate: dayOf(c.Due), Status: contract.FilingStatus(c.Status), Count: c.Count,
		}
	}
	return answer, nil
}

func dueFiling(f *models.DueFiling) contract.DueFiling {
	return contract.DueFiling{
		OrganizationID: f.OrganizationID, OrganizationName: f.OrganizationName, ID: f.ID, CountryCode: f.CountryCode,
		StateCode: f.StateCode, StateName: f.StateName, FilingCategory: string(f.FilingCategory),
		StartDate: dayOf(f.StartDate), EndDate: dayOf(f.EndDate),
		DueDate: dayOf(*f.DueDate), Status: contract.FilingStatus(f.Status),
		Currency: f.Currency, Amount: f.AmountText(), UnresolvedTransactionCount: f.Unresolved.Transactions,
		AuthorityUnansweredSince: optionalInstant(f.Unanswered()),
		WaitsFor:                 optional(contract.DueFilingWaitsFor(f.WaitsFor())),
	}
}
