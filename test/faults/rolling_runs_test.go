package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"levy/test/testbed"
	"levy/workflows"
)

// openRuns are workflows that are in progress when a release begins: the new code continues what the old code began.
type openRuns struct {
	*load
	stays, leaves *onboardingClient
	approver      *filer
	approveAfter  int // processes that were replaced
}

// openBefore takes two clients through half of their onboarding, and lets a return wait for
// its approval.
func openBefore(bed *testbed.Bed, apis []*testbed.Service, ledger *ledger) *openRuns {
	l := &load{bed: bed, apis: apis, ledger: ledger, codes: map[string]int{}}
	random := rand.New(rand.NewPCG(1, 1))
	o := &openRuns{
		load:         l,
		approveAfter: 2, // both APIs
		stays:        &onboardingClient{load: l, random: random, name: "Client who stays", next: 1},
		leaves:       &onboardingClient{load: l, random: random, name: "Client who leaves", next: 1, leaves: 6},
	}
	l.clients = []*onboardingClient{o.stays, o.leaves}
	o.step(o.stays, 4)
	o.step(o.leaves, 6)
	o.openReturn()
	return o
}

// step lets a client do its steps up to last. A step that was not answered in time is sent again.
func (o *openRuns) step(c *onboardingClient, last int) {
	o.bed.TB().Helper()
	o.bed.Eventually(fmt.Sprintf("%s has done step %d", c.name, last), func(context.Context) (bool, error) {
		if c.next <= last {
			c.step()
		}
		return c.next > last, fmt.Errorf("%v", o.codes)
	})
}

func (o *openRuns) openReturn() {
	t, to := o.bed.TB(), places[1]
	t.Helper()
	o.bed.Exec(`UPDATE organizations
		SET is_test = true
		WHERE id = $1`, o.bed.OrganizationID) // its authority answers by itself
	registration := o.bed.Post("/v1/registrations", map[string]any{
		"country_code": "US", "state_code": to.state, "filing_frequency": "MONTHLY", "imported": true,
		"registration_date": "2026-01-01", "do_not_file": true,
	})
	require.Equal(t, http.StatusOK, registration.Status, "%s", registration.Body)
	const sale, n = "OF-THE-RETURN", 3
	posted := o.bed.Post("/v1/transactions", saleTo(sale, n, 1, "2026-04-10"))
	require.Equal(t, http.StatusAccepted, posted.Status, "%s", posted.Body)
	o.ledger.record(entry{Kind: kindSale, ID: sale, N: n, Place: 1, Outcome: accepted})
	o.bed.Eventually("the sale of the return is processed", func(context.Context) (bool, error) {
		return o.bed.Get("/v1/transactions/external/"+sale).Field("processing_status") == "PROCESSED", nil
	})
	filing := o.bed.Post("/v1/filings", map[string]any{
		"registration_id": registration.Field("id"), "country_code": "US", "state_code": to.state, "state_name": "Washington",
		"start_date": "2026-04-01", "end_date": "2026-04-30", "status": "UNFILED",
	})
	require.Equal(t, http.StatusOK, filing.Status, "%s", filing.Body)
	o.approver = &filer{load: o.load, random: o.stays.random, filing: filing.Field("id")}
	temporal := o.bed.Temporal()
	o.bed.Eventually("the return's run is open", func(ctx context.Context) (bool, error) {
		_, err := temporal.DescribeWorkflowExecution(ctx, workflows.FilingID(o.approver.filing), "")
		return err == nil, err
	})
}

// proceed does the next thing once so many processes are of the new version: a step, the approval, and the cancellation of
// an onboarding. What a busy machine does not answer in time is tried again later.
func (o *openRuns) proceed(replaced int) (done bool) {
	if o.stays.next <= 4+replaced {
		o.stays.step()
	}
	if replaced >= o.approveAfter && o.approver.phase != phaseFiled {
		o.approver.approve()
	}
	if replaced >= 3 { // a worker, too
		o.leaves.step()
	}
	return o.stays.next > 8 && o.approver.phase == phaseFiled && o.leaves.gone
}

// requireEnded completes all workflows, and checks that no task failed of those whose code is the same.
func (o *openRuns) requireEnded(t *testing.T, unchanged ...string) {
	t.Helper()
	o.complete()
	for _, id := range unchanged {
		require.Empty(t, taskFailures(t, o.bed, id), id)
	}
	o.requireUndone()
	require.Empty(t, o.wrong)
}

// complete requests all that is left to do, and waits until it is done.
func (o *openRuns) complete() {
	o.bed.TB().Helper()
	o.bed.Eventually("everything is requested",
		func(context.Context) (bool, error) { return o.proceed(4), fmt.Errorf("%v", o.codes) })
	o.bed.Eventually("what was open has been completed", func(context.Context) (bool, error) {
		left := o.bed.Rows(`SELECT id, status FROM filings WHERE status <> 'FILED' OR locked_at IS NULL UNION ALL
			SELECT organization_id, status
			FROM onboardings
			WHERE status = 'IN_PROGRESS' OR status = 'CANCELLED' AND compensation_finished_at IS NULL`)
		return len(left) == 0, fmt.Errorf("%v", left)
	})
}

// taskFailures are the causes of failed workflow tasks: they fail when the code does not fit the history.
func taskFailures(t *testing.T, bed *testbed.Bed, workflowID string) (causes []string) {
	t.Helper()
	events := bed.Temporal().GetWorkflowHistory(t.Context(), workflowID, "", false,
		enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		failed := event.GetWorkflowTaskFailedEventAttributes()
		// A signal that comes while a workflow ends fails its task, and the next task has the signal.
		if failed != nil && failed.GetCause() != enums.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND {
			causes = append(causes, failed.GetCause().String())
		}
	}
	return causes
}
