package api

import (
	"context"
	"encoding/json"
	"fmt"

	"levy/contract"
	"levy/models"
)

// CreateTransaction records a transaction and offers it for processing. The
// answer follows the commit; processing does not have to be possible.
func (s *Server) CreateTransaction(
	ctx context.Context, request contract.CreateTransactionRequest,
) (contract.TransactionArray, error) {
	c := callOf(ctx)
	if models.TransactionType(request.Body.Type).IsCredit() {
		draft, err := refundDraft(c.scope, c.actor(), instant(s.now()), &request.Body)
		if err != nil {
			return nil, err
		}
		refund, err := s.acceptRefund(ctx, draft)
		return contract.TransactionArray{refund}, err
	}
	draft, err := transactionDraft(c.scope, c.actor(), instant(s.now()), &request.Body)
	if err != nil {
		return nil, err
	}
	if err := s.examine(ctx, &draft.Customer); err != nil {
		return nil, err
	}
	if err := s.deps.Intake.Accept(ctx, draft); err != nil {
		return nil, err
	}
	if !draft.ProcessingStatus.Terminal() {
		s.deps.offer(ctx, &draft.Transaction)
	}
	accepted := draft.Transaction
	accepted.Exemptions = nil // those asked for; none has been applied yet
	return contract.TransactionArray{transactionAnswer(&accepted)}, nil
}

// offer offers a version of a transaction for processing.
func (d *Deps) offer(ctx context.Context, t *models.Transaction) {
	d.Dispatcher.Offer(ctx, models.Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch})
}

// GetTransaction reads a transaction.
func (s *Server) GetTransaction(
	ctx context.Context, request contract.GetTransactionRequest,
) (contract.Transaction, error) {
	t, err := s.deps.Transactions.Transaction(ctx, callOf(ctx).scope, request.TransactionID)
	return answered(&t, err, transactionAnswer)
}

// GetTransactionByExternalID finds a transaction by the client's identifier.
func (s *Server) GetTransactionByExternalID(
	ctx context.Context, request contract.GetTransactionByExternalIDRequest,
) (contract.Transaction, error) {
	t, err := s.deps.Transactions.TransactionByExternalID(ctx, callOf(ctx).scope, request.ExternalID)
	return answered(&t, err, transactionAnswer)
}

// ListTransactionHistory lists what happened to a transaction.
func (s *Server) ListTransactionHistory(
	ctx context.Context, request contract.ListTransactionHistoryRequest,
) (contract.TransactionHistory, error) {
	p := request.Params
	list, err := s.deps.Transactions.TransactionHistory(
		ctx, callOf(ctx).scope, request.TransactionID, pageOf(p.Page, p.Size),
	)
	answer, err := listAnswer(list, err, p.Page, p.Size, historyAnswer)
	return contract.TransactionHistory(answer), err
}

// GetTransactionExplanation explains how the tax of a transaction was computed.
func (s *Server) GetTransactionExplanation(
	ctx context.Context, request contract.GetTransactionExplanationRequest,
) (contract.TransactionExplanation, error) {
	e, err := s.deps.Transactions.TransactionExplanation(ctx, callOf(ctx).scope, request.TransactionID)
	if err != nil {
		return contract.TransactionExplanation{}, err
	}
	answer := contract.TransactionExplanation{}
	if err := json.Unmarshal(e.Body, &answer); err != nil {
		return contract.TransactionExplanation{}, fmt.Errorf("read explanation: %w", err)
	}
	answer.Warnings = notNil(answer.Warnings)
	answer.TransactionID, answer.Revision = e.TransactionID, e.Revision
	return answer, nil
}

func historyAnswer(r models.StageRecord) contract.TransactionHistoryEntry {
	if r.Detail == nil {
		r.Detail = map[string]any{}
	}
	return contract.TransactionHistoryEntry{
		Stage: contract.TransactionStage(r.Stage), At: instant(r.At), Revision: r.Revision, Attempt: r.Attempt,
		WorkflowID: r.WorkflowID, WorkflowRunID: r.WorkflowRunID, RequestID: r.RequestID, Detail: r.Detail,
	}
}

// ReprocessTransaction puts a transaction back into the queue. The answer follows the
// commit; processing does not have to be possible.
func (s *Server) ReprocessTransaction(
	ctx context.Context, r contract.ReprocessTransactionRequest,
) (contract.Transaction, error) {
	call := callOf(ctx)
	ref, err := s.deps.Transactions.ReprocessTransaction(ctx, call.scope, call.actor(), r.TransactionID)
	if err != nil {
		return contract.Transaction{}, err
	}
	s.deps.Dispatcher.Offer(ctx, ref)
	answer, err := s.GetTransaction(ctx, contract.GetTransactionRequest(r))
	return answer, unknownAfterWrite(err)
}
