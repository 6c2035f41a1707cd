package onboarding_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"google.golang.org/protobuf/proto"

	"levy/store/storetest"
	"levy/test/testbed"
	"levy/workflows"
)

// waitUndone waits until everything is undone.
func (c *client) waitUndone() {
	c.t.Helper()
	c.bed.Eventually("the onboarding is undone", func(context.Context) (bool, error) {
		compensation, _ := c.onboarding()["compensation"].(map[string]any)
		return compensation["status"] == "DONE", fmt.Errorf("%v", compensation)
	})
}

// requireErased checks that of a client only its records are left.
func (c *client) requireErased(status string) {
	c.t.Helper()
	o := c.onboarding()
	require.Equal(c.t, status, o["status"])
	for _, step := range o["steps"].([]any) {
		require.Contains(c.t, []any{"COMPENSATED", "PENDING"}, step.(map[string]any)["status"])
	}
	for what, count := range map[string]string{
		"data keys":     "SELECT count(*) FROM data_keys",
		"sealed values": "SELECT count(*) FROM personal_data",
		"bank details":  "SELECT count(*) FROM bank_details",
		"documents": `SELECT count(*)
			FROM organization_details
			WHERE coalesce(business_details, business_address, business_information, business_contact,
			               business_owners) IS NOT NULL`,
		"living keys": `SELECT count(*) FROM api_keys k JOIN organizations o ON o.id = k.organization_id
			  AND o.parent_organization_id IS NOT NULL
			WHERE k.revoked_at IS NULL`,
		"living clients": "SELECT count(*) FROM organizations WHERE parent_organization_id IS NOT NULL AND status = 'ACTIVE'",
	} {
		require.Zero(c.t, c.bed.Count(count), what)
	}
	again := newClient(c.t, c.bed, c.name)
	require.Equal(c.t, http.StatusOK, again.step(1).status, "the name is free")
}

// dump is the content of the database.
func (c *client) dump() string {
	c.t.Helper()
	return strings.Join(slices.Collect(maps.Values(storetest.Dump(c.t, c.bed.DatabaseURL))), "\n")
}

// requireHidden checks that no personal value of the client is readable in the database, in Temporal or in a log.
func (c *client) requireHidden() {
	c.t.Helper()
	var text strings.Builder
	text.WriteString(c.dump())
	temporal := c.bed.Temporal()
	events := temporal.GetWorkflowHistory(context.Background(), workflows.OnboardingID(c.id), "", false,
		enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	seen := 0
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(c.t, err)
		raw, err := proto.Marshal(event)
		require.NoError(c.t, err)
		text.Write(raw)
		seen++
	}
	require.Positive(c.t, seen)
	for _, value := range planted {
		require.NotContains(c.t, text.String(), value)
		require.Zero(c.t, c.bed.API.Logged(value)+c.bed.Worker.Logged(value))
	}
}

func TestAnOnboardingOfEightStepsCompletes(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.Set("LEVY_WEBHOOK_HOSTS", "127.0.0.1")
	bed.API.Start()
	bed.Worker.Start()
	c := newClient(t, bed, "Acme Trading")
	require.Equal(t, http.StatusOK, c.step(1).status)
	require.Equal(t, http.StatusOK, c.step(2).status)
	for n := 3; n <= 8; n++ {
		for later := n + 1; later <= 8; later++ {
			refused := c.step(later)
			require.Equal(t, http.StatusConflict, refused.status)
			require.InDelta(t, n, refused.body["next_step"], 0)
		}
		a := c.step(n)
		require.Equal(t, http.StatusOK, a.status, a.raw)
		for _, value := range planted {
			require.NotContains(t, a.raw, value, "an answer shows masks only")
		}
		require.Equal(t, http.StatusOK, c.step(n).status, "again")
	}
	o := c.onboarding()
	require.Equal(t, "COMPLETED", o["status"])
	require.Nil(t, o["expires_at"])
	duplicate := newClient(t, bed, "acme  TRADING").step(1)
	require.Equal(t, http.StatusConflict, duplicate.status)
	require.Equal(t, c.id, duplicate.body["existing_id"])
	c.requireHidden()
	c.requireErasable()
}

func TestCancelledClientIsErased(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	c := newClient(t, bed, "Acme Trading")
	c.upTo(7)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM data_keys"))
	a := c.cancel()
	require.Equal(t, http.StatusOK, a.status, a.raw)
	require.Equal(t, "CANCELLED", a.body["status"])
	require.Contains(t, []int{http.StatusConflict, http.StatusUnauthorized}, c.step(8).status)
	c.waitUndone()
	require.Equal(t, http.StatusOK, c.cancel().status, "again")
	c.requireHidden()
	c.requireErased("CANCELLED")
}

