package transactions

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// ListTransactionRevisions lists the replaced versions of a transaction.
func (o *Operations) ListTransactionRevisions(
	ctx context.Context, request contract.ListTransactionRevisionsRequest,
) (contract.TransactionRevisionList, error) {
	p := request.Params
	list, err := o.deps.Transactions.TransactionRevisions(
		ctx, call.Of(ctx).Scope, request.TransactionID, convert.PageOf(p.Page, p.Size),
	)
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size,
		func(r models.TransactionRevision) contract.TransactionRevisionEntry {
			return contract.TransactionRevisionEntry{
				Revision: r.Revision, ReplacedAt: convert.Instant(r.ReplacedAt), RequestID: r.RequestID,
				Changed: convert.NotNil(r.Changed),
			}
		})
	return contract.TransactionRevisionList(answer), err
}

// GetTransactionRevision reads a replaced version of a transaction.
func (o *Operations) GetTransactionRevision(
	ctx context.Context, request contract.GetTransactionRevisionRequest,
) (contract.TransactionRevision, error) {
	number, err := strconv.ParseInt(request.Revision, 10, 32)
	if err != nil || strconv.FormatInt(number, 10) != request.Revision {
		return contract.TransactionRevision{}, models.ErrNotFound
	}
	r, err := o.deps.Transactions.TransactionRevision(ctx, call.Of(ctx).Scope, request.TransactionID, int(number))
	if err != nil {
		return contract.TransactionRevision{}, err
	}
	return contract.TransactionRevision{
		Revision: r.Revision, ReplacedAt: convert.Instant(r.ReplacedAt), RequestID: r.RequestID, Changed: convert.NotNil(r.Changed),
		Transaction: Answer(&r.Transaction),
	}, nil
}
