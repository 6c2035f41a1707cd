package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// batch keeps count of a run: which transactions are still on their way and
// what became of the others.
type batch struct {
	size       int
	stage      string
	remaining  []models.Ref
	superseded int
	ended      int
	unresolved int // of those that ended: a person has to correct them
	waiting    int
	failed     []activities.Failure
}

func newBatch(refs []models.Ref) *batch {
	return &batch{size: len(refs), remaining: refs}
}

// invalid says why the batch makes no sense; empty if it does.
func (b *batch) invalid() string {
	if b.size == 0 {
		return "the batch is empty"
	}
	if b.size > MaxBackgroundBatch {
		return fmt.Sprintf("the batch has %d transactions, at most %d are allowed", b.size, MaxBackgroundBatch)
	}
	for _, ref := range b.remaining {
		if ref.OrganizationID == "" || ref.ID == "" || ref.Epoch < 1 {
			return "a reference of the batch is incomplete"
		}
	}
	return ""
}

// pass takes the remaining transactions through a stage. Those that fail alone are
// set aside before the others go on.
func (b *batch) pass(ctx workflow.Context, s stage) error {
	b.enter(ctx, s.title)
	refs, failedBefore := b.remaining, len(b.failed)
	b.remaining = nil
	if err := b.run(ctx, s, refs); err != nil {
		return err
	}
	if failures := b.failed[failedBefore:]; len(failures) > 0 {
		return setAside(ctx, s, failures)
	}
	return nil
}

// run performs a stage on a batch. If a batch used up its attempts, both halves are tried once, at the same time.
// Failing halves are divided again, down to a single transaction.
func (b *batch) run(ctx workflow.Context, s stage, refs []models.Ref) error {
	parts := [][]models.Ref{refs}
	for isolating := false; len(parts) > 0; isolating = true {
		futures := make([]workflow.Future, 0, len(parts))
		for _, part := range parts {
			futures = append(futures, start(ctx, s, part, isolating))
		}
		var failing [][]models.Ref
		for i, part := range parts {
			var result activities.StageResult
			err := futures[i].Get(ctx, &result)
			if err == nil {
				b.record(part, result.Exceptions)
				continue
			}
			code, ok := batchFailed(err)
			if !ok {
				return err
			}
			if len(part) == 1 {
				b.failed = append(b.failed, activities.Failure{Ref: part[0], Code: s.title + ": " + code})
				continue
			}
			middle := len(part) / 2
			failing = append(failing, part[:middle], part[middle:])
		}
		parts = failing
	}
	return nil
}

func start(ctx workflow.Context, s stage, refs []models.Ref, isolating bool) workflow.Future {
	summary := fmt.Sprintf("%s of %s", s.title, count(len(refs), "transaction"))
	if isolating {
		summary += ", to find what failed"
	}
	ctx = workflow.WithActivityOptions(ctx, summarized(stageOptions, summary))
	return workflow.ExecuteActivity(ctx, s.activity, activities.StageInput{Refs: refs, Isolating: isolating})
}

// setAside notes the failures on the records, which wait there for the next try.
func setAside(ctx workflow.Context, s stage, failures []activities.Failure) error {
	summary := fmt.Sprintf("Set aside %s that failed: %s", count(len(failures), "transaction"), s.title)
	in := activities.FailuresInput{Failures: failures}
	return execute(ctx, summarized(stageOptions, summary), processing.MarkFailed, in, nil)
}

// record counts the decisions about a part: transactions without an exception continue. Exceptions are in the order of
// the part.
func (b *batch) record(part []models.Ref, exceptions []activities.Exception) {
	for i, ref := range part {
		decision := models.DecisionDone
		if len(exceptions) > 0 && exceptions[0].Index == i {
			decision = exceptions[0].Decision
			if exceptions[0].Unresolved {
				b.unresolved++
			}
			exceptions = exceptions[1:]
		}
		switch decision {
		case models.DecisionSuperseded:
			b.superseded++
		case models.DecisionEnded:
			b.ended++
		case models.DecisionWaiting:
			b.waiting++
		case models.DecisionDone, models.DecisionFailed: // failures arrive as errors
			b.remaining = append(b.remaining, ref)
		}
	}
}

// enter shows staff where the run is.
func (b *batch) enter(ctx workflow.Context, title string) {
	b.stage = title
	details := fmt.Sprintf("**%s**: %d of %s on their way", title, len(b.remaining), count(b.size, "transaction"))
	if title == "" {
		details = fmt.Sprintf("**Finished**: %d of %s processed", len(b.remaining), count(b.size, "transaction"))
	}
	for _, others := range []struct {
		n    int
		what string
	}{
		{b.superseded, "changed meanwhile"}, {b.ended, "not calculated"}, {b.waiting, "waiting for their original"},
		{len(b.failed), "failed"},
	} {
		if others.n > 0 {
			details += fmt.Sprintf(", %d %s", others.n, others.what)
		}
	}
	if b.unresolved > 0 {
		details += fmt.Sprintf("\n\n**%s unresolved**: a person has to correct them, see the exceptions of the console",
			count(b.unresolved, "transaction"))
	}
	workflow.SetCurrentDetails(ctx, details)
}

func (b *batch) progress() (TransactionsProgress, error) {
	return TransactionsProgress{
		Stage:        b.stage,
		Transactions: b.size,
		Remaining:    b.size - b.superseded - b.ended - b.waiting - len(b.failed),
		Superseded:   b.superseded,
		Ended:        b.ended,
		Unresolved:   b.unresolved,
		Waiting:      b.waiting,
		Failed:       slices.Clone(b.failed),
	}, nil
}

func (b *batch) result() TransactionsResult {
	return TransactionsResult{
		Processed:  len(b.remaining),
		Superseded: b.superseded,
		Ended:      b.ended,
		Unresolved: b.unresolved,
		Waiting:    b.waiting,
		Failed:     len(b.failed),
	}
}
