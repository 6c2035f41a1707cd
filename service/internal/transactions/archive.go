package transactions

import (
	"cmp"
	"context"
	"fmt"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// ArchiveTransactions archives transactions. It reports each that may not be archived and archives the others.
func (o *Operations) ArchiveTransactions(
	ctx context.Context, request contract.ArchiveTransactionsRequest,
) (contract.TransactionArchiveResult, error) {
	c, ids := call.Of(ctx), request.Body.TransactionIds
	if faults := RepeatedIDs(ids); faults != nil {
		return contract.TransactionArchiveResult{}, &models.InvalidError{Faults: faults}
	}
	rowErrs, err := o.deps.Transactions.ArchiveTransactions(ctx, c.Scope, c.Actor(), ids)
	if err != nil {
		return contract.TransactionArchiveResult{}, err
	}
	result := contract.TransactionArchiveResult{Items: make([]contract.TransactionArchiveVerdict, len(ids))}
	for i, id := range ids {
		result.Items[i] = contract.TransactionArchiveVerdict{TransactionID: id, Archived: rowErrs[i] == nil}
		if rowErrs[i] == nil {
			result.Archived++
			continue
		}
		refusal := problem.Of(rowErrs[i])
		if refusal == nil {
			return contract.TransactionArchiveResult{}, rowErrs[i]
		}
		if refusal.Code == problem.CodeResourceNotFound {
			refusal.Detail = "There is no transaction with this id in your organization."
		}
		result.Items[i].Problem = rowProblem(refusal)
	}
	return result, nil
}

// RepeatedIDs returns a fault for each of transaction_ids that occurs earlier in the list.
func RepeatedIDs(ids []string) (faults []models.Fault) {
	seen := make(map[string]bool, len(ids))
	for i, id := range ids {
		if seen[id] {
			faults = append(faults, models.Fault{
				Code: models.FieldDuplicateValue, Path: fmt.Sprintf("transaction_ids[%d]", i),
				Message: "This value stands in the list already.",
			})
		}
		seen[id] = true
	}
	return faults
}

// rowProblem returns a problem in the form of the result of one row.
func rowProblem(p *problem.Problem) *contract.RowProblem {
	entry := problem.Table[p.Code]
	row := &contract.RowProblem{
		Status: entry.Status, Code: string(p.Code), Detail: p.Detail,
		Errors: convert.ConvertAll(
			problem.Located(p.Errors),
			func(e problem.FieldError) contract.ProblemError { return contract.ProblemError(e) },
		),
	}
	row.Detail = cmp.Or(row.Detail, entry.Detail)
	row.ExistingID, _ = p.Members["existing_id"].(string)
	return row
}

// ListRelatedTransactions lists the sale and credit notes that are related to a transaction.
func (o *Operations) ListRelatedTransactions(
	ctx context.Context, request contract.ListRelatedTransactionsRequest,
) (contract.TransactionList, error) {
	p := request.Params
	list, err := o.deps.Transactions.RelatedTransactions(
		ctx, call.Of(ctx).Scope, request.TransactionID, convert.PageOf(p.Page, p.Size),
	)
	if err != nil {
		return contract.TransactionList{}, err
	}
	return o.pageAnswer(ctx, &list, p.Page, p.Size), nil
}
