package transactions

import (
	"context"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

const (
	// ArchiveLimit is the largest number of transactions that one call reads.
	ArchiveLimit = 5000
	// listedRefusals is the largest number of refusals in an answer.
	listedRefusals = 100
)

// ArchiveTransactionsByDate archives the transactions of some days, at most ArchiveLimit. It reports those
// that may not be archived and archives the others.
func (o *Operations) ArchiveTransactionsByDate(
	ctx context.Context, request contract.ArchiveTransactionsByDateRequest,
) (contract.TransactionArchiveByDateResult, error) {
	c, body := call.Of(ctx), request.Body
	result := contract.TransactionArchiveByDateResult{Refusals: []contract.TransactionArchiveVerdict{}}
	var defect error
	period := models.ArchivePeriod{
		From: body.StartDate.Time, To: body.EndDate.Time.Add(24 * time.Hour), After: body.After, Limit: ArchiveLimit,
	}
	next, err := o.deps.Transactions.ArchiveByDate(ctx, c.Scope, c.Actor(), period,
		func(id string, rowErr error) {
			if rowErr == nil {
				result.Archived++
				return
			}
			result.Refused++
			if refusal := problem.Of(rowErr); refusal == nil {
				defect = rowErr
			} else if len(result.Refusals) < listedRefusals {
				result.Refusals = append(result.Refusals, contract.TransactionArchiveVerdict{
					TransactionID: id, Problem: rowProblem(refusal),
				})
			}
		})
	if err == nil {
		err = defect
	}
	if err != nil {
		return contract.TransactionArchiveByDateResult{}, err
	}
	result.Next = convert.Optional(next)
	return result, nil
}
