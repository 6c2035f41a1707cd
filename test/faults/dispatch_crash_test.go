package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"levy/models"
	"levy/test/testbed"
	"levy/workflows"
)

func TestCrashAfterTheAnswerIsHealedByTheRelay(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	acceptUndispatched(t, bed, ledger, 0, 1)
	require.Empty(t, runs(t, bed))
	bed.API.Start()
	bed.Worker.Start()
	requireOnce(t, bed, ledger, 1, nil)
}

func TestCrashOfARelayWithItsLeaseIsHealedByAnother(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	acceptUndispatched(t, bed, ledger, 0, 3)
	bed.Exec("UPDATE outbox SET attempts = 0, next_attempt_at = now()")
	bed.API.Launch("relay_after_lease=kill")
	bed.API.WaitKilled()
	require.Equal(t, 3, bed.Count(`SELECT count(*)
		FROM outbox
		WHERE attempts = 1 AND batch_id IS NULL AND next_attempt_at > now()`))
	bed.Worker.Start() // has a relay as well
	requireOnce(t, bed, ledger, 3, nil)
}

func TestLostReplyToStartMakesADuplicateWithoutEffect(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start("after_start_before_mark=timeout*1")
	accept(t, bed, ledger, 1)
	waitForRuns(t, bed, 2) // the dispatcher's, which the service does not know of, and the relay's
	bed.Worker.Start()
	requireOnce(t, bed, ledger, 1, nil)
}

func TestCrashBetweenStartAndMarkMakesADuplicateWithoutEffect(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start("after_start_before_mark=kill")
	answer, err := bed.Send(context.Background(), bed.API, http.MethodPost, "/v1/transactions", testbed.Sale("ORDER-1", 1))
	require.True(t, err != nil || answer.Status == http.StatusAccepted, "%s",
		answer.Body) // the answer races with the crash
	ledger.add("ORDER-1", 1, accepted)
	bed.API.WaitKilled()
	waitForRuns(t, bed, 1)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM outbox WHERE batch_id IS NULL"))
	bed.API.Start()
	waitForRuns(t, bed, 2)
	bed.Worker.Start()
	requireOnce(t, bed, ledger, 1, nil)
}

func TestTerminatedBatchGetsANewRun(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start()
	accept(t, bed, ledger, 1)
	first := waitForRuns(t, bed, 1)[0].GetExecution()
	waitForMark(bed, 1)
	require.NoError(t, bed.Temporal().TerminateWorkflow(context.Background(), first.GetWorkflowId(), first.GetRunId(),
		"terminated by the test"))
	makeDue(bed) // the dispatcher may not have noticed
	second := waitForRuns(t, bed, 2)
	require.NotEqual(t, second[0].GetExecution().GetWorkflowId(), second[1].GetExecution().GetWorkflowId(),
		"the id of a batch is used once")
	bed.Worker.Start()
	requireOnce(t, bed, ledger, 1, &endings{terminated: 1})
}

// An open run whose task is lost, here one on a queue that no worker polls, does not hold its transactions for ever.
func TestABatchWithoutItsTaskIsReplaced(t *testing.T) {
	t.Parallel()
	requireWide(t)
	bed, ledger := crashing(t)
	acceptUndispatched(t, bed, ledger, 0, 3)
	stuck := models.NewID(models.PrefixBatch)
	options := workflows.TransactionsStart(stuck, nil, workflows.Recent)
	options.TaskQueue = "nobody"
	_, err := bed.Temporal().ExecuteWorkflow(context.Background(), options, workflows.ProcessTransactionsName,
		workflows.TransactionsInput{})
	require.NoError(t, err)
	bed.Exec("UPDATE outbox SET batch_id = $1, next_attempt_at = now()", stuck)
	bed.API.Start()
	bed.Worker.Start()
	bed.EventuallyWithin(10*time.Minute, "the rows leave with another batch", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM outbox WHERE batch_id = $1", stuck) == 0, nil
	})
	requireOnce(t, bed, ledger, 3, &endings{terminated: 1})
	require.Positive(t, bed.API.Logged("batch makes no progress")+bed.Worker.Logged("batch makes no progress"), "it is logged")
}

// The same for a run of a record: the new run continues from what the record says.
func TestARunWithoutItsTaskIsReplaced(t *testing.T) {
	t.Parallel()
	requireWide(t)
	bed, _ := crashing(t)
	bed.Exec("UPDATE organizations SET is_test = true WHERE id = $1", bed.OrganizationID)
	bed.API.Start()
	answer := bed.Post("/v1/registrations",
		map[string]any{"country_code": "US", "state_code": "NV", "filing_frequency": "MONTHLY"})
	require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
	in := workflows.RegistrationInput{OrganizationID: bed.OrganizationID, RegistrationID: answer.Field("id")}
	options := workflows.RegistrationStart(in)
	bed.Eventually("the run waits for a worker", func(ctx context.Context) (bool, error) {
		_, err := bed.Temporal().DescribeWorkflowExecution(ctx, options.ID, "")
		return err == nil, err
	})
	bed.API.Kill()
	require.NoError(t, bed.Temporal().TerminateWorkflow(t.Context(), options.ID, "", "terminated by the test"))
	options.TaskQueue = "nobody"
	_, err := bed.Temporal().ExecuteWorkflow(t.Context(), options, workflows.RegistrationName, in)
	require.NoError(t, err)
	bed.API.Start()
	bed.Worker.Start()
	bed.EventuallyWithin(10*time.Minute, "the registration continues in another run", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM registrations WHERE status = 'REGISTERED'") == 1, nil
	})
	require.Equal(t, 1, bed.API.Logged("run does not get its workflow task")+bed.Worker.Logged("run does not get "+
		"its workflow task"))
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM sandbox_submissions"))
}

func TestLeftoversOfACompletedBatchLeaveWithANewOne(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start()
	bed.Worker.Start()
	accept(t, bed, ledger, 1)
	requireProcessed(t, bed, 1)
	completed := waitForRuns(t, bed, 1)[0].GetExecution().GetWorkflowId()
	bed.Eventually("the batch has completed", func(context.Context) (bool, error) {
		return runs(t, bed)[0].GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED, nil
	})
	bed.API.Kill()
	bed.Worker.Kill()
	acceptUndispatched(t, bed, ledger, 2, 3)
	batch, ok := strings.CutPrefix(completed, workflows.TransactionsID(""))
	require.True(t, ok)
	bed.Exec("UPDATE outbox SET batch_id = $1, next_attempt_at = now()", batch)
	bed.API.Start()
	bed.Worker.Start()
	requireOnce(t, bed, ledger, 2, nil)
	require.Zero(t, bed.Count(`SELECT count(*) FROM transaction_stages s JOIN transactions t ON t.id = s.transaction_id
		WHERE t.external_id = 'ORDER-2' AND s.workflow_id = $1`, completed))
}

// waitForMark waits until n rows are marked with their batch.
func waitForMark(bed *testbed.Bed, n int) {
	bed.Eventually("the rows are marked with their batch", func(context.Context) (bool, error) {
		marked := bed.Count("SELECT count(*) FROM outbox WHERE batch_id IS NOT NULL")
		return marked == n, fmt.Errorf("%d of %d: %v", marked, n,
			bed.Rows(`SELECT attempts, last_error, count(*), min(next_attempt_at - now())::text,
				  max(next_attempt_at - now())::text
				FROM outbox
				WHERE batch_id IS NULL GROUP BY 1, 2`))
	})
}
