package workflows

import (
	"slices"
	"strings"

	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/models"
)

// Workflow is a workflow as workers register it and as docs/workflows.md lists it.
type Workflow struct {
	Name  string
	Queue string // also of its activities
	// Background is the queue of those of its runs that yield to others; empty when none do.
	Background string
	ID         string
	Started    string // the part or person that starts it
	Messages   string
	Ends       string
	// Pinned: a run ends with the release that began it, because it is short or is opened again from a record. Its code
	// may change freely. Other runs wait, possibly for years, and continue with each new release. A change of their code
	// needs a version (versions.go).
	Pinned bool

	// Carries is the kind of records of which each run carries one for long; empty where runs carry none.
	Carries string

	prefix string // of the ids of runs that carry a record
	run    any
}

// IDOf is the id of the run that carries a record.
func (w Workflow) IDOf(record string) string { return w.prefix + record }

// Catalogue lists all workflows.
func Catalogue() []Workflow {
	const everyDay = "schedule, every day at "
	return []Workflow{
		{
			Name: ProcessTransactionsName, Queue: TransactionsQueue,
			Background: BackgroundQueue, ID: TransactionsID("<batch>"), Pinned: true,
			run:     ProcessTransactions,
			Started: "dispatcher, relay", Messages: "Query `progress`",
			Ends: "Completed, also when some transactions were set aside; Failed only when an outage exceeds an hour (the " +
				"relay starts it again)",
		},
		{
			Name: HeartbeatName, Queue: TransactionsQueue, ID: HeartbeatID, run: Heartbeat,
			Started: "once a minute, by the first of all processes; on the other queues as `heartbeat/<queue>`",
			Ends:    "Completed when a worker has noted it: Temporal hands work to workers",
		},
		{
			Name: OnboardingName, Queue: OnboardingQueue, ID: OnboardingID("<organization>"), run: Onboarding,
			Carries: models.WaitingOnboardings, prefix: OnboardingID(""),
			Started:  "every step (update-with-start), sweeper",
			Messages: "Updates `submit_step`, `cancel`, `confirm_cancellation`; Query `progress`",
			Ends: "Completed, also when cancelled or expired; Failed when the work behind a step failed for good, or an " +
				"undo was given up (the sweeper starts it again)",
		},
		{
			Name: RegistrationName, Queue: RegistrationsQueue, ID: RegistrationID("<registration>"), run: Registration,
			Carries: models.WaitingRegistrations, prefix: RegistrationID(""),
			Started: "sweeper", Messages: "Signal `record_changed`; Query `progress`",
			Ends: "Completed when the registration is REGISTERED or over; its deregistration is another run",
		},
		{
			Name: FileReturnName, Queue: FilingsQueue, ID: FilingID("<filing>"), run: FileReturn,
			Carries: models.WaitingFilings, prefix: FilingID(""),
			Started: "sweeper",
			Messages: "Updates `approve`, `pause`, `resume`, `skip`, `cancel`, `retry`; " +
				"Signal `record_changed`; Query `progress`",
			Ends: "Completed when the filing is FILED and locked, SKIPPED or CANCELLED",
		},
		{
			Name: PlanFilingsName, Queue: FilingsQueue, ID: "plan-filings-<time>", Pinned: true, run: PlanFilings,
			Started: everyDay + "10:05 UTC", Ends: "Completed with the number of filings that were missing",
		},
		{
			Name: ImportTransactionsName, Queue: ImportsQueue, ID: ImportID("<import>"), Pinned: true, run: ImportTransactions,
			Carries: models.WaitingImports, prefix: ImportID(""),
			Started: "sweeper", Messages: "Query `progress`",
			Ends: "Completed when the file is taken in, and when the import is paused or cancelled; " +
				"Failed after a defect that came up in every attempt",
		},
		{
			Name: DeliverWebhooksName, Queue: WebhooksQueue, ID: WebhookID("<endpoint>"), run: DeliverWebhooks,
			Carries: models.WaitingWebhooks, prefix: WebhookID(""),
			Started: "sweeper of webhooks, in every worker process", Messages: "Signal `wake`; Query `progress`",
			Ends: "Completed when nothing is left to send; Failed after a defect that came up in every attempt (the " +
				"sweeper opens another one)",
		},
		{
			Name: ExpireExemptionsName, Queue: ExemptionsQueue, ID: "expire-exemptions-<time>", Pinned: true,
			run:     ExpireExemptions,
			Started: everyDay + "00:05 UTC", Ends: "Completed with the number of exemptions that expired",
		},
		{
			Name: EvaluateNexusName, Queue: NexusQueue, ID: NexusID("<batch>"), Pinned: true, run: EvaluateNexus,
			Started: "watch of nexus, in every worker process",
			Ends:    "Completed with what changed; Failed after two minutes (its organizations are due again)",
		},
		{
			Name: EvaluateAllNexusName, Queue: NexusQueue, ID: "evaluate-nexus-<time>", Pinned: true, run: EvaluateAllNexus,
			Started: everyDay + "00:05 UTC", Ends: "Completed with the number of records that say something new",
		},
		{
			Name: ApplyObligationName, Queue: NexusQueue, ID: ObligationID("<nexus record>"), Pinned: true, run: ApplyObligation,
			Started: "`EvaluateNexus` and `EvaluateAllNexus`, as a child that goes on by itself",
			Ends:    "Completed when all liabilities follow the obligation",
		},
		{
			Name: RecountNexusName, Queue: NexusQueue, ID: "recount-nexus-<time>", Pinned: true, run: RecountNexus,
			Started: everyDay + "02:30 UTC", Ends: "Completed with the differences that were put right: zero",
		},
		{
			Name: FetchRateFilesName, Queue: ImportsQueue, ID: "fetch-rate-files-<time>", Pinned: true, run: FetchRateFiles,
			Started: everyDay + "11:40 UTC", Ends: "Completed with the states whose files are in force, wait for a person, are " +
				"refused or out of reach",
		},
		{
			Name: FetchAcknowledgementsName, Queue: FilingsQueue, ID: "fetch-acknowledgements-<time>", Pinned: true,
			run:     FetchAcknowledgements,
			Started: everyDay + "03:20 UTC and every six hours after it",
			Ends:    "Completed with what states have acknowledged, with the authorities that are out of reach, and with those whose queues fail",
		},
	}
}

