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

// stepsPerRun is after how many steps a long piece of work goes on in another run: it
// keeps histories short.
const stepsPerRun = 200

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

// stepOptions apply to the activities of the steps of an onboarding, behind which a
// client waits.
var stepOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 5 * time.Second,
	// The client has its 503 long before; what is not done by then is refused, so that
	// the next try of the client does not wait behind this one.
	ScheduleToCloseTimeout: 20 * time.Second,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    100 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    2 * time.Second,
	},
}

// undoOptions apply to whatever ends an onboarding: it is never given up. An undo
// that fails for long is seen as a pending activity, and in the worker's log.
var undoOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 10 * time.Second,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    200 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    time.Minute,
	},
}

// undoPatience is how long the next undo waits for one that does not succeed.
const undoPatience = 30 * time.Second

// unbornPatience is how long a run waits for the first step, which came with its
// start: a run whose Update was lost closes itself.
const unbornPatience = 15 * time.Minute

// firstLook is when an onboarding is first looked at for progress. A variable for
// the recording of histories, which has no days to spend.
var firstLook = 7 * 24 * time.Hour

// recordOptions apply to what a filing or a registration does with its record: it is
// never given up. A claim of a million transactions takes minutes; a dead worker is
// noticed by the missing signs of life.
var recordOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 15 * time.Minute,
	HeartbeatTimeout:    10 * time.Second,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    200 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    time.Minute,
	},
}

// submitOptions apply to handing a return or a registration to its authority. One that
// stays away for longer makes the filing an issue, or has the registration wait for
// clarification, which staff see.
var submitOptions = workflow.ActivityOptions{
	StartToCloseTimeout:    15 * time.Minute, // the figures of a large return take minutes, the call two at most
	HeartbeatTimeout:       10 * time.Second,
	ScheduleToCloseTimeout: 3 * 24 * time.Hour,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    time.Second,
		BackoffCoefficient: 2,
		MaximumInterval:    10 * time.Minute,
		MaximumAttempts:    1000, // more than three days have room for
	},
}

// askOptions apply to asking an authority for its decision. It says itself when to
// ask again.
var askOptions = workflow.ActivityOptions{
	StartToCloseTimeout:    2 * time.Minute,
	HeartbeatTimeout:       10 * time.Second,
	ScheduleToCloseTimeout: 60 * 24 * time.Hour,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    time.Second,
		BackoffCoefficient: 2,
		MaximumInterval:    time.Hour,
		MaximumAttempts:    100_000,
	},
}

// Of work of every day: the next day's run takes over what this one could not do.
const untilNextDay = 20 * time.Hour

var untilNextDayRetry = &temporal.RetryPolicy{
	InitialInterval:        time.Second,
	BackoffCoefficient:     2,
	MaximumInterval:        5 * time.Minute, // nobody waits for it
	NonRetryableErrorTypes: []string{activities.ErrTypeInvalidInput},
}

// expiryOptions apply to the steps of ExpireExemptions.
var expiryOptions = workflow.ActivityOptions{
	StartToCloseTimeout:    30 * time.Second, // one bounded statement and its audit rows
	ScheduleToCloseTimeout: untilNextDay,
	RetryPolicy:            untilNextDayRetry,
}

// planOptions apply to the pages of PlanFilings.
var planOptions = workflow.ActivityOptions{
	// A page is bounded, but a database that is busy with the first of a month may take
	// its time; a dead worker is noticed by the missing signs of life.
	StartToCloseTimeout:    5 * time.Minute,
	HeartbeatTimeout:       10 * time.Second,
	ScheduleToCloseTimeout: untilNextDay,
	RetryPolicy:            untilNextDayRetry,
}

// turnOptions apply to the turns of ImportTransactions.
var turnOptions = workflow.ActivityOptions{
	// A turn takes rows in for 15 seconds, may wait for processing, and ends with its
	// chunk; its heartbeats tell a dead worker much earlier.
	StartToCloseTimeout: 2 * time.Minute,
	HeartbeatTimeout:    15 * time.Second,
	// Outages are waited for; after this the run fails visibly, and whoever looks for
	// imports without a run opens another one.
	ScheduleToCloseTimeout: 24 * time.Hour,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:        500 * time.Millisecond,
		BackoffCoefficient:     2,
		MaximumInterval:        30 * time.Second,
		NonRetryableErrorTypes: []string{activities.ErrTypeBatchFailed, activities.ErrTypeInvalidInput},
	},
}

// endOptions apply to what ends an import: it is never given up.
var endOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 2 * time.Minute, // a file is deleted in steps
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    500 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    time.Minute,
	},
}
