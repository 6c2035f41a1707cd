package api

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
)

// ListTransactionRevisions lists the versions of a transaction that were replaced.
func (s *Server) ListTransactionRevisions(
	ctx context.Context, request contract.ListTransactionRevisionsRequest,
) (contract.TransactionRevisionList, error) {
	p := request.Params
	list, err := s.deps.Transactions.TransactionRevisions(
		ctx, callOf(ctx).scope, request.TransactionID, pageOf(p.Page, p.Size),
	)
	answer, err := listAnswer(list, err, p.Page, p.Size,
		func(r models.TransactionRevision) contract.TransactionRevisionEntry {
			return contract.TransactionRevisionEntry{
				Revision: r.Revision, ReplacedAt: instant(r.ReplacedAt), RequestID: r.RequestID,
				Changed: notNil(r.Changed),
			}
		})
	return contract.TransactionRevisionList(answer), err
}

// GetTransactionRevision reads a replaced version of a transaction.
func (s *Server) GetTransactionRevision(
	ctx context.Context, request contract.GetTransactionRevisionRequest,
) (contract.TransactionRevision, error) {
	number, err := strconv.ParseInt(request.Revision, 10, 32)
	if err != nil || strconv.FormatInt(number, 10) != request.Revision {
		return contract.TransactionRevision{}, models.ErrNotFound
	}
	r, err := s.deps.Transactions.TransactionRevision(ctx, callOf(ctx).scope, request.TransactionID, int(number))
	if err != nil {
		return contract.TransactionRevision{}, err
	}
	return contract.TransactionRevision{
		Revision: r.Revision, ReplacedAt: instant(r.ReplacedAt), RequestID: r.RequestID, Changed: notNil(r.Changed),
		Transaction: transactionAnswer(&r.Transaction),
	}, nil
}