// carriers are made once: RecordOf is asked about each of thousands of runs.
var carriers = slices.DeleteFunc(Catalogue(), func(w Workflow) bool { return w.Carries == "" })

// Carriers are the workflows each run of which carries one record for long.
func Carriers() []Workflow { return slices.Clone(carriers) }

// RecordOf is the record that the workflow of an id carries; false if it carries none.
func RecordOf(workflowID string) (kind, id string, ok bool) {
	for _, w := range carriers {
		if id, ok := strings.CutPrefix(workflowID, w.prefix); ok && id != "" {
			return w.Carries, id, true
		}
	}
	return "", "", false
}

// Queues are the task queues of all workflows.
func Queues() []string {
	var queues []string
	for _, w := range Catalogue() {
		for _, queue := range []string{w.Queue, w.Background} {
			if queue != "" && !slices.Contains(queues, queue) {
				queues = append(queues, queue)
			}
		}
	}
	return queues
}

// options are those with which a worker registers the workflow.
func (w Workflow) options() workflow.RegisterOptions {
	behavior := workflow.VersioningBehaviorAutoUpgrade
	if w.Pinned {
		behavior = workflow.VersioningBehaviorPinned
	}
	return workflow.RegisterOptions{Name: w.Name, VersioningBehavior: behavior}
}

// Register makes the workflows of a queue, Heartbeat among them, and their activities known to its worker.
func Register(registry sdkworker.Registry, queue string, activities ...any) {
	for _, w := range Catalogue() {
		if w.Queue == queue || w.Background == queue || w.Name == HeartbeatName {
			registry.RegisterWorkflowWithOptions(w.run, w.options())
		}
	}
	for _, a := range activities {
		registry.RegisterActivity(a)
	}
}
