package api

import (
	"context"
	"time"

	"levy/contract"
	"levy/models"
)

const (
	// archiveLimit is how many transactions one call reads.
	archiveLimit = 5000
	// shownRefusals is how many refusals an answer lists.
	shownRefusals = 100
)

// ArchiveTransactionsByDate archives the transactions of some days, as many as one call
// may. Those that may not be archived are reported, and do not stop the others.
func (s *Server) ArchiveTransactionsByDate(
	ctx context.Context, request contract.ArchiveTransactionsByDateRequest,
) (contract.TransactionArchiveByDateResult, error) {
	c, body := callOf(ctx), request.Body
	result := contract.TransactionArchiveByDateResult{Refusals: []contract.TransactionArchiveVerdict{}}
	var defect error
	period := models.ArchivePeriod{
		From: body.StartDate.Time, To: body.EndDate.Time.Add(24 * time.Hour), After: body.After, Limit: archiveLimit,
	}
	next, err := s.deps.Transactions.ArchiveByDate(ctx, c.scope, c.actor(), period,
		func(id string, verdict error) {
			if verdict == nil {
				result.Archived++
				return
			}
			result.Refused++
			if refusal := problemFor(verdict); refusal == nil {
				defect = verdict
			} else if len(result.Refusals) < shownRefusals {
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
	result.Next = optional(next)
	return result, nil
}
