package workflows

// Task queues: one for each kind of work, of its workflows and their activities.
const (
	TransactionsQueue = "transactions"
	// BackgroundQueue is for runs of ProcessTransactions that yield to others. It has workers of its own, so that new
	// transactions do not wait behind those of an import or a backlog.
	BackgroundQueue    = "transactions-background"
	OnboardingQueue    = "onboarding"
	RegistrationsQueue = "registrations"
	ExemptionsQueue    = "exemptions"
	FilingsQueue       = "filings"
	ImportsQueue       = "imports"
	WebhooksQueue      = "webhooks"
	NexusQueue         = "nexus"
)

// Registered names of the workflows. They never change.
const (
	ProcessTransactionsName = "ProcessTransactions"
	HeartbeatName           = "Heartbeat" // on every queue
	OnboardingName          = "Onboarding"
	RegistrationName        = "Registration"
	ExpireExemptionsName    = "ExpireExemptions"
	FileReturnName          = "FileReturn"
	PlanFilingsName         = "PlanFilings"
	ImportTransactionsName  = "ImportTransactions"
	DeliverWebhooksName     = "DeliverWebhooks"
	EvaluateNexusName       = "EvaluateNexus"
	EvaluateAllNexusName    = "EvaluateAllNexus"
	ApplyObligationName     = "ApplyObligation"
	RecountNexusName        = "RecountNexus"
	FetchRateFilesName      = "FetchRateFiles"

	FetchAcknowledgementsName = "FetchAcknowledgements"
)

// Registered names of the messages. They never change.
const (
	// ProgressQuery answers how far a run is.
	ProgressQuery = "progress"

	// Of Onboarding. The API cancels with CancelUpdate; staff confirm in the Temporal UI that they mean to cancel.
	SubmitStepUpdate          = "submit_step"
	CancelUpdate              = "cancel"
	ConfirmCancellationUpdate = "confirm_cancellation"

	// Of FileReturn, which staff cancel with CancelUpdate. The signal is one of Registration, too.
	ApproveUpdate       = "approve"
	PauseUpdate         = "pause"
	ResumeUpdate        = "resume"
	SkipUpdate          = "skip"
	RetryUpdate         = "retry"
	RecordChangedSignal = "record_changed"

	// Of DeliverWebhooks.
	WakeSignal = "wake"
)

// HeartbeatID is the id of the only run of Heartbeat at a time on TransactionsQueue.
const HeartbeatID = "heartbeat"

// HeartbeatIDOf is the id of the only run of Heartbeat at a time on a queue.
func HeartbeatIDOf(queue string) string {
	if queue == TransactionsQueue {
		return HeartbeatID
	}
	return HeartbeatID + "/" + queue
}

// TransactionsID is the id of the workflow that processes a batch.
func TransactionsID(batchID string) string { return "transactions/" + batchID }

// OnboardingID is the id of the workflow that carries an onboarding.
func OnboardingID(organizationID string) string { return "onboarding/" + organizationID }

// RegistrationID is the id of the workflow that carries a registration.
func RegistrationID(registrationID string) string { return "registration/" + registrationID }

// FilingID is the id of the workflow that carries a filing.
func FilingID(filingID string) string { return "filing/" + filingID }

// ImportID is the id of the workflow that takes a file in.
func ImportID(importID string) string { return "import/" + importID }

// WebhookID is the id of the workflow that delivers to an endpoint.
func WebhookID(endpointID string) string { return "webhook/" + endpointID }

// NexusID is the id of a workflow that evaluates the nexus of some organizations.
func NexusID(batchID string) string { return "nexus/" + batchID }

// ObligationID is the id of the workflow that has liabilities follow an obligation.
func ObligationID(nexusID string) string { return "obligation/" + nexusID }
