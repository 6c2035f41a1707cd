package faults_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

const (
	largestVariable, defaultLargest = "LEVY_FAULTS_LARGEST", 3
	mostLines                       = 1000
)

// Sales with as many lines as a sale may have are processed in one batch. A hundred of
// them, as many as a batch takes:
//
//	LEVY_FAULTS_LARGEST=100 go test -timeout 30m -run TheLargestSales ./test/faults
func TestTheLargestSalesInOneBatch(t *testing.T) {
	t.Parallel()
	n := number(t, largestVariable, defaultLargest)
	bed, ledger := crashing(t)
	bed.API.Start("before_start=sleep(1h)") // they wait, and leave together
	for i := range n {
		sale := testbed.Sale(fmt.Sprintf("LARGE-%d", i), i)
		line := sale["transaction_items"].([]any)[0].(map[string]any)
		line["amount"] = json.Number("0.01")
		lines := make([]any, mostLines)
		for at := range lines {
			lines[at] = line
		}
		sale["transaction_items"], sale["total_amount"] = lines, json.Number(fmt.Sprintf("%d.%02d", len(lines)/100,
			len(lines)%100))
		answer := bed.Post("/v1/transactions", sale)
		require.Equal(t, http.StatusAccepted, answer.Status, "%s", answer.Body)
	}
	bed.API.Kill()
	makeDue(bed)
	bed.Worker.Start()
	requireProcessed(t, bed, n)
	list := waitForRuns(t, bed, 1)
	require.Equal(t, 1, bed.Count(`SELECT count(DISTINCT workflow_id)
		FROM transaction_stages
		WHERE stage = 'PROCESSED'`), "one batch")
	require.Equal(t, n*mostLines,
		bed.Count("SELECT count(*) FROM transaction_items WHERE tax_amount_calculated IS NOT NULL"))
	requireInvariants(t, bed, moment{})
	require.Zero(t, ledger.size())
	described, err := bed.Temporal().DescribeWorkflowExecution(t.Context(), list[0].GetExecution().GetWorkflowId(),
		list[0].GetExecution().GetRunId())
	require.NoError(t, err)
	history := described.GetWorkflowExecutionInfo()
	require.Less(t, history.GetHistoryLength(), int64(100), "no batch was bisected")
	t.Logf("%d sales of %d lines: %d events, %d bytes of history", n, mostLines, history.GetHistoryLength(),
		history.GetHistorySizeBytes())
}
