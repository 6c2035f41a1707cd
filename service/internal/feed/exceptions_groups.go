package feed

import (
	"context"
	"errors"
	"slices"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// ListExceptionGroups lists the causes of exceptions.
func (o *Operations) ListExceptionGroups(
	ctx context.Context, r contract.ListExceptionGroupsRequest,
) (contract.ExceptionGroupList, error) {
	p := r.Params
	filter := models.ExceptionFilter{
		Types: convert.Texts[string](p.TypeIn), OrganizationID: p.OrganizationID, Assignee: p.Assignee,
		Wants: o.deps.ReturnWants(),
	}
	if p.AgeDaysGte > 0 {
		filter.Until = o.now().AddDate(0, 0, -p.AgeDaysGte)
	}
	groups, err := o.deps.Work.ListExceptionGroups(ctx, call.Of(ctx).Visibility(), filter)
	if err != nil {
		return contract.ExceptionGroupList{}, err
	}
	answer := contract.ExceptionGroupList{Items: convert.ConvertAll(groups, groupAnswer)}
	for i := range groups {
		answer.Total += groups[i].Count
	}
	return answer, nil
}

func groupAnswer(g models.ExceptionGroup) contract.ExceptionGroup {
	return contract.ExceptionGroup{
		FirstOrganizationID: g.OrganizationID, FirstObjectID: g.ObjectID,
		Type: contract.ExceptionType(g.Type), ReasonCode: convert.Optional(g.Code), Title: g.Title(), Count: g.Count,
		OrganizationCount: g.Organizations, Since: convert.Instant(g.Since), Due: convert.OptionalDate(g.Due),
		Amounts: figures(g.Amounts), GoneAutomatically: g.Code == models.NoRate || g.Code == models.Unanswered,
	}
}

// Actions of ChangeExceptions, and the result of a row.
const (
	bulkReprocess = "REPROCESS"
	bulkDone      = "DONE"
	bulkRefused   = "REFUSED"
)

// ChangeExceptions processes transactions again, or assigns exceptions. Each row is decided on its own.
func (o *Operations) ChangeExceptions(
	ctx context.Context, r contract.ChangeExceptionsRequest,
) (contract.ExceptionBulkResult, error) {
	answer := contract.ExceptionBulkResult{Items: make([]contract.ExceptionBulkItem, len(r.Body.Exceptions))}
	for i, row := range r.Body.Exceptions {
		item := contract.ExceptionBulkItem{Type: row.Type, ObjectID: row.ObjectID, Status: bulkDone}
		err := o.changeException(ctx, &r.Body, row)
		// guard: bulk: a row that is refused leaves the other rows
		if err != nil {
			p := problem.OfRow(err)
			if p == nil {
				return answer, call.UnknownAfterRows(answer.DoneCount, err)
			}
			code := string(p.Code)
			item.Status, item.Code, item.Message = bulkRefused, &code, &p.Detail
			answer.RefusedCount++
		} else {
			answer.DoneCount++
		}
		answer.Items[i] = item
	}
	return answer, nil
}

// changeException does the action of a bulk request to one exception. A transaction that is no exception any more was
// processed or is being processed: nothing is left to do. Errors: those of the operations, problem.Forbidden.
func (o *Operations) changeException(ctx context.Context, b *contract.ExceptionBulk, row contract.ExceptionRef) error {
	c := call.Of(ctx)
	ref := models.ExceptionRef{Type: string(row.Type), ObjectID: row.ObjectID, Wants: o.deps.ReturnWants()}
	if b.Action != bulkReprocess {
		_, err := o.deps.Work.NoteException(ctx, c.Scope, c.Actor(), ref, func(n *models.ExceptionNote) {
			n.Assignee = convert.Optional(b.Assignee)
		})
		return err
	}
	e, err := o.deps.Work.Exception(ctx, c.Scope, ref)
	if errors.Is(err, models.ErrNotFound) && ref.Type == models.ExceptionTransaction {
		_, err = o.transactions.GetTransaction(ctx, contract.GetTransactionRequest{TransactionID: ref.ObjectID})
		return err
	}
	if err != nil {
		return err
	}
	// guard: bulk: a row needs the right of the operation that it stands for
	if !slices.Contains(ActionsOf(c, &e), "reprocessTransaction") {
		return models.ErrForbidden
	}
	_, err = o.transactions.ReprocessTransaction(ctx, contract.ReprocessTransactionRequest{TransactionID: ref.ObjectID})
	return err
}
