package api

import (
	"context"
	"time"

	"levy/api/openapi"
)

const (
	// archiveAtOnce is how many transactions one call looks at.
	archiveAtOnce = 5000
	// shownRefusals is how many refusals an answer lists.
	shownRefusals = 100
)

// ArchiveTransactionsByDate takes the transactions of some days out of use, as many as
// one call may. What may not be archived is said, and keeps no other from it.
func (s *Server) ArchiveTransactionsByDate(ctx context.Context, request openapi.ArchiveTransactionsByDateRequest) (openapi.TransactionArchiveByDateResult, error) {
	c, body := callOf(ctx), request.Body
	result := openapi.TransactionArchiveByDateResult{Refusals: []openapi.TransactionArchiveVerdict{}}
	var defect error
	next, err := s.deps.Transactions.ArchiveByDate(ctx, c.scope, c.actor(), body.StartDate.Time, body.EndDate.Time.Add(24*time.Hour), body.After, archiveAtOnce,
		func(id string, verdict error) {
			if verdict == nil {
				result.Archived++
				return
			}
			result.Refused++
			if refusal := problemFor(verdict); refusal == nil {
				defect = verdict
			} else if len(result.Refusals) < shownRefusals {
				result.Refusals = append(result.Refusals, openapi.TransactionArchiveVerdict{TransactionID: id, Problem: rowProblem(refusal)})
			}
		})
	if err == nil {
		err = defect
	}
	if err != nil {
		return openapi.TransactionArchiveByDateResult{}, err
	}
	result.Next = optional(next)
	return result, nil
}
