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
		Type: contract.ExceptionType(g.Type), ReasonCode: convert.Optional(g.Code), Title: titleOfGroup(&g), Count: g.Count,
		OrganizationCount: g.Organizations, Since: convert.Instant(g.Since), Due: convert.OptionalDate(g.Due),
		Amounts: figures(g.Amounts), GoneAutomatically: g.Code == models.NoRate || g.Code == models.Unanswered,
	}
}

// titleOfGroup returns what the exceptions of a group wait for, in words.
func titleOfGroup(g *models.ExceptionGroup) string {
	switch g.Type {
	case models.ExceptionTransaction:
		switch g.Code {
		case models.NoRate:
			return "Sales that wait for conversion rates"
		case "ADDRESS":
			return "Sales whose address does not say where they are taxed"
		case "STRUGGLING":
			return "Sales whose processing keeps failing"
		}
		return "Sales that cannot be calculated"
	case models.ExceptionFilingIssue:
		return "Returns with an issue: " + g.Code
	case models.ExceptionToApprove:
		if g.Code == models.ApprovalBlocked {
			return "Returns whose approval is blocked"
		}
		return "Returns to approve"
	case models.ExceptionOverdue:
		return "Returns overdue: " + overdueCause(g.Code)
	case models.ExceptionFilingWaiting:
		if g.Code == models.ToConfirm {
			return "Approved returns to file by hand and to confirm"
		}
		return "Returns whose authority does not answer"
	case models.ExceptionRegistration:
		return "Registrations that wait: " + registrationCause(g.Code)
	case models.ExceptionImport:
		return "Imports that failed"
	case models.ExceptionOnboarding:
		return "Onboardings without progress for a week"
	case models.ExceptionNexus:
		return "Places with nexus and no registration"
	case models.ExceptionRefund:
		return "Refunds to claim from an authority"
	case models.ExceptionNotice:
		return "Notices of authorities to answer: " + models.NoticeKind(g.Code).Label()
	case models.ExceptionWebhook:
		return "Webhook endpoints that Levy switched off"
	}
	return g.Type
}

func overdueCause(code string) string {
	switch code {
	case string(models.FilingPaused):
		return "paused"
	case models.ApprovalBlocked:
		return "their approval is blocked"
	case models.ToConfirm:
		return "to file by hand and to confirm"
	case models.Unanswered:
		return "their authority does not answer"
	case string(models.FilingFiling):
		return "with the authority"
	}
	return "they wait for approval"
}

func registrationCause(code string) string {
	switch code {
	case models.BackTax:
		return "tax of earlier days is in no return"
	case models.FiscalYearUnknown:
		return "the fiscal year is not known"
	case models.ReturnDataMissing:
		return "their returns lack data"
	case models.AccessEnding:
		return "access at the authority ends"
	case models.ToConfirm:
		return "to register by hand and to confirm"
	case models.Unanswered:
		return "the authority does not answer"
	}
	return "the authority has a question"
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
