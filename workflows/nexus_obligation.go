package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// ApplyObligationResult says what was done.
type ApplyObligationResult struct {
	Requeued int `json:"requeued"`
}

// ApplyObligationInput says where to go on. A run starts with the record alone.
type ApplyObligationInput struct {
	models.NexusRef
	Change   *models.ObligationChange    `json:"change,omitempty"`
	After    models.ObligationCursor     `json:"after"`
	UnderWay []models.TransactionVersion `json:"under_way,omitempty"`
	Requeued int                         `json:"requeued,omitempty"`
}

// ApplyObligation has the liability of transactions follow an obligation that began, changed or
// ended in the past: they are queued again, page by page. Transactions in a filing stay.
// When the obligation changed once more meanwhile, it goes on with that.
func ApplyObligation(ctx workflow.Context, s ApplyObligationInput) (ApplyObligationResult, error) {
	for range stepsPerRun {
		if s.Change == nil {
			found, err := findObligation(ctx, s.NexusRef)
			if err != nil || found == nil {
				return ApplyObligationResult{Requeued: s.Requeued}, err
			}
			s.Change, s.After, s.UnderWay = found, models.ObligationCursor{}, nil
		}
		step, err := requeueForObligation(ctx, &s)
		if err != nil {
			return ApplyObligationResult{}, err
		}
		s.After, s.Requeued = step.Next, s.Requeued+step.Requeued
		s.UnderWay = append(s.UnderWay, step.UnderWay...)
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("%s queued again", count(s.Requeued, "transaction")))
		if !step.Done {
			continue
		}
		if err := settleObligation(ctx, &s); err != nil {
			return ApplyObligationResult{}, err
		}
		s.Change = nil
	}
	return ApplyObligationResult{}, workflow.NewContinueAsNewError(ctx, ApplyObligationName, s)
}

func findObligation(ctx workflow.Context, ref models.NexusRef) (*models.ObligationChange, error) {
	var found activities.FindObligationResult
	err := executeNexus(ctx, "What changed of the obligation", nexus.FindObligation, ref, &found)
	return found.Change, err
}

func requeueForObligation(ctx workflow.Context, s *ApplyObligationInput) (step models.ObligationStep, err error) {
	summary := "Queue transactions again"
	if s.After.Day != 0 {
		summary += " from " + s.After.Day.String()
	}
	in := activities.RequeueForObligationInput{Change: *s.Change, After: s.After}
	err = executeNexus(ctx, summary, nexus.RequeueForObligation, in, &step)
	return step, err
}

// settleObligation waits for the calculations that may have read it too early, queues
// what they calculated again, and notes that all liabilities follow now.
func settleObligation(ctx workflow.Context, s *ApplyObligationInput) error {
	if len(s.UnderWay) > 0 {
		err := workflow.NewTimerWithOptions(ctx, calculationTakes, workflow.TimerOptions{
			Summary: count(len(s.UnderWay), "calculation") + " under way",
		}).Get(ctx, nil)
		if err != nil {
			return err
		}
		var again activities.RequeueCalculatedResult
		err = executeNexus(ctx, "Queue again what was being calculated", nexus.RequeueCalculated,
			activities.RequeueCalculatedInput{Nexus: s.NexusRef, Versions: s.UnderWay}, &again)
		if err != nil {
			return err
		}
		s.Requeued += again.Requeued
	}
	return executeNexus(ctx, "Liabilities follow the obligation", nexus.ApplyObligation, *s.Change, nil)
}

func executeNexus(ctx workflow.Context, summary string, activity, in, result any) error {
	return execute(ctx, summarized(nexusOptions, summary), activity, in, result)
}
