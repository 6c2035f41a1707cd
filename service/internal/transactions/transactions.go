package transactions

import (
	"context"
	"encoding/json"
	"fmt"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// CreateTransaction records a transaction and offers it for processing. It answers after the commit, also
// if processing is not possible now.
func (o *Operations) CreateTransaction(
	ctx context.Context, request contract.CreateTransactionRequest,
) (contract.TransactionArray, error) {
	c := call.Of(ctx)
	if models.TransactionType(request.Body.Type).IsCredit() {
		draft, err := refundDraft(c.Scope, c.Actor(), convert.Instant(o.now()), &request.Body)
		if err != nil {
			return nil, err
		}
		refund, err := o.acceptRefund(ctx, draft)
		return contract.TransactionArray{refund}, err
	}
	draft, err := transactionDraft(c.Scope, c.Actor(), convert.Instant(o.now()), &request.Body)
	if err != nil {
		return nil, err
	}
	if err := o.catalog.VerifyAddresses(ctx, &draft.Customer); err != nil {
		return nil, err
	}
	if err := o.deps.Intake.Accept(ctx, draft); err != nil {
		return nil, err
	}
	if !draft.ProcessingStatus.Terminal() {
		o.offer(ctx, &draft.Transaction)
	}
	accepted := draft.Transaction
	accepted.Exemptions = nil // those requested; no exemption is applied yet
	return contract.TransactionArray{Answer(&accepted)}, nil
}

// offer offers a version of a transaction for processing.
func (o *Operations) offer(ctx context.Context, t *models.Transaction) {
	o.deps.Dispatcher.Offer(ctx, models.Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch})
}

// GetTransaction reads a transaction.
func (o *Operations) GetTransaction(
	ctx context.Context, request contract.GetTransactionRequest,
) (contract.Transaction, error) {
	t, err := o.deps.Transactions.Transaction(ctx, call.Of(ctx).Scope, request.TransactionID)
	return convert.Answered(&t, err, Answer)
}

// GetTransactionByExternalID finds a transaction by the client's identifier.
func (o *Operations) GetTransactionByExternalID(
	ctx context.Context, request contract.GetTransactionByExternalIDRequest,
) (contract.Transaction, error) {
	t, err := convert.ByIdentifier(request.ExternalID, func(identifier string) (models.Transaction, error) {
		return o.deps.Transactions.TransactionByExternalID(ctx, call.Of(ctx).Scope, identifier)
	})
	return convert.Answered(&t, err, Answer)
}

// ListTransactionHistory lists the changes of a transaction's status.
func (o *Operations) ListTransactionHistory(
	ctx context.Context, request contract.ListTransactionHistoryRequest,
) (contract.TransactionHistory, error) {
	p := request.Params
	list, err := o.deps.Transactions.TransactionHistory(
		ctx, call.Of(ctx).Scope, request.TransactionID, convert.PageOf(p.Page, p.Size),
	)
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, historyAnswer)
	return contract.TransactionHistory(answer), err
}

// GetTransactionExplanation returns the explanation of a transaction's tax.
func (o *Operations) GetTransactionExplanation(
	ctx context.Context, request contract.GetTransactionExplanationRequest,
) (contract.TransactionExplanation, error) {
	e, err := o.deps.Transactions.TransactionExplanation(ctx, call.Of(ctx).Scope, request.TransactionID)
	if err != nil {
		return contract.TransactionExplanation{}, err
	}
	answer := contract.TransactionExplanation{}
	if err := json.Unmarshal(e.Body, &answer); err != nil {
		return contract.TransactionExplanation{}, fmt.Errorf("read explanation: %w", err)
	}
	answer.Warnings = convert.NotNil(answer.Warnings)
	answer.TransactionID, answer.Revision = e.TransactionID, e.Revision
	return answer, nil
}

func historyAnswer(r models.StageRecord) contract.TransactionHistoryEntry {
	if r.Detail == nil {
		r.Detail = map[string]any{}
	}
	return contract.TransactionHistoryEntry{
		Stage: contract.TransactionStage(r.Stage), At: convert.Instant(r.At), Revision: r.Revision, Attempt: r.Attempt,
		WorkflowID: r.WorkflowID, WorkflowRunID: r.WorkflowRunID, RequestID: r.RequestID, Detail: r.Detail,
	}
}

// ReprocessTransaction puts a transaction back into the queue. It answers after the commit, also
// if processing is not possible now.
func (o *Operations) ReprocessTransaction(
	ctx context.Context, r contract.ReprocessTransactionRequest,
) (contract.Transaction, error) {
	c := call.Of(ctx)
	ref, err := o.deps.Transactions.ReprocessTransaction(ctx, c.Scope, c.Actor(), r.TransactionID)
	if err != nil {
		return contract.Transaction{}, err
	}
	o.deps.Dispatcher.Offer(ctx, ref)
	answer, err := o.GetTransaction(ctx, contract.GetTransactionRequest(r))
	return answer, call.UnknownAfterWrite(err)
}
