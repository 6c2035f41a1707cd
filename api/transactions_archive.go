package api

import (
	"cmp"
	"context"
	"fmt"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
)

// ArchiveTransactions takes transactions out of use. What may not be archived is
// said for each, and keeps no other from it.
func (s *Server) ArchiveTransactions(
	ctx context.Context, request contract.ArchiveTransactionsRequest,
) (contract.TransactionArchiveResult, error) {
	c, ids := callOf(ctx), request.Body.TransactionIds
	if faults := repeated("transaction_ids", ids); faults != nil {
		return contract.TransactionArchiveResult{}, &models.InvalidError{Faults: faults}
	}
	verdicts, err := s.deps.Transactions.ArchiveTransactions(ctx, c.scope, c.actor(), ids)
	if err != nil {
		return contract.TransactionArchiveResult{}, err
	}
	result := contract.TransactionArchiveResult{Items: make([]contract.TransactionArchiveVerdict, len(ids))}
	for i, id := range ids {
		result.Items[i] = contract.TransactionArchiveVerdict{TransactionID: id, Archived: verdicts[i] == nil}
		if verdicts[i] == nil {
			result.Archived++
			continue
		}
		refusal := problemFor(verdicts[i])
		if refusal == nil {
			return contract.TransactionArchiveResult{}, verdicts[i]
		}
		if refusal.Code == problem.CodeResourceNotFound {
			refusal.Detail = "There is no transaction with this id in your organization."
		}
		result.Items[i].Problem = rowProblem(refusal)
	}
	return result, nil
}

// repeated lists the places of values that stood before in the list.
func repeated(path string, values []string) (faults []models.Fault) {
	seen := make(map[string]bool, len(values))
	for i, v := range values {
		if seen[v] {
			faults = append(faults, models.Fault{
				Code: models.FieldDuplicateValue, Path: fmt.Sprintf("%s[%d]", path, i),
				Message: "This value stands in the list already.",
			})
		}
		seen[v] = true
	}
	return faults
}

// rowProblem is a problem as a verdict on one row shows it.
func rowProblem(p *problem.Problem) *contract.RowProblem {
	entry := problem.Table[p.Code]
	row := &contract.RowProblem{
		Status: entry.Status, Code: string(p.Code), Detail: p.Detail,
		Errors: convertAll(
			problem.Located(p.Errors),
			func(e problem.FieldError) contract.ProblemError { return contract.ProblemError(e) },
		),
	}
	row.Detail = cmp.Or(row.Detail, entry.Detail)
	row.ExistingID, _ = p.Members["existing_id"].(string)
	return row
}

// ListRelatedTransactions lists what is connected with a transaction.
func (s *Server) ListRelatedTransactions(
	ctx context.Context, request contract.ListRelatedTransactionsRequest,
) (contract.TransactionList, error) {
	p := request.Params
	list, err := s.deps.Transactions.RelatedTransactions(
		ctx, callOf(ctx).scope, request.TransactionID, pageOf(p.Page, p.Size),
	)
	if err != nil {
		return contract.TransactionList{}, err
	}
	return s.pageAnswer(ctx, &list, p.Page, p.Size), nil
}
