package workflows

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
)

func TestTransactionsStart(t *testing.T) {
	t.Parallel()
	options := TransactionsStart("batc_1", refs(12), Recent)
	require.Equal(t, "transactions/batc_1", options.ID)
	require.Equal(t, TransactionsQueue, options.TaskQueue)
	require.Equal(t, enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING, options.WorkflowIDConflictPolicy)
	require.Equal(t, enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE, options.WorkflowIDReusePolicy)
	require.True(t, options.WorkflowExecutionErrorWhenAlreadyStarted)
	require.Nil(t, options.RetryPolicy)
	require.Zero(t, options.WorkflowRunTimeout+options.WorkflowExecutionTimeout, "work is never given up")

	organizations, ok := options.TypedSearchAttributes.GetKeywordList(organizationIDs)
	require.True(t, ok)
	require.Equal(t, []string{"org_0", "org_1", "org_2"}, organizations)
	n, ok := options.TypedSearchAttributes.GetInt64(transactionCount)
	require.True(t, ok)
	require.EqualValues(t, 12, n)
	for key := range options.TypedSearchAttributes.GetUntypedValues() {
		require.Contains(t, SearchAttributes(), key.GetName())
	}
}

// Late work and background work have workers of their own, and background work comes last.
func TestWhatIsNotUrgentYields(t *testing.T) {
	t.Parallel()
	one := refs(1)
	sent, late, background := TransactionsStart("b", one, Recent), TransactionsStart("b", one, Late),
		TransactionsStart("b", one, Background)
	require.Equal(t, TransactionsQueue, sent.TaskQueue)
	require.Equal(t, BackgroundQueue, late.TaskQueue)
	require.Equal(t, BackgroundQueue, background.TaskQueue)
	require.Zero(t, late.Priority.PriorityKey, "as runs have by themselves")
	require.Equal(t, 4, background.Priority.PriorityKey)
	require.Equal(t, "org_0", background.Priority.FairnessKey)
	require.Empty(t, TransactionsStart("b", refs(12), Background).Priority.FairnessKey, "of several organizations")
}

// Of what runs carry for one organization, no client waits behind the mass of another.
func TestRunsOfAnOrganizationShareTheWorkersFairly(t *testing.T) {
	t.Parallel()
	for _, options := range []sdkclient.StartWorkflowOptions{
		OnboardingStart(OnboardingInput{OrganizationID: "org_1"}), FileReturnStart(FileReturnInput{OrganizationID: "org_1"}),
		RegistrationStart(RegistrationInput{OrganizationID: "org_1"}),
		ImportStart(&models.Import{OrganizationID: "org_1"}), WebhookStart(&models.WebhookEndpoint{OrganizationID: "org_1"}),
	} {
		require.Equal(t, "org_1", options.Priority.FairnessKey, options.ID)
		require.Equal(t, []string{"org_1"}, OrganizationsOf(&options))
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	for want, batch := range map[string][]models.Ref{
		"1 transaction of org_0":             refs(1),
		"3 transactions of 3 organizations":  refs(3),
		"12 transactions of 3 organizations": refs(12),
		"2 transactions of org_x":            {{OrganizationID: "org_x", ID: "1"}, {OrganizationID: "org_x", ID: "2"}},
	} {
		require.Equal(t, want, TransactionsStart("b", batch, Recent).StaticSummary)
	}
}

// Staff find and read a run by the public names of its organizations, of which long ones are cut.
func TestRunsHaveTheNamesOfTheirOrganizations(t *testing.T) {
	t.Parallel()
	options := OnboardingStart(OnboardingInput{OrganizationID: "org_0"})
	Named(&options, map[string]string{"org_0": "Läden " + strings.Repeat("x", 100)})
	require.Equal(t, "Onboarding of Läden "+strings.Repeat("x", 100), options.StaticSummary)
	names, _ := options.TypedSearchAttributes.GetKeywordList(organizationNames)
	require.Equal(t, []string{"Läden " + strings.Repeat("x", 54)}, names)
	require.Equal(t, []string{"org_0"}, OrganizationsOf(&options))
	step, _ := options.TypedSearchAttributes.GetKeyword(stepNumber)
	require.Equal(t, "1", step, "what else is there stays")

	options = TransactionsStart("b", refs(3), Recent)
	Named(&options, map[string]string{"org_1": "Beta"})
	names, _ = options.TypedSearchAttributes.GetKeywordList(organizationNames)
	require.Equal(t, []string{"Beta"}, names)
	options = TransactionsStart("b", refs(1), Recent)
	Named(&options, nil)
	require.Equal(t, "1 transaction of org_0", options.StaticSummary, "who is not known keeps the id")
	require.False(t, options.TypedSearchAttributes.ContainsKey(organizationNames))
}

// The server keeps at most 2 KiB of a search attribute.
func TestOrganizationsFitTheirAttribute(t *testing.T) {
	t.Parallel()
	size := len(fmt.Sprintf("%q,", models.NewID(models.PrefixOrganization)))
	require.LessOrEqual(t, 2+size*MaxBatchOrganizations, 2048)
}
