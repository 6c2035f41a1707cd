package workflows

import (
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
)

// NexusQueue is the task queue of the nexus workflows and their activities.
const NexusQueue = "nexus"

// Registered names of the nexus workflows. They never change.
const (
	EvaluateNexusName    = "EvaluateNexus"
	EvaluateAllNexusName = "EvaluateAllNexus"
	ApplyObligationName  = "ApplyObligation"
)

// NexusID is the id of a workflow that evaluates the nexus of some organizations.
func NexusID(batchID string) string { return "nexus/" + batchID }

// ObligationID is the id of the workflow that has liabilities follow an obligation.
func ObligationID(nexusID string) string { return "obligation/" + nexusID }

// nexusOptions apply to the activities of the nexus workflows.
var nexusOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 30 * time.Second, // a few organizations, or one bounded statement
	// What is not done stays on the list, and the next day's run does it all.
	ScheduleToCloseTimeout: 20 * time.Hour,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:        200 * time.Millisecond,
		BackoffCoefficient:     2,
		MaximumInterval:        time.Minute,
		NonRetryableErrorTypes: []string{activities.ErrTypeInvalidInput},
	},
}

// evaluationPatience is how long an evaluation is tried. Until all of it is done its
// organizations stay on the list, from which another one takes them; it is short, so that
// those that cannot be evaluated do not pile up.
const evaluationPatience = 2 * time.Minute

// NexusStart is how the evaluation of some organizations is started.
func NexusStart(batchID string, organizations []string) sdkclient.StartWorkflowOptions {
	whose := count(len(organizations), "organization")
	if len(organizations) == 1 {
		whose = organizations[0]
	}
	return sdkclient.StartWorkflowOptions{
		ID:                    NexusID(batchID),
		TaskQueue:             NexusQueue,
		StaticSummary:         "Nexus of " + whose,
		TypedSearchAttributes: temporal.NewSearchAttributes(organizationIDs.ValueSet(organizations)),
	}
}
