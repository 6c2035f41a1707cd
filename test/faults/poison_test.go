package faults_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"levy/test/testbed"
)

// poison makes the database refuse one transaction at one stage.
func poison(bed *testbed.Bed, externalID, stage string) {
	bed.Exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$`)
	bed.Exec(fmt.Sprintf(`CREATE TRIGGER poison BEFORE UPDATE ON transactions FOR EACH ROW
		WHEN (NEW.external_id = '%s' AND NEW.processing_status = '%s') EXECUTE FUNCTION refuse()`, externalID, stage))
}

func TestPoisonTransactionIsIsolatedFromTheRestOfItsBatch(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	const all, bad = 30, "ORDER-17"
	acceptUndispatched(t, bed, ledger, 0, all)
	poison(bed, bad, "NEXUS_DONE")
	makeDue(bed) // they leave as one batch
	bed.API.Start()
	waitForRuns(t, bed, 1)
	// The worker dies while the batch is bisected, and then does it again.
	bed.Worker.Launch("bisect_half=skip*4,kill")
	bed.Worker.WaitKilled()
	bed.Worker.Start()
	bed.Eventually("the others of the batch are processed", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'") == all-1, nil
	})
	left := func() []map[string]any {
		return bed.Rows(`SELECT t.external_id, t.processing_status, o.last_error, o.batch_id IS NULL AS free FROM outbox o
			JOIN transactions t ON t.organization_id = o.organization_id AND t.id = o.aggregate_id
			WHERE o.last_error IS NOT NULL`)
	}
	want := []map[string]any{{
		"external_id": bad, "processing_status": "EXEMPT_DONE", "last_error": "Determine nexus: database_P0001", "free": true,
	}}
	bed.Eventually("the run has released what it could not process", func(context.Context) (bool, error) {
		found := left()
		return reflect.DeepEqual(want, found), fmt.Errorf("%v", found)
	})
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM outbox"), "the poison transaction is not given up")
	requireInvariants(t, bed, moment{ledger: ledger})
	bed.Eventually("its merchant sees why it is not processed", func(context.Context) (bool, error) {
		return bed.Count(`SELECT count(*)
			FROM transactions t
			JOIN transaction_stages s ON s.transaction_id = t.id AND s.stage = 'FAILED'
			WHERE t.external_id = $1
			  AND t.processing_reason ~ '^Processing has failed (once|[0-9]+ times), last at Determine nexus: database_P0001.'`,
			bad) == 1, nil
	})
	bed.Eventually("staff find the run in which something failed", func(ctx context.Context) (bool, error) {
		found, err := bed.Temporal().CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
			Namespace: bed.TemporalNamespace, Query: "FailedCount = 1",
		})
		return err == nil && found.GetCount() >= 1, err
	})
	// Removing the cause is enough: nothing else has to be done.
	bed.Exec("DROP TRIGGER poison ON transactions")
	makeDue(bed)
	requireOnce(t, bed, ledger, all, nil)
}

// A batch that fails as a whole for a temporary reason is bisected, and then every part succeeds.
func TestBatchThatFailsThreeTimesIsBisected(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	acceptUndispatched(t, bed, ledger, 0, 10)
	makeDue(bed)
	bed.API.Start()
	waitForRuns(t, bed, 1)
	bed.Worker.Start("before_stage_commit=error*3")
	requireOnce(t, bed, ledger, 10, nil)
	require.Equal(t, 3, bed.Worker.Logged("failpoint before_stage_commit: error"))
	waitForRuns(t, bed, 1)
}
