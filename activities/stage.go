package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
)

// stage runs one stage and turns the states found after it into decisions.
func (p *Processing) stage(ctx context.Context, in StageInput, target models.ProcessingStatus,
	work func(context.Context, models.StageRun, []models.Ref) ([]models.StageState, error),
) (StageResult, error) {
	if len(in.Refs) == 0 {
		return StageResult{}, invalidInput("no transactions given")
	}
	run := runOf(ctx)
	own, cancel := ownDeadline(ctx)
	defer cancel()

	if in.Isolating {
		_ = failpoint.Hit("bisect_half")
	}
	var result StageResult
	err := guarded(own, p.log, func(ctx context.Context) error {
		states, err := inParts(ctx, in.Refs, func(ctx context.Context, refs []models.Ref) ([]models.StageState, error) {
			return work(ctx, run, refs)
		})
		if err == nil {
			result, err = judge(in.Refs, states, target)
		}
		return err
	})
	if err != nil {
		report(ctx, p.log, "stage failed", err, "transactions", len(in.Refs))
		defects := countDefect(ctx, err)
		if defects == 0 && len(in.Refs) > 1 && tookTooLong(own, err) {
			defects = addDefect(ctx) // half of it may not be too much
		}
		return StageResult{}, stageFailure(err, defects, in)
	}
	return result, nil
}

// tookTooLong reports whether the work was too much for its time. An activity that waited for a lock has not worked.
func tookTooLong(own context.Context, err error) bool {
	return errors.Is(own.Err(), context.DeadlineExceeded) && !errors.Is(err, models.ErrLockTimeout)
}

// runOf is the run that an activity works for.
func runOf(ctx context.Context) models.StageRun {
	info := activity.GetInfo(ctx)
	return models.StageRun{
		WorkflowID: info.WorkflowExecution.ID,
		RunID:      info.WorkflowExecution.RunID,
		Attempt:    int(info.Attempt),
	}
}

// stageWork is how a stage works on a batch: it decides each transaction by itself.
type stageWork[O any] struct {
	load   func(context.Context, []models.Ref) ([]models.Transaction, error)
	decide func(models.Transaction) (O, error)
	save   func(context.Context, models.StageRun, []models.Ref, []O) ([]models.StageState, error)
}

func (w stageWork[O]) do(ctx context.Context, run models.StageRun, refs []models.Ref) ([]models.StageState, error) {
	transactions, err := w.load(ctx, refs)
	if err != nil {
		return nil, err
	}
	outcomes := make([]O, 0, len(transactions))
	for _, t := range transactions {
		outcome, err := w.decide(t)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, outcome)
	}
	return w.save(ctx, run, refs, outcomes)
}

// judge derives the decisions from the states. Its result omits transactions that continue.
func judge(refs []models.Ref, states []models.StageState, target models.ProcessingStatus) (StageResult, error) {
	var result StageResult
	if len(states) != len(refs) {
		return result, errNotReached
	}
	for i, state := range states {
		decision, ok := rules.BatchDecisionOf(state, target)
		if !ok || state.Ref != refs[i] {
			return StageResult{}, errNotReached
		}
		if decision != models.DecisionDone {
			result.Exceptions = append(result.Exceptions, Exception{
				Index: i, Decision: decision,
				Unresolved: decision == models.DecisionEnded && state.ProcessingStatus == models.ProcessingNeedsRefetch,
			})
		}
	}
	return result, nil
}

// ownDeadline ends the work a second before the timeout of the server. That timeout does not stop the code, so two
// attempts would run at once.
func ownDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-time.Second))
}

// organizations lists the organizations of a batch, each once.
func organizations(refs []models.Ref) []string {
	seen := make(map[string]struct{}, len(refs))
	var ids []string
	for _, ref := range refs {
		if _, ok := seen[ref.OrganizationID]; !ok {
			seen[ref.OrganizationID] = struct{}{}
			ids = append(ids, ref.OrganizationID)
		}
	}
	return ids
}
