package activities

import (
	"context"
	"slices"
	"time"

	"go.temporal.io/sdk/activity"

	"levy/models"
)

// aheadAtMost ends work ahead in an outage early: what it did not do its own activity does, with
// retries, and staff see there what it waits for.
const aheadAtMost = 2 * time.Second

// goAhead takes what goes on after stage 1 through the later stages. It stops at the first error: the
// activity of that stage follows, does it again, and reports what fails. A stage is done once, whoever does it.
// It reports whether nothing is left to be done.
func (p *Processing) goAhead(ctx context.Context, in StageInput, first StageResult) bool {
	run := runOf(ctx)
	own, end := ownDeadline(ctx)
	defer end()
	ctx, cancel := context.WithTimeout(own, aheadAtMost)
	defer cancel()
	refs := goingOn(in.Refs, first.Exceptions)
	for _, s := range []struct {
		target models.ProcessingStatus
		work   stageWork
	}{
		{models.ProcessingExemptDone, p.determineExemptions},
		{models.ProcessingNexusDone, p.determineNexus},
		{models.ProcessingProcessed, p.calculateTax},
	} {
		if len(refs) == 0 {
			return true
		}
		err := guarded(ctx, p.log, func(ctx context.Context) error {
			states, err := s.work(ctx, run, refs)
			if err != nil {
				return err
			}
			result, err := judge(refs, states, s.target)
			refs = goingOn(refs, result.Exceptions)
			return err
		})
		if err != nil {
			code, _ := classify(err)
			p.log.InfoContext(ctx, "a later stage was not done ahead, its own activity follows", "stage", s.target,
				"workflow_id", activity.GetInfo(ctx).WorkflowExecution.ID, "code", code)
			return false
		}
	}
	return true
}

// standing is where the transactions stand: what a save answers that changes nothing.
func (p *Processing) standing(
	ctx context.Context, run models.StageRun, refs []models.Ref,
) ([]models.StageState, error) {
	return p.store.SaveExemptions(ctx, run, refs, nil)
}

// goingOn is what is not an exception. Exceptions are in the order of refs.
func goingOn(refs []models.Ref, exceptions []Exception) []models.Ref {
	left := slices.Clone(refs)
	for _, e := range slices.Backward(exceptions) {
		left = slices.Delete(left, e.Index, e.Index+1)
	}
	return left
}
