package workflows

// TransactionsQueue is the task queue of ProcessTransactions and its activities.
const TransactionsQueue = "transactions"

// BackgroundQueue is the task queue of those runs of ProcessTransactions that yield to others: it has workers of its
// own, so that what has just been sent does not wait behind the mass of an import or of a backlog.
const BackgroundQueue = "transactions-background"

// ProcessTransactionsName is the registered name. Registered names never change.
const ProcessTransactionsName = "ProcessTransactions"

// HeartbeatName is the registered name of a workflow of every queue. Registered names never
// change.
const HeartbeatName = "Heartbeat"

// HeartbeatID is the id of the only run of Heartbeat at a time on TransactionsQueue.
const HeartbeatID = "heartbeat"

// HeartbeatIDOf is the id of the only run of Heartbeat at a time on a queue.
func HeartbeatIDOf(queue string) string {
	if queue == TransactionsQueue {
		return HeartbeatID
	}
	return HeartbeatID + "/" + queue
}

// OnboardingQueue is the task queue of Onboarding and its activities.
const OnboardingQueue = "onboarding"

// Registered names of Onboarding, its Updates included. They never change.
const (
	OnboardingName   = "Onboarding"
	SubmitStepUpdate = "submit_step"
	CancelUpdate     = "cancel"
	// ConfirmCancellationUpdate is how staff confirm in the Temporal UI that they mean to cancel.
	ConfirmCancellationUpdate = "confirm_cancellation"
)

const onboardingPrefix = "onboarding/"

// OnboardingID is the id of the workflow that carries an onboarding.
func OnboardingID(organizationID string) string { return onboardingPrefix + organizationID }

// RegistrationsQueue is the task queue of Registration and its activities.
const RegistrationsQueue = "registrations"

// RegistrationName is the registered name. Registered names never change.
const RegistrationName = "Registration"

const registrationPrefix = "registration/"

// RegistrationID is the id of the workflow that carries a registration.
func RegistrationID(registrationID string) string { return registrationPrefix + registrationID }

// ExemptionsQueue is the task queue of ExpireExemptions and its activity.
const ExemptionsQueue = "exemptions"

// ExpireExemptionsName is the registered name. Registered names never change.
const ExpireExemptionsName = "ExpireExemptions"

// FilingsQueue is the task queue of FileReturn, PlanFilings and their activities.
const FilingsQueue = "filings"

// Registered names of FileReturn, its messages, and PlanFilings. They never change.
// Staff cancel a filing with CancelUpdate.
const (
	FileReturnName      = "FileReturn"
	ApproveUpdate       = "approve"
	PauseUpdate         = "pause"
	ResumeUpdate        = "resume"
	SkipUpdate          = "skip"
	RetryUpdate         = "retry"
	RecordChangedSignal = "record_changed"
	PlanFilingsName     = "PlanFilings"
)

const filingPrefix = "filing/"

// FilingID is the id of the workflow that carries a filing.
func FilingID(filingID string) string { return filingPrefix + filingID }

// ImportsQueue is the task queue of ImportTransactions and its activities.
const ImportsQueue = "imports"

// ImportTransactionsName is the registered name. Registered names never change.
const ImportTransactionsName = "ImportTransactions"

const importPrefix = "import/"

// ImportID is the id of the workflow that takes a file in.
func ImportID(importID string) string { return importPrefix + importID }

// WebhooksQueue is the task queue of DeliverWebhooks and its activity.
const WebhooksQueue = "webhooks"

// Registered names of DeliverWebhooks and its signal. They never change.
const (
	DeliverWebhooksName = "DeliverWebhooks"
	WakeSignal          = "wake"
)

const webhookPrefix = "webhook/"

// WebhookID is the id of the workflow that delivers to an endpoint.
func WebhookID(endpointID string) string { return webhookPrefix + endpointID }

// NexusQueue is the task queue of the nexus workflows and their activities.
const NexusQueue = "nexus"

// Registered names of the nexus workflows. They never change.
const (
	EvaluateNexusName    = "EvaluateNexus"
	EvaluateAllNexusName = "EvaluateAllNexus"
	ApplyObligationName  = "ApplyObligation"
	RecountNexusName     = "RecountNexus"
)

// NexusID is the id of a workflow that evaluates the nexus of some organizations.
func NexusID(batchID string) string { return "nexus/" + batchID }

// ObligationID is the id of the workflow that has liabilities follow an obligation.
func ObligationID(nexusID string) string { return "obligation/" + nexusID }

// ProgressQuery answers how far a run is.
const ProgressQuery = "progress"

// TransactionsID is the id of the workflow that processes a batch.
func TransactionsID(batchID string) string { return "transactions/" + batchID }
