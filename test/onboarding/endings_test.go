package onboarding_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/secret"
	"levy/models"
	"levy/test/testbed"
	"levy/workflows"
)

// undosOf are the activities that undo an onboarding with n completed steps: the exact list, newest first.
func undosOf(n int) []string {
	undos := []string{
		"ArchiveOrganization", "RevokeAPIKeys", "EraseBusinessDetails", "EraseBusinessAddress",
		"EraseBusinessInformation", "EraseBusinessContact", "EraseBusinessOwners", "EraseBankDetails",
	}
	var all []string
	for step := n; step >= 3; step-- {
		all = append(all, undos[step-1])
	}
	all = append(all, "CancelRegistrations", "DestroyDataKey")
	for step := min(n, 2); step >= 1; step-- {
		all = append(all, undos[step-1])
	}
	return append(all, "FinishCompensation")
}

// activitiesOf are the activities that the newest run of a client has scheduled, in
// their order.
func (c *client) activitiesOf(temporal sdkclient.Client) (names []string) {
	c.t.Helper()
	events := temporal.GetWorkflowHistory(context.Background(), workflows.OnboardingID(c.id), "", false,
		enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(c.t, err)
		if scheduled := event.GetActivityTaskScheduledEventAttributes(); scheduled != nil {
			names = append(names, scheduled.GetActivityType().GetName())
		}
	}
	return names
}

// requireUndone checks that the newest run ended with the expected status, and that after its earlier activities it
// undid exactly the steps that were tried, of which some were done.
func (c *client) requireUndone(
	temporal sdkclient.Client, tried, done int, before []string, status enumspb.WorkflowExecutionStatus,
) {
	c.t.Helper()
	c.bed.Eventually("the run has ended", func(ctx context.Context) (bool, error) {
		run, err := temporal.DescribeWorkflowExecution(ctx, workflows.OnboardingID(c.id), "")
		got := run.GetWorkflowExecutionInfo().GetStatus()
		return err == nil && got == status, fmt.Errorf("%s: %w", got, err)
	})
	want, got := append(before, undosOf(tried)...), c.activitiesOf(temporal)
	if c.unsure { // on a busy machine a step that was not answered in time is sent, and tried, again
		want, got = slices.Compact(want), slices.Compact(got)
	}
	require.Equal(c.t, want, got)
	var undone []any
	for _, step := range c.onboarding()["steps"].([]any) {
		if one := step.(map[string]any); one["status"] == "COMPENSATED" {
			undone = append(undone, one["number"])
		}
	}
	require.Len(c.t, undone, done)
	require.Zero(c.t, c.bed.Count(`
		SELECT count(*) FROM organizations o
		 WHERE o.id = $1 AND (o.status <> 'ARCHIVED' OR EXISTS (SELECT FROM data_keys k WHERE k.organization_id = o.id)
		       OR EXISTS (SELECT FROM personal_data p WHERE p.organization_id = o.id)
		          OR EXISTS (SELECT FROM bank_details b WHERE b.organization_id = o.id)
		       OR EXISTS (SELECT FROM api_keys k WHERE k.organization_id = o.id AND k.revoked_at IS NULL))`,
		c.id), "nothing is left to be undone")
}

// clientsAt are clients; the first has done one step, the next one two, and so on.
func clientsAt(t *testing.T, bed *testbed.Bed, name string, most int) []*client {
	t.Helper()
	clients := make([]*client, most)
	for i := range clients {
		clients[i] = newClient(t, bed, fmt.Sprintf("%s %d", name, i+1))
		clients[i].upTo(i + 1)
	}
	return clients
}

var stepActivities = []string{
	"CreateOrganization", "CreateAPIKey", "SaveBusinessDetails", "SaveBusinessAddress",
	"SaveBusinessInformation", "SaveBusinessContact", "SaveBusinessOwners", "SaveBankDetails",
}

