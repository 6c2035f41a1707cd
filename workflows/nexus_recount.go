package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
)

// RecountNexusInput says where to go on. The schedule starts with an empty one.
type RecountNexusInput struct {
	At          activities.RecountNexusInput `json:"at"`
	Counted     int                          `json:"counted"`
	Differences int                          `json:"differences"`
	Violations  int                          `json:"violations,omitempty"`
}

// RecountNexusResult says what was found.
type RecountNexusResult struct {
	Counted     int `json:"counted"` // transactions
	Differences int `json:"differences"`
	Violations  int `json:"violations,omitempty"` // of rules of records
}

// RecountNexus recounts the nexus of all organizations every night, transaction by
// transaction: the counters must match the transactions to the cent. A difference
// raises an alarm, is corrected and is recorded.
func RecountNexus(ctx workflow.Context, in RecountNexusInput) (RecountNexusResult, error) {
	for range stepsPerRun {
		summary := "Count the next organization anew"
		if in.At.Organization != "" {
			summary = "Go on with " + in.At.Organization
		}
		var step activities.RecountNexusResult
		if err := execute(ctx, summarized(recountOptions, summary), nexus.RecountNexus, in.At, &step); err != nil {
			return RecountNexusResult{}, err
		}
		in.At, in.Counted, in.Differences = step.Next, in.Counted+step.Counted, in.Differences+step.Differences
		in.Violations += step.Violations
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("%s counted, **%s**, **%s**",
			count(in.Counted, "transaction"), count(in.Differences, "difference"), count(in.Violations, "violation")))
		if step.Done {
			return RecountNexusResult{Counted: in.Counted, Differences: in.Differences, Violations: in.Violations}, nil
		}
	}
	return RecountNexusResult{}, workflow.NewContinueAsNewError(ctx, RecountNexusName, in)
}
