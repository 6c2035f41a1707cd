package worker

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/workflows"
)

// registry notes the names under which workflows and activities are registered.
// Any other way of registering panics.
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

// Names in histories of open runs refer to these; a name may be added, never
// changed or removed.
func TestRegisteredNames(t *testing.T) {
	t.Parallel()
	var r registry
	workflows.Register(&r, workflows.TransactionsQueue, &activities.Processing{}, &activities.Heartbeat{})
	require.Equal(t, []string{"ProcessTransactions", "Heartbeat"}, r.workflows)
	slices.Sort(r.activities)
	require.Equal(t, []string{
		"CalculateTax",
		"DetermineExemptions",
		"DetermineNexus",
		"MarkFailed",
		"NoteHeartbeat",
		"VerifyAddresses",
	}, r.activities)
}

func TestRegisteredNamesOfExemptions(t *testing.T) {
	t.Parallel()
	var r registry
	workflows.Register(&r, workflows.ExemptionsQueue, &activities.Exemptions{})
	require.Equal(t, []string{"ExpireExemptions"}, r.workflows)
	require.Equal(t, []string{"ExpireEndedExemptions"}, r.activities)
}

func TestRegisteredNamesOfImports(t *testing.T) {
	t.Parallel()
	var r registry
	workflows.Register(&r, workflows.ImportsQueue, &activities.Imports{})
	require.Equal(t, []string{"ImportTransactions"}, r.workflows)
	slices.Sort(r.activities)
	require.Equal(t, []string{"ClearImport", "EndImport", "TakeInRows"}, r.activities)
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

func TestRegisteredNamesOfOnboarding(t *testing.T) {
	t.Parallel()
	var r registry
	workflows.Register(&r, workflows.OnboardingQueue, &activities.Onboarding{})
	require.Equal(t, []string{"Onboarding"}, r.workflows)
	slices.Sort(r.activities)
	require.Equal(t, []string{
		"ArchiveOrganization", "CancelRegistrations", "CheckProgress", "CreateAPIKey", "CreateOrganization",
		"DestroyDataKey", "EndOnboarding",
		"EraseBankDetails", "EraseBusinessAddress", "EraseBusinessContact", "EraseBusinessDetails",
		"EraseBusinessInformation", "EraseBusinessOwners",
		"FinishCompensation", "RevokeAPIKeys", "SaveBankDetails", "SaveBusinessAddress", "SaveBusinessContact",
		"SaveBusinessDetails",
		"SaveBusinessInformation", "SaveBusinessOwners",
	}, r.activities)
	require.Equal(t, "onboarding/org_1", workflows.OnboardingID("org_1"))
}

func TestRegisteredNamesOfRegistrations(t *testing.T) {
	t.Parallel()
	var r registry
	workflows.Register(&r, workflows.RegistrationsQueue, &activities.Registration{})
	require.Equal(t, []string{"Registration"}, r.workflows)
	slices.Sort(r.activities)
	require.Equal(t, []string{
		"AskAboutRegistration", "CancelLaterFilings", "CloseRegistration", "CreateDefaultProducts", "LookAtRegistration",
		"ProceedWithRegistration", "RefreshRegistration", "SettleRegistration", "SubmitRegistration",
	}, r.activities)
	require.Equal(t, "registration/regs_1", workflows.RegistrationID("regs_1"))
}

func TestRegisteredNamesOfFilings(t *testing.T) {
	t.Parallel()
	var r registry
	workflows.Register(&r, workflows.FilingsQueue, &activities.Filing{}, &activities.FilingPlan{})
	require.Equal(t, []string{"FileReturn", "PlanFilings"}, r.workflows)
	slices.Sort(r.activities)
	require.Equal(t, []string{
		"ApproveFiling", "AskAuthority", "LockFiling", "LookAtFiling", "MoveFiling", "PlanFilings", "PlanRegistration",
		"RefreshFiling", "ResumeFiling", "SettleFiling", "SubmitReturn",
	}, r.activities)
	require.Equal(t, "filing/file_1", workflows.FilingID("file_1"))
}
