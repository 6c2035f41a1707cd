package worker

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/workflows"
)

// registry records the names under which workflows and activities are registered. Any other way of registering panics.
type registry struct {
	sdkworker.Registry
	workflows, activities []string
}

func (r *registry) RegisterWorkflowWithOptions(_ any, options workflow.RegisterOptions) {
	r.workflows = append(r.workflows, options.Name)
}

func (r *registry) RegisterActivity(a any) {
	for i := range reflect.TypeOf(a).NumMethod() {
		r.activities = append(r.activities, reflect.TypeOf(a).Method(i).Name)
	}
}

// registered returns the names of all queues.
func registered() map[string]*registry {
	queues := map[string]*registry{}
	for _, q := range (Work{}).queues(defaultActivities) {
		r := &registry{}
		workflows.Register(r, q.queue, q.activities...)
		slices.Sort(r.workflows)
		slices.Sort(r.activities)
		queues[q.queue] = r
	}
	return queues
}

// Histories of open runs have these names. A name may be added, never changed or removed.
func TestRegisteredNames(t *testing.T) {
	t.Parallel()
	stages := []string{
		"CalculateTax", "DetermineExemptions", "DetermineNexus", "MarkFailed", "NoteHeartbeat", "VerifyAddresses",
	}
	require.Equal(t, map[string]*registry{
		"transactions":            {workflows: []string{"Heartbeat", "ProcessTransactions"}, activities: stages},
		"transactions-background": {workflows: []string{"Heartbeat", "ProcessTransactions"}, activities: stages},
		"onboarding": {workflows: []string{"Heartbeat", "Onboarding"}, activities: []string{
			"ArchiveOrganization", "CancelRegistrations", "CheckProgress", "CreateAPIKey", "CreateOrganization",
			"DestroyDataKey", "EndOnboarding", "EraseBankDetails", "EraseBusinessAddress", "EraseBusinessContact",
			"EraseBusinessDetails", "EraseBusinessInformation", "EraseBusinessOwners", "FinishCompensation",
			"NoteHeartbeat", "RevokeAPIKeys", "SaveBankDetails", "SaveBusinessAddress", "SaveBusinessContact",
			"SaveBusinessDetails", "SaveBusinessInformation", "SaveBusinessOwners",
		}},
		"imports": {workflows: []string{"FetchRateFiles", "Heartbeat", "ImportTransactions"}, activities: []string{
			"ClearImport", "EndImport", "FetchRates", "ListSources", "NoteHeartbeat", "TakeInRows",
		}},
		"exemptions": {workflows: []string{"ExpireExemptions", "Heartbeat"}, activities: []string{
			"ExpireEndedExemptions", "NoteHeartbeat",
		}},
		"registrations": {workflows: []string{"Heartbeat", "Registration"}, activities: []string{
			"AskAboutRegistration", "CancelLaterFilings", "CloseRegistration", "CreateDefaultProducts", "NoteHeartbeat",
			"ProceedWithRegistration", "RefreshRegistration", "SettleRegistration", "SubmitRegistration",
		}},
		"filings": {workflows: []string{"FetchAcknowledgements", "FileReturn", "Heartbeat", "PlanFilings"}, activities: []string{
			"ApproveFiling", "AskAuthority", "BuildDocument", "FetchAcknowledgements", "LockFiling", "MoveFiling", "NoteHeartbeat",
			"PlanFilings", "PlanRegistration", "RefreshFiling", "ResumeFiling", "SettleFiling", "SubmitReturn",
		}},
		"webhooks": {workflows: []string{"DeliverWebhooks", "Heartbeat"}, activities: []string{"Deliver", "NoteHeartbeat"}},
		"nexus": {
			workflows: []string{"ApplyObligation", "EvaluateAllNexus", "EvaluateNexus", "Heartbeat", "RecountNexus"},
			activities: []string{
				"ApplyObligation", "EnsureNexusRecords", "EvaluateNexus", "EvaluateNexusPage", "FindObligation",
				"NoteHeartbeat", "RecountNexus", "RequeueCalculated", "RequeueForObligation",
			},
		},
	}, registered())
	require.ElementsMatch(t, workflows.Queues(), slices.Collect(maps.Keys(registered())))
}

func TestIDsOfRuns(t *testing.T) {
	t.Parallel()
	require.Equal(t, "onboarding/org_1", workflows.OnboardingID("org_1"))
	require.Equal(t, "registration/regs_1", workflows.RegistrationID("regs_1"))
	require.Equal(t, "filing/file_1", workflows.FilingID("file_1"))
}

func TestOptions(t *testing.T) {
	t.Parallel()
	options := func(c Config) sdkworker.Options { return workerOptions(c, &databaseWatch{}) }
	slots := func(c Config) int { return options(c).Tuner.GetActivityTaskSlotSupplier().MaxSlots() }
	require.Equal(t, stopTimeout, options(Config{}).WorkerStopTimeout)
	require.Equal(t, 3, slots(Config{Activities: 3}))
	require.Equal(t, 1, options(Config{Activities: 1}).MaxConcurrentActivityTaskPollers)
	require.Less(t, options(Config{}).MaxConcurrentActivityTaskPollers, slots(Config{}),
		"slots are left for activities that come with the answer to a workflow task")
}