// Staff cancel or terminate the run, or Temporal loses all data: the onboarding is continued or compensated from the
// record.
func TestATerminatedOnboardingContinues(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	c := newClient(t, bed, "Acme Trading")
	c.upTo(4)
	temporal := bed.Temporal()
	require.NoError(t, temporal.TerminateWorkflow(t.Context(), workflows.OnboardingID(c.id), "", "a test"))
	for n := 5; n <= 7; n++ {
		a := c.step(n)
		require.Equal(t, http.StatusOK, a.status, a.raw)
	}

	require.NoError(t, temporal.TerminateWorkflow(t.Context(), workflows.OnboardingID(c.id), "", "a test"))
	bed.Eventually("the sweeper started another run", func(ctx context.Context) (bool, error) {
		run, err := temporal.DescribeWorkflowExecution(ctx, workflows.OnboardingID(c.id), "")
		return err == nil && run.GetWorkflowExecutionInfo().GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, err
	})
	require.NoError(t, temporal.CancelWorkflow(t.Context(), workflows.OnboardingID(c.id), ""))
	require.NoError(t, c.confirm(temporal, operatorKey(t, bed)))
	c.waitUndone()
	c.requireErased("CANCELLED")
}

// While Temporal is down steps are refused with 503 and nothing is written; they
// succeed when it is back. Sales are not affected.
func TestStepsAreRefusedWhileTemporalIsDown(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true})
	bed.API.Start()
	bed.Worker.Start()
	c := newClient(t, bed, "Acme Trading")
	c.upTo(3)
	bed.KillTemporal()
	for n := 3; n <= 4; n++ {
		a, err := c.try(n)
		require.NoError(t, err)
		require.Equal(t, http.StatusServiceUnavailable, a.status, a.raw)
		require.NotEmpty(t, a.header.Get("Retry-After"))
		require.Equal(t, "service_unavailable", a.body["code"])
	}
	other := newClient(t, bed, "Other")
	refused, err := other.try(1)
	require.NoError(t, err)
	require.Equal(t, http.StatusServiceUnavailable, refused.status, refused.raw)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM organizations WHERE parent_organization_id IS NOT NULL"),
		"nothing was written")
	require.Equal(t, 3, bed.Count("SELECT completed FROM onboardings WHERE status = 'IN_PROGRESS'"))
	bed.StartTemporal(t.Context())
	bed.Eventually("step 4 is accepted", func(context.Context) (bool, error) {
		a, err := c.try(4)
		return err == nil && a.status == http.StatusOK, fmt.Errorf("%s: %w", a.raw, err)
	})

	bed.KillTemporal()
	bed.DestroyTemporal()
	bed.StartTemporal(t.Context())
	for n := 5; n <= 8; n++ {
		bed.Eventually("the step is accepted", func(context.Context) (bool, error) {
			a, err := c.try(n)
			return err == nil && a.status == http.StatusOK, fmt.Errorf("%s: %w", a.raw, err)
		})
	}
	require.Equal(t, "COMPLETED", c.onboarding()["status"])
}

// The worker dies before or after the commit of each step; the client, who has no
// answer, sends the step again.
func TestWorkerKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	for _, point := range []string{"before_step_commit", "after_step_commit"} {
		for _, steps := range [][2]int{{1, 4}, {5, 8}} {
			t.Run(fmt.Sprintf("%s, steps %d to %d", point, steps[0], steps[1]), func(t *testing.T) {
				t.Parallel()
				bed := testbed.New(t, testbed.Options{Failpoints: true})
				bed.API.Start()
				c := newClient(t, bed, "Acme Trading")
				c.once = []string{"Idempotency-Key", "step-1"}
				if steps[0] > 1 {
					bed.Worker.Start()
					c.upTo(steps[0] - 1)
				}
				for n := steps[0]; n <= steps[1]; n++ {
					bed.Worker.Kill()
					bed.Worker.Start(point + "=kill")
					c.stepWhileKilled(n)
				}
				require.InDelta(t, steps[1], c.onboarding()["current_step"], 0)
				require.Equal(t, 1, bed.Count("SELECT count(*) FROM organizations WHERE parent_organization_id IS NOT NULL"))
			})
		}
	}
}

// stepWhileKilled does a step whose worker is about to die, and starts another.
func (c *client) stepWhileKilled(n int) {
	c.t.Helper()
	unanswered := make(chan answer, 1)
	go func() { a, _ := c.try(n); unanswered <- a }()
	c.bed.Worker.WaitKilled()
	c.bed.Worker.Start()
	first := <-unanswered
	if first.status == http.StatusOK {
		return
	}
	require.Equal(c.t, http.StatusServiceUnavailable, first.status, "step %d: %s", n, first.raw)
	require.Equal(c.t, "outcome_unknown", first.body["code"], "step %d", n)
	c.bed.Eventually("the step is done", func(context.Context) (bool, error) {
		a, err := c.try(n)
		require.NotEqual(c.t, http.StatusConflict, a.status, "a repeat of step 1 has the same key: %s", a.raw)
		return a.status == http.StatusOK, fmt.Errorf("%s: %w", a.raw, err)
	})
}
