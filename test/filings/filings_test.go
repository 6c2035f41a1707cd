package filings_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/secret"
	"levy/test/testbed"
	"levy/workflows"
)

// monthBefore is the first day of the month so many months ago.
func monthBefore(n int) string {
	return testbed.FirstOfPeriod(n).Format(time.DateOnly)
}

// sale posts a processed sale of last month.
func (b *bed) sale(externalID string) {
	b.t.Helper()
	sale := testbed.Sale(externalID, 1)
	sale["date"] = monthBefore(1) + "T12:00:00Z"
	b.post("/v1/transactions", sale)
}

// Each filing gets another answer of the authority: acceptance, rejection, a lost answer, and an outage.
func TestFilingsFollowEveryAnswerOfTheAuthority(t *testing.T) {
	t.Parallel()
	b := newBed(t, testbed.Options{})
	b.API.Start()
	b.Worker.Start()
	b.sale("S-1")
	words := map[string]string{"NY": "", "NV": "SIMULATE_REJECT", "TX": "SIMULATE_TIMEOUT", "CA": "SIMULATE_OUTAGE"}
	b.register(slices.Sorted(maps.Keys(words))...)
	b.plan()
	b.waitFilings(len(words), "UNFILED")
	for state, word := range words {
		b.Exec("UPDATE filings SET internal_notes = $2 WHERE state_code = $1", state, word)
	}
	b.autoFile()
	b.waitFilings(1, "ISSUE")
	b.waitFilings(3, "FILED")
	require.Equal(t, 1, b.Count(`SELECT count(*)
		FROM filings
		WHERE status = 'ISSUE' AND state_code = 'NV' AND issue_reason = 'SIMULATED_REJECTION'`),
		b.Rows("SELECT state_code, status, issue_reason, internal_notes FROM filings"))

	t.Run("staff find the filings that wait for them, by jurisdiction and period", func(t *testing.T) {
		query := fmt.Sprintf("WorkflowType = 'FileReturn' AND Jurisdiction = 'US-NV' AND FilingPeriod STARTS_WITH '%s' "+
			"AND WaitsFor = 'RETRY' AND OrganizationId = '%s'",
			monthBefore(1)[:7], b.OrganizationID)
		b.Eventually("the filing is found", func(ctx context.Context) (bool, error) {
			found, err := b.temporal.ListWorkflow(ctx,
				&workflowservice.ListWorkflowExecutionsRequest{Namespace: b.TemporalNamespace, Query: query})
			if err != nil || len(found.GetExecutions()) != 1 {
				return false, err
			}
			return found.GetExecutions()[0].GetExecution().GetWorkflowId() == workflows.FilingID(b.filingOf("NV")), nil
		})
	})
	t.Run("staff retry a corrected filing, and not a filed one", func(t *testing.T) {
		require.Error(t, b.staff(b.filingOf("NV"), workflows.PauseUpdate, workflows.FilingMessage{By: "Ann"}))
		b.Exec("UPDATE filings SET internal_notes = NULL WHERE state_code = 'NV'")
		require.ErrorContains(t, b.staff(b.filingOf("NV"), workflows.RetryUpdate,
			workflows.FilingMessage{By: "Ann", Proof: "Ann"}), "InvalidInput")
		ann := b.operator
		b.operator = secret.NewAPIKey(secret.KindOperator)
		require.ErrorContains(t, b.staff(b.filingOf("NV"), workflows.RetryUpdate, workflows.FilingMessage{}), "InvalidInput")
		b.operator = ann
		require.NoError(t, b.staff(b.filingOf("NV"), workflows.RetryUpdate, workflows.FilingMessage{By: "Ann"}))
	})
	b.waitLocked(len(words))
	t.Run("the answer of the authority before the retry is kept", func(t *testing.T) {
		var told []string
		for _, item := range b.Call("GET", "/v1/filings/"+b.filingOf("NV")+"/history", nil, 200)["items"].([]any) {
			e := item.(map[string]any)
			told = append(told, fmt.Sprint(e["action"], " ", e["attempt"], " ", e["actor"].(map[string]any)["name"]))
			if e["action"] == "REJECTED" {
				require.Equal(t, map[string]any{"name": "simulated", "code": "SIMULATED_REJECTION",
					"message": "The sandbox was asked to reject it.", "confirmation_id": nil}, e["authority"])
			}
		}
		require.Equal(t, []string{"CREATED 0 <nil>", "APPROVED 1 auto", "SUBMITTED 1 <nil>", "REJECTED 1 <nil>",
			"RETRIED 2 Ann", "SUBMITTED 2 <nil>", "FILED 2 <nil>"}, told)
	})
	require.Equal(t, len(words), b.Count("SELECT count(*) FROM filings WHERE start_date <= $1", monthBefore(1)),
		b.Rows(`SELECT state_code, filing_category, status, transaction_count, amount_sales,
			  total_tax_liability FROM filings`))
	require.Equal(t, len(words),
		b.Count(`SELECT count(*)
			FROM filings
			WHERE return_confirmation_id LIKE 'SIM-%' AND auto_approved AND is_manual = false AND date_filed IS NOT NULL`))
	require.Equal(t, 1, b.Count(`SELECT count(*)
		FROM filings
		WHERE state_code = 'NY' AND transaction_count = 1 AND amount_sales > 0 AND total_tax_liability > 0`),
		b.Rows(`SELECT state_code, filing_category, status, transaction_count, amount_sales,
			  total_tax_liability FROM filings`))
	require.Equal(t, 2, b.Count("SELECT attempt FROM filings WHERE id = $1", b.filingOf("NV")))
	require.Equal(t, len(words)+1, b.Count("SELECT count(*) FROM sandbox_submissions"), "one for each attempt")
}