// An onboarding that is cancelled after any step is undone, newest step first, whoever
// cancels it.
func TestAnOnboardingIsUndoneAfterItIsCancelled(t *testing.T) {
	t.Parallel()
	stranger, ok := secret.ProofKey(secret.NewAPIKey(secret.KindOperator))
	require.True(t, ok)
	for who, cancels := range map[string]func(*testbed.Bed, sdkclient.Client) func(*client){
		"the partner": func(*testbed.Bed, sdkclient.Client) func(*client) {
			return func(c *client) {
				a := c.cancel()
				require.Equal(c.t, http.StatusOK, a.status, a.raw)
			}
		},
		"staff": func(bed *testbed.Bed, temporal sdkclient.Client) func(*client) {
			ann := operatorKey(t, bed)
			return func(c *client) {
				require.NoError(c.t, temporal.CancelWorkflow(context.Background(), workflows.OnboardingID(c.id), ""))
				require.ErrorContains(c.t, c.confirm(temporal, nil), models.ErrNoProof.Error())
				require.ErrorContains(c.t, c.confirm(temporal, stranger), models.ErrNoOperator.Error())
				require.Equal(c.t, "IN_PROGRESS", c.onboarding()["status"])
				require.NoError(c.t, c.confirm(temporal, ann))
				require.Equal(c.t, "The run was cancelled by Ann Lee.", c.onboarding()["reason"])
				require.Equal(c.t, 1, bed.Count(`SELECT count(*)
					FROM audit
					WHERE organization_id = $1 AND entity_type = 'onboarding' AND staff = 'Ann Lee'`, c.id))
			}
		},
	} {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			bed := testbed.New(t, testbed.Options{})
			bed.API.Start()
			bed.Worker.Start()
			temporal := bed.Temporal()
			cancel := cancels(bed, temporal)
			most := 7
			if who == "staff" {
				most = 2 // what is undone does not depend on who ends it
			}
			clients := clientsAt(t, bed, "Acme", most)
			for _, c := range clients {
				cancel(c)
			}
			ends := []string{"EndOnboarding"}
			if who == "staff" {
				ends = append(ends, "EndOnboarding") // the first is refused: its key is unknown
			}
			for i, c := range clients {
				before := append(append([]string{}, stepActivities[:i+1]...), ends...)
				c.requireUndone(temporal, i+1, i+1, before, enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED)
				require.Equal(t, "CANCELLED", c.onboarding()["status"])
			}
		})
	}
}

// operatorKey is what the operator Ann Lee signs with.
func operatorKey(t *testing.T, bed *testbed.Bed) ed25519.PrivateKey {
	t.Helper()
	var made struct {
		Key string `json:"operator_key"`
	}
	require.NoError(t, json.Unmarshal(bed.Run("operator", "add", "Ann Lee"), &made))
	key, ok := secret.ProofKey(made.Key)
	require.True(t, ok)
	return key
}

// confirm is the confirmation that staff send after a cancellation of the run.
func (c *client) confirm(temporal sdkclient.Client, key ed25519.PrivateKey) error {
	run, in := workflows.OnboardingID(c.id), workflows.ConfirmationInput{OrganizationID: c.id}
	if key != nil {
		in.Proof = models.SignUpdate(key, in.Statement(run, workflows.ConfirmCancellationUpdate), time.Now())
	}
	handle, err := temporal.UpdateWorkflow(context.Background(), sdkclient.UpdateWorkflowOptions{
		WorkflowID: run, UpdateName: workflows.ConfirmCancellationUpdate,
		Args: []any{in}, WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		return err
	}
	return handle.Get(context.Background(), nil)
}

// due makes every onboarding due for the sweepers.
func due(bed *testbed.Bed) {
	bed.Exec("UPDATE onboardings SET next_check_at = now() WHERE next_check_at IS NOT NULL")
}

// A run that is terminated after any step is replaced by the sweeper: an onboarding in
// progress continues, and a compensation is completed.
func TestAnOnboardingContinuesAfterItsRunIsTerminated(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	bed := testbed.New(t, testbed.Options{Failpoints: true})
	bed.API.Start()
	bed.Worker.Start()
	temporal := bed.Temporal()
	terminate := func(c *client) {
		require.NoError(t, temporal.TerminateWorkflow(t.Context(), workflows.OnboardingID(c.id), "", "a test"))
	}
	clients := clientsAt(t, bed, "Acme", 7)
	for _, c := range clients {
		terminate(c)
	}
	for _, c := range clients {
		bed.Eventually("the sweeper started another run", func(ctx context.Context) (bool, error) {
			due(bed) // again: Temporal may list a run as open for a while after its end
			run, err := temporal.DescribeWorkflowExecution(ctx, workflows.OnboardingID(c.id), "")
			return run.GetWorkflowExecutionInfo().GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, err
		})
	}
	for i, c := range clients[:6] { // the last one stays at step 7
		a := c.step(i + 2)
		require.Equal(t, http.StatusOK, a.status, a.raw)
	}

	bed.Worker.Stop()
	bed.Worker.Start("before_undo_commit=error") // for ever
	for _, c := range clients {
		require.Equal(t, http.StatusOK, c.cancel().status)
	}
	for i, c := range clients {
		require.Equal(t, "RUNNING", c.onboarding()["compensation"].(map[string]any)["status"], "after step %d", i+1)
		terminate(c)
	}
	bed.Worker.Kill()
	bed.Worker.Start()
	due(bed)
	for i, c := range clients {
		c.requireUndone(temporal, min(i+2, 7), min(i+2, 7), nil, enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED)
		require.Equal(t, "CANCELLED", c.onboarding()["status"])
	}
}
