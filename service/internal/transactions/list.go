package transactions

import (
	"context"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
)

// ListTransactions lists transactions.
func (o *Operations) ListTransactions(
	ctx context.Context, request contract.ListTransactionsRequest,
) (contract.TransactionList, error) {
	return o.listTransactions(ctx, o.transactionFilter(&request.Params), &request.Params)
}

// listTransactions lists the transactions that pass the filter in the order and on the page of the parameters.
func (o *Operations) listTransactions(
	ctx context.Context, filter models.TransactionFilter, p *contract.ListTransactionsParams,
) (contract.TransactionList, error) {
	// guard: reports: the list behind a figure costs as much as the report
	if filter.ReportRow != nil {
		release, err := o.outputs.AcquireReport(ctx)
		if err != nil {
			return contract.TransactionList{}, err
		}
		defer release()
	}
	part := convert.PageOf(p.Page, p.Size)
	if p.Limit > 0 { // the client submitted limit or offset instead of page and size
		part = models.Page{Limit: p.Limit, Offset: p.Offset}
	}
	order := convert.OrderOf(p.OrderBy)
	page, err := convert.PageAfter(ctx, p.After, filter, order, part)
	if err != nil {
		return contract.TransactionList{}, err
	}
	list, err := o.deps.Transactions.ListTransactions(ctx, call.Of(ctx).Scope, filter, order, page.Page)
	if err != nil {
		return contract.TransactionList{}, err
	}
	answer := o.pageAnswer(ctx, &list, page.Number(), page.Limit)
	answer.NextCursor = page.Next(list.Next)
	return answer, nil
}

// pageAnswer returns a page in the form of the contract. The items of a large page are written one after the other
// by writeParts.
func (o *Operations) pageAnswer(
	ctx context.Context, list *models.TransactionPage, page, size int,
) contract.TransactionList {
	call.Of(ctx).Parts = o.inParts(list.Parts)
	items := make([]contract.Transaction, len(list.Items))
	for i := range list.Items {
		items[i] = Answer(&list.Items[i])
	}
	return contract.TransactionList{
		Items: items, Total: list.Total, Page: page, Size: size, Pages: convert.Pages(list.Total, size),
	}
}

// transactionFilter converts the parameters of a list.
func (o *Operations) transactionFilter(p *contract.ListTransactionsParams) models.TransactionFilter {
	f := models.TransactionFilter{
		Text:               p.SearchQuery,
		Types:              convert.Texts[models.TransactionType](p.TransactionType),
		Statuses:           convert.Texts[models.TransactionStatus](p.Status),
		ProcessingStatuses: convert.Texts[models.ProcessingStatus](p.ProcessingStatusIn),
		AddressStatuses:    convert.Texts[tax.AddressStatus](p.AddressStatusIn),
		Exempt:             convert.Texts[models.ExemptStatus](p.ExemptIn),
		Countries:          p.Country,
		States:             o.deps.Spellings(p.StateCode),
		ConnectionIDs:      p.ConnectionIDIn,
		Source:             p.TransactionSource,
		RelatedTo:          p.RelatedTo,
		CustomerID:         p.CustomerID,
		FilingID:           p.FilingID,
		Marketplace:        p.Marketplace,
		ReportRow:          convert.ReportRowOf(p.ReportRow),
		From:               p.StartDate,
		To:                 p.EndDate,
	}
	if p.DateGte.After(f.From) {
		f.From = p.DateGte.Time
	}
	if !p.DateLte.IsZero() {
		if end := p.DateLte.AddDate(0, 0, 1).Add(-time.Microsecond); f.To.IsZero() || end.Before(f.To) {
			f.To = end
		}
	}
	return f
}

// rowsOf removes the envelope of a page of transactions. Total and next cursor go into headers of the answer.
func rowsOf(ctx context.Context) func(contract.TransactionList, error) (contract.TransactionRows, error) {
	return func(list contract.TransactionList, err error) (contract.TransactionRows, error) {
		if err != nil {
			return nil, err
		}
		call.Of(ctx).Total, call.Of(ctx).Next = &list.Total, list.NextCursor
		return list.Items, nil
	}
}
