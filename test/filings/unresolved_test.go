package filings_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/temporal"

	"levy/activities"
	"levy/test/testbed"
	"levy/workflows"
)

// toUnknownState is a sale of 9,999.00 whose state is misspelt.
func toUnknownState(externalID, day string) map[string]any {
	sale := toSeattle(externalID, day, "9999.00")
	sale["addresses"] = []any{map[string]any{"type": "SHIP_TO", "city": "Sprangville", "state": "Wahsinton",
		"country": "US"}}
	return sale
}

// A sale cannot be processed: its return is neither approved nor filed automatically, and
// a manual filing without it is recorded with what was left out. Resolved, it opens an
// amendment.
func TestAReturnNeverLeavesATransactionOutUnnoticed(t *testing.T) {
	t.Parallel()
	b := newBed(t, testbed.Options{})
	b.API.Start()
	b.Worker.Start()
	period := monthBefore(2)
	day := period[:8] + "05"
	b.sell("S-1", day, "100.00")
	lost := b.Post("/v1/transactions", toUnknownState("S-LOST", day))
	require.Equal(t, http.StatusAccepted, lost.Status, string(lost.Body))
	b.eventually("/v1/transactions/"+lost.Field("id"), "the sale is held", is("processing_status", "NEEDS_REFETCH"))
	b.Eventually("staff find the run by its unresolved transactions", func(ctx context.Context) (bool, error) {
		query := "WorkflowType = 'ProcessTransactions' AND UnresolvedCount = 1"
		found, err := b.temporal.ListWorkflow(ctx,
			&workflowservice.ListWorkflowExecutionsRequest{Namespace: b.TemporalNamespace, Query: query})
		if err != nil || len(found.GetExecutions()) != 1 {
			return false, err
		}
		details, err := b.details(ctx, found.GetExecutions()[0].GetExecution().GetWorkflowId())
		return strings.Contains(details, "**1 transaction unresolved**: a person has to correct them"),
			fmt.Errorf("%s: %w", details, err)
	})
	registered := b.Call(http.MethodPost, "/v1/registrations", map[string]any{
		"country_code": "US", "state_code": "WA", "filing_frequency": "MONTHLY", "imported": true,
		"registration_date": period,
	}, 200)
	b.plan()
	filing := first(b.eventually("/v1/filings?order_by=start_date&registration_id="+registered["id"].(string),
		"only the unresolved sale blocks it",
		func(list map[string]any) bool {
			return fmt.Sprint(first(list)["approval_blockers"]) == "[TRANSACTIONS_UNRESOLVED]"
		}))
	require.Equal(t, []any{false, 1.0, "9999.00", "100.00"},
		[]any{filing["can_approve"], filing["unresolved_transaction_count"], filing["unresolved_amount"],
			filing["amount_sales"]})
	path := "/v1/filings/" + filing["id"].(string)
	unresolved := first(b.Call(http.MethodGet, path+"/transactions/unresolved", nil, 200))
	require.Equal(t, lost.Field("id"), unresolved["id"])
	require.Contains(t, unresolved["processing_reason"], "state of the destination")

	refused := b.Call(http.MethodPut, path+"/approve", map[string]any{"approved_by": "Ann"}, 409)
	require.Equal(t, []any{"filing_has_unresolved_transactions", 1.0, "9999.00"},
		[]any{refused["code"], refused["unresolved_transaction_count"], refused["unresolved_amount"]})
	require.Contains(t, refused["detail"], "9999.00")
	require.Equal(t, "filing_has_unresolved_transactions",
		b.Call(http.MethodPut, path, map[string]any{"status": "FILING"}, 409)["code"])

	b.autoFile()
	b.Eventually("the automatic approval waits, and gives the reason", func(ctx context.Context) (bool, error) {
		query := "WorkflowType = 'FileReturn' AND WaitsFor = 'RESOLUTION' AND Overdue = true"
		found, err := b.temporal.ListWorkflow(ctx,
			&workflowservice.ListWorkflowExecutionsRequest{Namespace: b.TemporalNamespace, Query: query})
		if err != nil || len(found.GetExecutions()) != 1 {
			return false, err
		}
		run := found.GetExecutions()[0].GetExecution().GetWorkflowId()
		details, err := b.details(ctx, run)
		return run == workflows.FilingID(filing["id"].(string)) &&
			strings.Contains(details, "1 transaction unresolved, 9999.00 in all") &&
			strings.Contains(details, "**Overdue**: it was due on "), fmt.Errorf("%s: %w", details, err)
	})
	require.Equal(t, "UNFILED", b.Call(http.MethodGet, path, nil, 200)["status"])

	changed := b.Call(http.MethodPut, path+"/approve",
		map[string]any{"approved_by": "Ann", "exclude_unresolved": true, "expected_amount": 1}, 409)
	require.Equal(t, []any{"amount_changed", filing["amount"], "1.00"},
		[]any{changed["code"], changed["amount"], changed["expected_amount"]})
	var staff *temporal.ApplicationError
	message := workflows.FilingMessage{By: "Ann", ExcludeUnresolved: true, ExpectedAmount: "1.00"}
	require.ErrorAs(t, b.staff(filing["id"].(string), workflows.ApproveUpdate, message), &staff)
	require.Equal(t, activities.ErrTypeFilingAmount, staff.Type())
	approved := b.Call(http.MethodPut, path+"/approve",
		map[string]any{"approved_by": "Ann", "exclude_unresolved": true, "expected_amount": filing["amount"]}, 200)
	require.Equal(t, []any{"FILING", "Ann"}, []any{approved["status"], approved["approved_by"]})
	require.Equal(t, "Ann", b.Call(http.MethodPut, path+"/approve", map[string]any{"approved_by": "Bob"},
		200)["approved_by"], "a repeat says who approved")
	b.eventually(path, "it is filed", is("status", "FILED"))

	history := b.Call(http.MethodGet, path+"/history", nil, 200)["items"].([]any)
	require.Len(t, history, 4)
	decision := history[1].(map[string]any)
	require.Equal(t, []any{"APPROVED", "Ann", "API_KEY"},
		[]any{decision["action"], decision["actor"].(map[string]any)["name"],
			decision["actor"].(map[string]any)["type"]})
	require.Equal(t, map[string]any{"transaction_count": 1.0, "amount": "9999.00",
		"transaction_ids": []any{lost.Field("id")}}, decision["excluded_unresolved"])
	report := b.Call(http.MethodGet, path+"/report?format=json", nil, 200)
	excluded := report["excluded_unresolved"].(map[string]any)
	require.Equal(t, []any{"Ann", 1.0, "9999.00"},
		[]any{excluded["decided_by"], excluded["transaction_count"], excluded["amount"]})
	rows, err := csv.NewReader(strings.NewReader(string(b.Get(path + "/report?format=csv").Body))).ReadAll()
	require.NoError(t, err)
	last, columns := rows[len(rows)-1], len(rows[0])
	require.Equal(t, []string{"excluded_amount", "excluded_by"}, rows[0][columns-2:])
	require.Equal(t, []string{lost.Field("id"), "S-LOST", "9999.00", "Ann"},
		[]string{last[0], last[1], last[columns-2], last[columns-1]})
	require.Equal(t, "SAME", b.Call(http.MethodPost, path+"/verify", nil, 200)["verdict"])

	b.Call(http.MethodPut, "/v1/transactions/"+lost.Field("id"), toSeattle("S-LOST", day, "9999.00"), 200)
	amendment := first(b.eventually("/v1/filings?filing_category__in=AMENDMENT", "the transaction that was left out is amended",
		func(list map[string]any) bool { return list["total"] == 1.0 }))
	require.Equal(t, []any{filing["id"], "9999.00"}, []any{amendment["amends_filing_id"], amendment["amount_sales"]})
	require.Equal(t, 0.0, b.Call(http.MethodGet, path, nil, 200)["unresolved_transaction_count"])
}
