package workflows

// All options of activities, of child workflows and of timers are here, each with its
// reason; those of workflows that processes start are in start.go.

import (
	"math"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// MaxBatch is the largest number of transactions one workflow carries. A batch
// costs the engine the same whatever its size; its stages must fit their timeout
// and its references one payload.
const MaxBatch = 500

// MaxBackgroundBatch is MaxBatch for background work: half as many batches of twice the size.
const MaxBackgroundBatch = 1000

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
		// Attempts are bounded by the activity itself, which distinguishes outages from
		// unexpected errors.
		NonRetryableErrorTypes: []string{activities.ErrTypeBatchFailed, activities.ErrTypeInvalidInput},
	},
}

// summarized are options with what the activity is for, which staff read.
func summarized(options workflow.ActivityOptions, summary string) workflow.ActivityOptions {
	options.Summary = summary
	return options
}

// execute does an activity.
func execute(ctx workflow.Context, options workflow.ActivityOptions, activity, in, out any) error {
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), activity, in).Get(ctx, out)
}

// heartbeatOptions apply to NoteHeartbeat, which is never given up: the next heartbeat joins
// the run.
var heartbeatOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 10 * time.Second, // one row
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    time.Second,
		BackoffCoefficient: 2,
		MaximumInterval:    10 * time.Second, // its age is an alarm: it is young soon after an outage
	},
	Summary: "Note that a worker got this",
}

// MaxBatchOrganizations is the largest number of organizations one workflow
// serves: the search attribute that lists them may have 2 KiB.
const MaxBatchOrganizations = 60

// stepOptions apply to the activities of the steps of an onboarding, behind which a
// client waits.
var stepOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 5 * time.Second,
	// The client has its 503 long before. Later work is refused, so that the next attempt of the client does not wait
	// behind this one.
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
		MaximumInterval:    outagePause,
		MaximumAttempts:    math.MaxInt32, // as in outageRetry
	},
}

// undoTimeout is how long the next undo waits for one that does not succeed.
const undoTimeout = 30 * time.Second

// firstStepTimeout is how long a run waits for the first step, which came with its
// start: a run whose Update was lost closes itself.
const firstStepTimeout = 15 * time.Minute

// firstCheck is when the progress of an onboarding is first checked. A variable for
// the recording of histories, which has no days to spend.
var firstCheck = 7 * 24 * time.Hour

// recordOptions apply to what a filing or a registration does with its record: it is
// never given up. A claim of a million transactions takes minutes; a dead worker is
// noticed by the missing heartbeats.
var recordOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 15 * time.Minute,
	HeartbeatTimeout:    10 * time.Second,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    200 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    outagePause,
	},
}

// onRecord does something with the record that a run carries.
func onRecord(ctx workflow.Context, summary string, activity, in, out any) error {
	return execute(ctx, summarized(recordOptions, summary), activity, in, out)
}

// outagePause is the longest pause after an outage, for whatever waits for its end: work
// goes on within a minute of it.
const outagePause = time.Minute

// outageRetry is for calls of an authority. Time alone ends them, never a number of attempts,
// because outages and answers that are not there yet are attempts, too. The activity itself
// gives up what no outage explains.
var outageRetry = &temporal.RetryPolicy{
	InitialInterval:    time.Second,
	BackoffCoefficient: 2,
	MaximumInterval:    outagePause,
	MaximumAttempts:    math.MaxInt32, // zero would say so too, but is ten in the SDK's test environment
}

// submitOptions apply to handing a return or a registration to its authority. One that
// cannot be reached for longer makes the filing an issue, or has the registration wait for
// clarification, which staff see.
var submitOptions = workflow.ActivityOptions{
	StartToCloseTimeout:    15 * time.Minute, // the figures of a large return take minutes, the call two at most
	HeartbeatTimeout:       10 * time.Second,
	ScheduleToCloseTimeout: 3 * 24 * time.Hour,
	RetryPolicy:            outageRetry,
}

// askOptions apply to asking an authority for its decision. It says itself when to ask
// again, and the activity passes that on as the pause: the policy is for outages alone.
var askOptions = workflow.ActivityOptions{
	StartToCloseTimeout:    3 * time.Minute, // the call two at most; that it was not answered is noted after it
	HeartbeatTimeout:       10 * time.Second,
	ScheduleToCloseTimeout: 60 * 24 * time.Hour,
	RetryPolicy:            outageRetry,
}

// Of work of every day: the next day's run takes over what this one could not do.
const untilNextDay = 20 * time.Hour

var untilNextDayRetry = &temporal.RetryPolicy{
	InitialInterval:        time.Second,
	BackoffCoefficient:     2,
	MaximumInterval:        outagePause,
	NonRetryableErrorTypes: []string{activities.ErrTypeInvalidInput},
}

// expiryOptions apply to the steps of ExpireExemptions.
var expiryOptions = workflow.ActivityOptions{
	StartToCloseTimeout:    30 * time.Second, // one bounded statement and its audit rows
	ScheduleToCloseTimeout: untilNextDay,
	RetryPolicy:            untilNextDayRetry,
}

// fetchOptions apply to FetchRates.
var fetchOptions = workflow.ActivityOptions{
	// The largest files have some hundred megabytes, and are checked and loaded. Missing heartbeats reveal a dead worker
	// earlier; the load then goes on where it stopped.
	StartToCloseTimeout:    3 * time.Hour,
	HeartbeatTimeout:       15 * time.Second,
	ScheduleToCloseTimeout: untilNextDay,
	RetryPolicy:            untilNextDayRetry,
}

