package filings

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"levy/contract"
	"levy/internal/csvfile"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// ListDueFilings lists the filings of several organizations.
func (o *Operations) ListDueFilings(ctx context.Context, r contract.ListDueFilingsRequest) (contract.DueFilingList, error) {
	p := r.Params
	filter := o.dueFilter(contract.ExportDueFilingsParams{
		DueDateGte: p.DueDateGte, DueDateLte: p.DueDateLte, DueDaysGte: p.DueDaysGte, DueDaysLte: p.DueDaysLte, StatusIn: p.StatusIn,
		StateCode: p.StateCode, CountryCode: p.CountryCode, OrganizationID: p.OrganizationID,
	})
	filter.Money = p.Money
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
		answer.Items[i] = o.dueFiling(&list.Items[i])
	}
	for i, c := range list.Counts {
		answer.Counts[i] = contract.DueCount{
			DueDate: convert.DayOf(c.Due), Status: contract.FilingStatus(c.Status), Count: c.Count,
		}
	}
	for _, m := range list.Money {
		answer.Money = append(answer.Money, contract.DueMoney{
			DueDate: convert.DayOf(m.Due), Currency: m.Currency, Count: m.Count, Amount: m.Amount.String(),
		})
	}
	return answer, nil
}

// dueFilter returns what selects filings of several organizations.
func (o *Operations) dueFilter(p contract.ExportDueFilingsParams) models.DueFilter {
	filter := models.DueFilter{
		Statuses: convert.Texts[models.FilingStatus](p.StatusIn), States: o.deps.Spellings(p.StateCode), Countries: p.CountryCode,
		OrganizationID: p.OrganizationID, Wants: o.deps.ReturnWants(),
		From: p.DueDateGte.Time, Until: p.DueDateLte.Time,
	}
	today := o.now().UTC().Truncate(24 * time.Hour)
	if from := p.DueDaysGte; from != nil && filter.From.Before(today.AddDate(0, 0, *from)) {
		filter.From = today.AddDate(0, 0, *from)
	}
	if until := p.DueDaysLte; until != nil && (filter.Until.IsZero() || filter.Until.After(today.AddDate(0, 0, *until))) {
		filter.Until = today.AddDate(0, 0, *until)
	}
	return filter
}

// calendarHeader names the columns of the calendar of returns.
var calendarHeader = []string{
	"due_date", "organization_id", "organization_name", "filing_id", "country_code", "state_code", "state_name",
	"filing_category", "start_date", "end_date", "status", "waits_for", "missing_data", "unresolved_transaction_count", "layout",
	"currency", "amount",
}

// ExportDueFilings writes the filings of several organizations as CSV or iCalendar, page by page. The first page is read before the file
// begins, so that a refusal is no broken file. Each page begins after the last row of the page before.
func (o *Operations) ExportDueFilings(ctx context.Context, r contract.ExportDueFilingsRequest, stream contract.Stream) error {
	filter, visible := o.dueFilter(r.Params), call.Of(ctx).Visibility()
	first, err := o.deps.Filings.ListDueFilings(ctx, visible, filter, nil, models.Page{Limit: exportedAtOnce})
	if err != nil {
		return err
	}
	each := func(ctx context.Context, write func(*models.DueFiling) error) error {
		return o.eachDue(ctx, visible, filter, first.Items, write)
	}
	if r.Params.Format == "ics" {
		return o.streamCalendar(ctx, stream, each, func(ctx context.Context, write func(*models.Exception) error) error {
			return o.eachNotice(ctx, visible, filter, write)
		})
	}
	return o.outputs.StreamCSV(ctx, stream, "returns.csv", calendarHeader, func(ctx context.Context, w *csvfile.Writer) error {
		return each(ctx, func(f *models.DueFiling) error { return writeDue(w, o.dueFiling(f)) })
	})
}

// eachDue calls write for the filings of a page and of all pages after it.
func (o *Operations) eachDue(
	ctx context.Context, visible models.Visibility, filter models.DueFilter, page []models.DueFiling,
	write func(*models.DueFiling) error,
) error {
	for {
		for i := range page {
			if err := write(&page[i]); err != nil {
				return err
			}
		}
		if len(page) < exportedAtOnce {
			return nil
		}
		filter.After = page[len(page)-1].Position()
		list, err := o.deps.Filings.ListDueFilings(ctx, visible, filter, nil, models.Page{Limit: exportedAtOnce})
		if err != nil {
			return err
		}
		page = list.Items
	}
}

// exportedAtOnce is how many filings an export reads at once.
const exportedAtOnce = 500

func writeDue(w *csvfile.Writer, f contract.DueFiling) error {
	w.Cell(f.DueDate.String())
	w.Cell(f.OrganizationID)
	w.Text(*cmp.Or(f.OrganizationName, new(string)))
	w.Cell(f.ID)
	w.Cell(f.CountryCode)
	w.Cell(f.StateCode)
	w.Text(*cmp.Or(f.StateName, new(string)))
	w.Text(f.FilingCategory)
	for _, cell := range []string{
		f.StartDate.String(), f.EndDate.String(), string(f.Status),
		string(*cmp.Or(f.WaitsFor, new(contract.DueFilingWaitsFor))), strings.Join(f.MissingData, " "),
		strconv.Itoa(f.UnresolvedTransactionCount), f.Layout, f.Currency, f.Amount,
	} {
		w.Cell(cell)
	}
	return w.End()
}

func (o *Operations) dueFiling(f *models.DueFiling) contract.DueFiling {
	layout := layoutOf(o.deps.Law.Current(), &f.Filing)
	return contract.DueFiling{
		OrganizationID: f.OrganizationID, OrganizationName: f.OrganizationName, ID: f.ID, CountryCode: f.CountryCode,
		StateCode: f.StateCode, StateName: f.StateName, FilingCategory: string(f.FilingCategory),
		StartDate: convert.DayOf(f.StartDate), EndDate: convert.DayOf(f.EndDate),
		DueDate: convert.DayOf(*f.DueDate), Status: contract.FilingStatus(f.Status),
		Currency: f.Currency, Amount: f.AmountText(), UnresolvedTransactionCount: f.Unresolved.Transactions,
		AuthorityUnansweredSince: convert.OptionalInstant(f.Unanswered()),
		Layout:                   layout.ID, MissingData: f.Lacks(),
		WaitsFor: convert.Optional(contract.DueFilingWaitsFor(f.WaitsFor())),
	}
}
