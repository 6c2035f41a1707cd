package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
)

// MaxBatch is the largest number of transactions one workflow carries. A batch
// costs the engine the same whatever its size; its stages must fit their timeout
// and its references one payload.
const MaxBatch = 500

// stageOptions apply to every stage.
var stageOptions = workflow.ActivityOptions{
	// Stages are database and CPU work of well under a second. A dead worker is
	// noticed only by this timeout, so it is short.
	StartToCloseTimeout: 10 * time.Second,
	// Outages are waited for; after this the run fails visibly and the relay opens
	// another one.
	ScheduleToCloseTimeout: time.Hour,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    200 * time.Millisecond, // lost races and short failovers
		BackoffCoefficient: 2,
		MaximumInterval:    5 * time.Second, // back at work within seconds of a recovery
		// Attempts are bounded by the activity itself, which tells outages from
		// unexpected errors.
		NonRetryableErrorTypes: []string{activities.ErrTypeBatchFailed, activities.ErrTypeInvalidInput},
	},
}

// MaxBatchOrganizations is the largest number of organizations one workflow
// serves: the search attribute that lists them may have 2 KiB.
const MaxBatchOrganizations = 60

// expiryOptions apply to the steps of ExpireExemptions.
var expiryOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 30 * time.Second, // one bounded statement and its audit rows
	// The next day's run takes over what this one could not do.
	ScheduleToCloseTimeout: 20 * time.Hour,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:        time.Second,
		BackoffCoefficient:     2,
		MaximumInterval:        5 * time.Minute, // nobody waits for it
		NonRetryableErrorTypes: []string{activities.ErrTypeInvalidInput},
	},
}