// Two workers and many plans at once: each filing exists once and is filed once.
func TestConcurrentPlansFileEachReturnOnce(t *testing.T) {
	t.Parallel()
	b := newBed(t, testbed.Options{})
	b.API.Start()
	b.Worker.Start()
	b.NewWorker().Start()
	states := strings.Fields("NY NV TX CA FL WA OH GA")
	b.register(states...)
	b.autoFile()
	for range 3 {
		b.plan()
	}
	for i := range 3 {
		_, err := b.temporal.ExecuteWorkflow(t.Context(),
			sdkclient.StartWorkflowOptions{ID: fmt.Sprintf("plan-%d", i), TaskQueue: workflows.FilingsQueue},
			workflows.PlanFilingsName)
		require.NoError(t, err)
	}
	b.waitLocked(len(states))
	require.Equal(t, len(states), b.Count("SELECT count(*) FROM sandbox_submissions WHERE attempt = 1"))
	require.Equal(t, len(states), b.Count("SELECT count(*) FROM sandbox_submissions"))
}

// Staff terminate a run or cancel it in the Temporal UI, or Temporal loses it: it is started again from the record,
// long before the day of its next check.
func TestATerminatedRunIsStartedAgain(t *testing.T) {
	t.Parallel()
	b := newBed(t, testbed.Options{})
	b.API.Start()
	b.Worker.Start()
	ends := map[string]func(run string) error{
		"NY": func(run string) error { return b.temporal.TerminateWorkflow(t.Context(), run, "", "a test") },
		"WA": func(run string) error { return b.temporal.CancelWorkflow(t.Context(), run, "") },
	}
	b.register(slices.Collect(maps.Keys(ends))...)
	b.plan()
	b.waitFilings(len(ends), "UNFILED")
	b.Eventually("they wait for approval", func(context.Context) (bool, error) {
		return b.Count("SELECT count(*) FROM filings WHERE next_check_at > now() + interval '1 hour' AND start_date <= $1",
			monthBefore(1)) == len(ends), nil
	})
	before := map[string]string{} // run ids by state
	for state, end := range ends {
		run := workflows.FilingID(b.filingOf(state))
		ending, err := b.temporal.DescribeWorkflowExecution(t.Context(), run, "")
		require.NoError(t, err)
		before[state] = ending.GetWorkflowExecutionInfo().GetExecution().GetRunId()
		require.NoError(t, end(run))
	}
	for state, runID := range before {
		id := b.filingOf(state)
		b.Eventually("it runs again: "+state, func(ctx context.Context) (bool, error) {
			now, err := b.temporal.DescribeWorkflowExecution(ctx, workflows.FilingID(id), "")
			info := now.GetWorkflowExecutionInfo()
			return info.GetExecution().GetRunId() != runID &&
				info.GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, err
		})
		b.Eventually("staff approve it in the new run", func(context.Context) (bool, error) {
			amount, _ := b.Call(http.MethodGet, "/v1/filings/"+id, nil, 200)["amount"].(string)
			err := b.staff(id, workflows.ApproveUpdate, workflows.FilingMessage{By: "Ann", ExpectedAmount: amount})
			return err == nil, err
		})
	}
	b.waitLocked(len(ends))
	require.Equal(t, len(ends), b.Count("SELECT count(*) FROM filings WHERE approved_by = 'Ann' AND NOT auto_approved"))
}

// Temporal is down while a filing is planned, and then loses all its data: the filing continues from the record.
func TestFilingsContinueAfterTemporalLosesItsData(t *testing.T) {
	t.Parallel()
	b := newBed(t, testbed.Options{Own: true})
	b.API.Start()
	b.Worker.Start()
	b.register("NY", "NV")
	b.plan()
	b.waitFilings(2, "UNFILED")
	b.Eventually("both wait, and a heartbeat was recorded", func(context.Context) (bool, error) {
		return b.Count("SELECT count(*) FROM filings WHERE next_check_at > now() + interval '1 hour' AND start_date <= $1",
			monthBefore(1)) == 2 &&
			b.Count("SELECT count(*) FROM engine_checks WHERE run_id IS NOT NULL") == 1, nil
	})
	b.KillTemporal()
	b.DestroyTemporal()
	b.StartTemporal(t.Context())
	for _, row := range b.Rows("SELECT id FROM filings WHERE start_date <= $1", monthBefore(1)) {
		b.Eventually("a run is started again although nothing is due", func(ctx context.Context) (bool, error) {
			run, err := b.temporal.DescribeWorkflowExecution(ctx, workflows.FilingID(row["id"].(string)), "")
			return run.GetWorkflowExecutionInfo().GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, err
		})
	}
	b.KillTemporal()
	b.autoFile()
	b.DestroyTemporal()
	b.StartTemporal(t.Context())
	b.waitLocked(2)
	require.Equal(t, 2, b.Count("SELECT count(*) FROM sandbox_submissions"))
}
