package transactions

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
)

// ListFilingTransactions lists the transactions that a filing has claimed or would claim.
func (o *Operations) ListFilingTransactions(
	ctx context.Context, request contract.ListFilingTransactionsRequest,
) (contract.TransactionList, error) {
	p := contract.ListTransactionsParams(request.Params)
	filter := o.transactionFilter(&p)
	filter.MemberOf = request.FilingID
	return o.listTransactionsOf(ctx, request.FilingID, filter, &p)
}

// ListUnresolvedFilingTransactions lists the transactions that cannot be processed and may belong to a filing.
func (o *Operations) ListUnresolvedFilingTransactions(
	ctx context.Context, request contract.ListUnresolvedFilingTransactionsRequest,
) (contract.TransactionList, error) {
	p := contract.ListTransactionsParams(request.Params)
	filter := o.transactionFilter(&p)
	filter.UnresolvedOf = request.FilingID
	return o.listTransactionsOf(ctx, request.FilingID, filter, &p)
}

// listTransactionsOf lists transactions of a filing. Errors: models.ErrNotFound.
func (o *Operations) listTransactionsOf(
	ctx context.Context, filingID string, filter models.TransactionFilter, p *contract.ListTransactionsParams,
) (contract.TransactionList, error) {
	if err := o.deps.Reports.FilingExists(ctx, call.Of(ctx).Scope, filingID); err != nil {
		return contract.TransactionList{}, err
	}
	return o.listTransactions(ctx, filter, p)
}

// ListTransactionsOfFiling is ListFilingTransactions without the envelope.
func (o *Operations) ListTransactionsOfFiling(
	ctx context.Context, r contract.ListTransactionsOfFilingRequest,
) (contract.TransactionRows, error) {
	return rowsOf(ctx)(o.ListFilingTransactions(ctx, contract.ListFilingTransactionsRequest{
		FilingID: r.FilingID, Params: contract.ListFilingTransactionsParams(r.Params),
	}))
}
