package api

import (
	"context"

	"levy/api/openapi"
)

// ReprocessTransaction puts a transaction back into the queue. The answer follows the
// commit; processing does not have to be possible.
func (s *Server) ReprocessTransaction(
	ctx context.Context, r openapi.ReprocessTransactionRequest,
) (openapi.Transaction, error) {
	call := callOf(ctx)
	ref, err := s.deps.Transactions.ReprocessTransaction(ctx, call.scope, call.actor(), r.TransactionID)
	if err != nil {
		return openapi.Transaction{}, err
	}
	s.deps.Dispatcher.Offer(ctx, ref)
	answer, err := s.GetTransaction(ctx, openapi.GetTransactionRequest(r))
	return answer, unknownAfterWrite(err)
}