// acknowledgementOptions apply to FetchAcknowledgements.
var acknowledgementOptions = workflow.ActivityOptions{
	// Fifty queues, each of an authority that may take two minutes. Missing heartbeats reveal a dead worker earlier.
	StartToCloseTimeout:    2 * time.Hour,
	HeartbeatTimeout:       15 * time.Second,
	ScheduleToCloseTimeout: untilNextDay,
	RetryPolicy:            untilNextDayRetry,
}

// A state whose server does not answer is asked so often, with that pause.
const (
	fetchAttempts = 3
	fetchPause    = time.Hour
)

// planOptions apply to the pages of PlanFilings.
var planOptions = workflow.ActivityOptions{
	// A page is bounded, but a database that is busy on the first of a month may take its time. Missing heartbeats reveal
	// a dead worker earlier.
	StartToCloseTimeout:    5 * time.Minute,
	HeartbeatTimeout:       10 * time.Second,
	ScheduleToCloseTimeout: untilNextDay,
	RetryPolicy:            untilNextDayRetry,
}

// sliceOptions apply to the slices of ImportTransactions.
var sliceOptions = workflow.ActivityOptions{
	// A slice imports rows for 15 seconds, may wait for processing, and ends with its chunk. Missing heartbeats reveal a
	// dead worker much earlier.
	StartToCloseTimeout:    2 * time.Minute,
	HeartbeatTimeout:       15 * time.Second,
	ScheduleToCloseTimeout: untilOpenedAgain,
	RetryPolicy:            untilOpenedAgainRetry,
}

// Of runs that a sweeper opens again: outages are waited for; after this the run fails visibly, and another one is
// opened.
const untilOpenedAgain = 24 * time.Hour

var untilOpenedAgainRetry = &temporal.RetryPolicy{
	InitialInterval:        500 * time.Millisecond,
	BackoffCoefficient:     2,
	MaximumInterval:        30 * time.Second,
	NonRetryableErrorTypes: []string{activities.ErrTypeBatchFailed, activities.ErrTypeInvalidInput},
}

// endOptions apply to what ends an import: it is never given up.
var endOptions = workflow.ActivityOptions{
	StartToCloseTimeout: 2 * time.Minute, // a file is deleted in steps
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:    500 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    outagePause,
	},
}

// deliverOptions apply to the activity of DeliverWebhooks.
var deliverOptions = workflow.ActivityOptions{
	// Ten seconds, then the attempts of a batch: four after the other, each of which takes 15 seconds at most. Without
	// heartbeats a dead worker is noticed much earlier.
	StartToCloseTimeout:    100 * time.Second,
	HeartbeatTimeout:       15 * time.Second,
	ScheduleToCloseTimeout: untilOpenedAgain,
	RetryPolicy:            untilOpenedAgainRetry,
}

// nexusOptions apply to the activities of the nexus workflows.
var nexusOptions = workflow.ActivityOptions{
	StartToCloseTimeout:    30 * time.Second, // a few organizations, or one bounded statement
	ScheduleToCloseTimeout: untilNextDay,
	RetryPolicy: &temporal.RetryPolicy{
		InitialInterval:        200 * time.Millisecond,
		BackoffCoefficient:     2,
		MaximumInterval:        outagePause,
		NonRetryableErrorTypes: []string{activities.ErrTypeInvalidInput},
	},
}

// recountOptions apply to the steps of RecountNexus.
var recountOptions = workflow.ActivityOptions{
	// The kept figures of a large organization take minutes. Missing heartbeats reveal a dead worker earlier. A step of the
	// release before sends none, and has the 30 seconds that it had.
	StartToCloseTimeout:    15 * time.Minute,
	HeartbeatTimeout:       30 * time.Second,
	ScheduleToCloseTimeout: untilNextDay,
	RetryPolicy:            nexusOptions.RetryPolicy,
}

// evaluationTimeout is how long an evaluation is attempted. Until all of it is done, its organizations stay on the
// list, and another run takes them. It is short, so that organizations that cannot be evaluated do not accumulate.
const evaluationTimeout = 2 * time.Minute

// calculationTakes is longer than a calculation can take that read an obligation
// before it changed: its activity ends by itself after stageOptions.StartToCloseTimeout.
var calculationTakes = stageOptions.StartToCloseTimeout + 5*time.Second

// The approval of a filing whose transactions are still being processed is attempted again soon, and then ever less
// often, because most take seconds. If it takes longer, an outage is the cause, and the pause is outagePause.
// Transactions that cannot be processed wait for people, and are checked less often.
const (
	approvalPauseFirst      = 2 * time.Second
	approvalPauseUnresolved = 10 * time.Minute
)

// oneDay ends a run that cannot go on before the next day's is due, which does it all.
const oneDay = 23 * time.Hour

// obligationOptions apply to ApplyObligation, which the evaluations of nexus start. It goes
// on by itself when they end; one that is under way does the work of both.
func obligationOptions(c models.ChangedObligation) workflow.ChildWorkflowOptions {
	return workflow.ChildWorkflowOptions{
		WorkflowID:            ObligationID(c.NexusID),
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		ParentClosePolicy:     enumspb.PARENT_CLOSE_POLICY_ABANDON,
		StaticSummary:         "Liabilities of " + c.Organization + " follow its obligation in " + c.Jurisdiction,
		TypedSearchAttributes: temporal.NewSearchAttributes(
			organizationIDs.ValueSet([]string{c.OrganizationID}),
			organizationNames.ValueSet([]string{keyword(c.Organization)}), jurisdiction.ValueSet(c.Jurisdiction),
		),
	}
}
