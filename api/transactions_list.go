package api

import (
	"context"
	"time"

	"levy/contract"
	"levy/models"
	"levy/tax"
)

// ListTransactions lists transactions.
func (s *Server) ListTransactions(
	ctx context.Context, request contract.ListTransactionsRequest,
) (contract.TransactionList, error) {
	return s.listTransactions(ctx, s.transactionFilter(&request.Params), &request.Params)
}

// listTransactions lists those that pass the filter, ordered and paged by the
// parameters.
func (s *Server) listTransactions(
	ctx context.Context, filter models.TransactionFilter, p *contract.ListTransactionsParams,
) (contract.TransactionList, error) {
	part := pageOf(p.Page, p.Size)
	if p.Limit > 0 { // only when limit or offset was sent, and then page and size were not
		part = models.Page{Limit: p.Limit, Offset: p.Offset}
	}
	order := orderOf(p.OrderBy)
	page, err := pageAfter(ctx, p.After, filter, order, part)
	if err != nil {
		return contract.TransactionList{}, err
	}
	list, err := s.deps.Transactions.ListTransactions(ctx, callOf(ctx).scope, filter, order, page.Page)
	if err != nil {
		return contract.TransactionList{}, err
	}
	answer := s.pageAnswer(ctx, &list, page.number(), page.Limit)
	answer.NextCursor = page.next(list.Next)
	return answer, nil
}

// pageAnswer writes a page as the contract shows it. Of a large one the items are written one after the
// other, see writeParts.
func (s *Server) pageAnswer(
	ctx context.Context, list *models.TransactionPage, page, size int,
) contract.TransactionList {
	callOf(ctx).parts = s.inParts(list.Parts)
	items := make([]contract.Transaction, len(list.Items))
	for i := range list.Items {
		items[i] = transactionAnswer(&list.Items[i])
	}
	return contract.TransactionList{
		Items: items, Total: list.Total, Page: page, Size: size, Pages: pages(list.Total, size),
	}
}

// rowsOf takes the envelope off a page of transactions. What it says of the whole list goes
// with the answer as a header.
func rowsOf(ctx context.Context) func(contract.TransactionList, error) (contract.TransactionRows, error) {
	return func(list contract.TransactionList, err error) (contract.TransactionRows, error) {
		if err != nil {
			return nil, err
		}
		callOf(ctx).total, callOf(ctx).next = &list.Total, list.NextCursor
		return list.Items, nil
	}
}

func (s *Server) transactionFilter(p *contract.ListTransactionsParams) models.TransactionFilter {
	f := models.TransactionFilter{
		Text:               p.SearchQuery,
		Types:              texts[models.TransactionType](p.TransactionType),
		Statuses:           texts[models.TransactionStatus](p.Status),
		ProcessingStatuses: texts[models.ProcessingStatus](p.ProcessingStatusIn),
		AddressStatuses:    texts[tax.AddressStatus](p.AddressStatusIn),
		Exempt:             texts[models.ExemptStatus](p.ExemptIn),
		Countries:          p.Country,
		States:             s.deps.Spellings(p.StateCode),
		ConnectionIDs:      p.ConnectionIDIn,
		Source:             p.TransactionSource,
		RelatedTo:          p.RelatedTo,
		CustomerID:         p.CustomerID,
		FilingID:           p.FilingID,
		Marketplace:        p.Marketplace,
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

// texts converts values of one string type into those of another.
func texts[B, A ~string](in []A) []B {
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = B(v)
	}
	return out
}
