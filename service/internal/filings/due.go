package filings

import (
	"context"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// ListDueFilings lists the filings of several organizations.
func (o *Operations) ListDueFilings(ctx context.Context, r contract.ListDueFilingsRequest) (contract.DueFilingList, error) {
	p := r.Params
	filter := models.DueFilter{
		Statuses: convert.Texts[models.FilingStatus](p.StatusIn), States: o.deps.Spellings(p.StateCode), Countries: p.CountryCode,
		OrganizationID: p.OrganizationID,
		From:           p.DueDateGte.Time, Until: p.DueDateLte.Time,
	}
	today := o.now().UTC().Truncate(24 * time.Hour)
	if from := p.DueDaysGte; from != nil && filter.From.Before(today.AddDate(0, 0, *from)) {
		filter.From = today.AddDate(0, 0, *from)
	}
	if until := p.DueDaysLte; until != nil && (filter.Until.IsZero() || filter.Until.After(today.AddDate(0, 0, *until))) {
		filter.Until = today.AddDate(0, 0, *until)
	}
	list, err := o.deps.Filings.ListDueFilings(ctx, call.Of(ctx).Visibility(), filter, convert.OrderOf(p.OrderBy),
		convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.DueFilingList{}, err
	}
	answer := contract.DueFilingList{
		Items: make([]contract.DueFiling, len(list.Items)), Counts: make([]contract.DueCount, len(list.Counts)),
		Total: list.Total, Page: p.Page, Size: p.Size, Pages: convert.Pages(list.Total, p.Size),
	}
	for i := range list.Items {
		answer.Items[i] = dueFiling(&list.Items[i])
	}
	for i, c := range list.Counts {
		answer.Counts[i] = contract.DueCount{
			DueDate: convert.DayOf(c.Due), Status: contract.FilingStatus(c.Status), Count: c.Count,
		}
	}
	return answer, nil
}

func dueFiling(f *models.DueFiling) contract.DueFiling {
	return contract.DueFiling{
		OrganizationID: f.OrganizationID, OrganizationName: f.OrganizationName, ID: f.ID, CountryCode: f.CountryCode,
		StateCode: f.StateCode, StateName: f.StateName, FilingCategory: string(f.FilingCategory),
		StartDate: convert.DayOf(f.StartDate), EndDate: convert.DayOf(f.EndDate),
		DueDate: convert.DayOf(*f.DueDate), Status: contract.FilingStatus(f.Status),
		Currency: f.Currency, Amount: f.AmountText(), UnresolvedTransactionCount: f.Unresolved.Transactions,
		AuthorityUnansweredSince: convert.OptionalInstant(f.Unanswered()),
		WaitsFor:                 convert.Optional(contract.DueFilingWaitsFor(f.WaitsFor())),
	}
}
