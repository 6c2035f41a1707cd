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
}

// RecountNexusResult says what was found.
type RecountNexusResult struct {
	Counted     int `json:"counted"` // transactions
	Differences int `json:"differences"`
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
		if err := executeNexus(ctx, summary, nexus.RecountNexus, in.At, &step); err != nil {
			return RecountNexusResult{}, err
		}
		in.At, in.Counted, in.Differences = step.Next, in.Counted+step.Counted, in.Differences+step.Differences
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("%s counted, **%s**",
			count(in.Counted, "transaction"), count(in.Differences, "difference")))
		if step.Done {
			return RecountNexusResult{Counted: in.Counted, Differences: in.Differences}, nil
		}
	}
	return RecountNexusResult{}, workflow.NewContinueAsNewError(ctx, RecountNexusName, in)
}
