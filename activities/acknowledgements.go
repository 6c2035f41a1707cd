package activities

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"levy/models"
)

// AnswerQueues are the queues in which authorities leave their answers.
type AnswerQueues interface {
	// QueuesToRead returns up to n queues after a number of them, in their order.
	QueuesToRead(ctx context.Context, after, n int) ([]models.QueueToRead, error)
	// FetchAnswers reads a queue and stores what came. It returns how many messages that were; 0 also if another process reads it,
	// or has just done so. Errors: models.ErrUnavailable and models.ErrOutcomeUnknown if the authority was not reached.
	FetchAnswers(ctx context.Context, q models.QueueToRead) (int, error)
}

// Acknowledgements holds the activity of the workflow FetchAcknowledgements.
type Acknowledgements struct {
	queues AnswerQueues
	log    *slog.Logger
}

// NewAcknowledgements returns the activity of FetchAcknowledgements.
func NewAcknowledgements(queues AnswerQueues, log *slog.Logger) *Acknowledgements {
	return &Acknowledgements{queues: queues, log: log}
}

// FetchAcknowledgementsInput says how many queues were read before.
type FetchAcknowledgementsInput struct {
	After int `json:"after"`
}

// FetchAcknowledgementsResult says what came of some queues.
type FetchAcknowledgementsResult struct {
	Queues      int      `json:"queues"`
	Messages    int      `json:"messages"`
	Unreachable []string `json:"unreachable,omitempty"` // authorities
	Failing     []string `json:"failing,omitempty"`     // authorities with queues that could not be read
	Done        bool     `json:"done"`                  // there are no more queues
}

// queuesAtOnce is how many queues one execution reads.
const queuesAtOnce = 50

// FetchAcknowledgements reads some queues one after the other. An authority that is not reached leaves the others their turn. A queue
// that fails, or whose answer is lost, leaves it to the other queues of its authority, too. The next run reads it again: a lasting
// failure would keep those of later pages back. A repetition finds those empty that were read.
func (a *Acknowledgements) FetchAcknowledgements(
	ctx context.Context, in FetchAcknowledgementsInput,
) (result FetchAcknowledgementsResult, err error) {
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	defer sendHeartbeats(ctx)()
	err = guarded(ctx, a.log, func(ctx context.Context) error {
		queues, err := a.queues.QueuesToRead(ctx, in.After, queuesAtOnce)
		if err != nil {
			return err
		}
		result = FetchAcknowledgementsResult{Queues: len(queues), Done: len(queues) < queuesAtOnce}
		for _, q := range queues {
			if slices.Contains(result.Unreachable, q.Authority) {
				continue
			}
			n, err := a.queues.FetchAnswers(ctx, q)
			result.Messages += n
			// guard: acknowledgements: an authority that is down stops no other
			if errors.Is(err, models.ErrUnavailable) {
				a.log.WarnContext(ctx, "acknowledgements not fetched", "authority", q.Authority, "error", err.Error())
				result.Unreachable = append(result.Unreachable, q.Authority)
				continue
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			// guard: acknowledgements: a queue that fails keeps no other back
			if err != nil {
				a.log.ErrorContext(ctx, "queue of acknowledgements failed", "authority", q.Authority, "organization_id", q.OrganizationID,
					"error", err.Error())
				if !slices.Contains(result.Failing, q.Authority) {
					result.Failing = append(result.Failing, q.Authority)
				}
			}
		}
		return nil
	})
	if err != nil {
		return result, failure(err, 0)
	}
	return result, nil
}
