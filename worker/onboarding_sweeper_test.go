package worker

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/workflows"
)

// allDue are onboardings that are always due.
type allDue []models.Onboarding

func (d allDue) LeaseOnboardings(context.Context, int) ([]models.Onboarding, error) {
	return slices.Clone(d), nil
}

// counting counts the starts that go through a client.
type counting struct {
	sdkclient.Client
	starts atomic.Int64
}

func (c *counting) ExecuteWorkflow(
	ctx context.Context, o sdkclient.StartWorkflowOptions, workflow any, args ...any,
) (sdkclient.WorkflowRun, error) {
	c.starts.Add(1)
	return c.Client.ExecuteWorkflow(ctx, o, workflow, args...)
}

// A sweep starts only onboardings without an open run. Thousands of waiting ones cost no start.
func TestOnboardingsThatRunAreNotStartedAgain(t *testing.T) {
	t.Parallel()
	client := &counting{Client: dial(t, ClientConfig{})}
	due := make(allDue, 3)
	for i := range due {
		due[i] = models.Onboarding{
			OrganizationID: models.NewID(models.PrefixOrganization), Status: models.OnboardingInProgress,
			Completed: 3,
		}
	}
	sweeper := NewOnboardingSweeper(client, due, quiet)
	running := func() int {
		list, err := openAmong(t.Context(), client, onboardingIDs(due))
		require.NoError(t, err)
		return len(list)
	}
	require.False(t, sweeper.sweep(t.Context()))
	require.EqualValues(t, 3, client.starts.Load())
	require.Eventually(t, func() bool { return running() == 3 }, waitLimit, 20*time.Millisecond)
	sweeper.sweep(t.Context())
	require.EqualValues(t, 3, client.starts.Load(), "all run")

	require.NoError(
		t, client.TerminateWorkflow(t.Context(), workflows.OnboardingID(due[1].OrganizationID), "", "a test"),
	)
	require.Eventually(t, func() bool { return running() == 2 }, waitLimit, 20*time.Millisecond)
	sweeper.sweep(t.Context())
	require.EqualValues(t, 4, client.starts.Load(), "the lost one")
	run, err := client.DescribeWorkflowExecution(t.Context(), workflows.OnboardingID(due[1].OrganizationID), "")
	require.NoError(t, err)
	require.Positive(t, run.GetWorkflowExecutionInfo().GetHistoryLength())
}

// unlisted is a client whose Temporal lists no runs.
type unlisted struct{ counting }

func (*unlisted) ListWorkflow(
	context.Context, *workflowservice.ListWorkflowExecutionsRequest,
) (*workflowservice.ListWorkflowExecutionsResponse, error) {
	return nil, errUnreachable
}

func TestOnboardingsAreStartedWhenTemporalDoesNotListThem(t *testing.T) {
	t.Parallel()
	client := &unlisted{counting{Client: dial(t, ClientConfig{})}}
	due := allDue{
		{OrganizationID: models.NewID(models.PrefixOrganization), Status: models.OnboardingInProgress, Completed: 3},
	}
	NewOnboardingSweeper(client, due, quiet).sweep(t.Context())
	require.EqualValues(t, 1, client.starts.Load())
}
