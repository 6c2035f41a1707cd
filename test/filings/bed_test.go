// Package filings_test carries filings to their end on the real service, with a real Temporal server and a real
// PostgreSQL: with every answer of the authority, and with processes that are killed.
package filings_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/sdk/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/secret"
	"levy/models"
	"levy/test/testbed"
	"levy/worker"
	"levy/workflows"
)

func TestMain(m *testing.M) { testbed.Main(m) }

// bed is an installation with a test organization: its authority is the sandbox.
type bed struct {
	*testbed.Bed
	t        *testing.T
	temporal sdkclient.Client
	operator string // the key of Ann
}

func newBed(t *testing.T, o testbed.Options) *bed {
	t.Helper()
	b := &bed{Bed: testbed.New(t, o), t: t}
	b.temporal = b.Temporal()
	var ann struct {
		Key string `json:"operator_key"`
	}
	require.NoError(t, json.Unmarshal(b.Run("operator", "add", "Ann"), &ann))
	b.operator = ann.Key
	b.Exec("UPDATE organizations SET is_test = true WHERE id = $1", b.OrganizationID)
	return b
}

// register creates a registration in force that files monthly since last month.
func (b *bed) register(states ...string) {
	b.t.Helper()
	for _, state := range states {
		answer := b.Post("/v1/registrations", map[string]any{
			"country_code": "US", "state_code": state, "filing_frequency": "MONTHLY", "imported": true,
			"registration_date": monthBefore(1),
		})
		require.Equal(b.t, http.StatusOK, answer.Status, string(answer.Body))
	}
}

// plan triggers the schedule now.
func (b *bed) plan() {
	b.t.Helper()
	require.NoError(b.t, b.temporal.ScheduleClient().GetHandle(b.t.Context(), "plan-filings").Trigger(b.t.Context(),
		sdkclient.ScheduleTriggerOptions{}))
}

// waitFilings waits until so many filings have a status. That of a month which is not over everywhere is planned before, and does
// not count.
func (b *bed) waitFilings(n int, status string) {
	b.t.Helper()
	b.Eventually(fmt.Sprintf("%d filings are %s", n, status), func(context.Context) (bool, error) {
		return b.Count("SELECT count(*) FROM filings WHERE status = $1 AND start_date <= $2", status, monthBefore(1)) == n,
			fmt.Errorf("%v", b.Rows("SELECT state_code, status, attempt, issue_reason, locked_at, next_check_at FROM filings"))
	})
}

// waitIncomplete plans the return of a state, and waits until it has the sale and only lacks data.
func (b *bed) waitIncomplete(state string) {
	b.t.Helper()
	b.plan()
	b.waitFilings(1, "UNFILED")
	b.Eventually("the sale is in the return", func(context.Context) (bool, error) {
		filing := b.Call("GET", "/v1/filings/"+b.filingOf(state), nil, http.StatusOK)
		return filing["amount_sales"] != "0.00" && slices.Equal(filing["approval_blockers"].([]any), []any{"RETURN_INCOMPLETE"}), nil
	})
}

// autoFile lets returns be approved by the timer.
func (b *bed) autoFile() {
	b.t.Helper()
	b.Exec("UPDATE organization_details SET auto_file = true WHERE organization_id = $1", b.OrganizationID)
}

// waitLocked waits until all filings are FILED and locked and their runs have ended.
func (b *bed) waitLocked(n int) {
	b.t.Helper()
	b.waitFilings(n, "FILED")
	b.Eventually("the runs have ended", func(ctx context.Context) (bool, error) {
		for _, row := range b.Rows("SELECT id FROM filings WHERE start_date <= $1", monthBefore(1)) {
			run, err := b.temporal.DescribeWorkflowExecution(ctx, workflows.FilingID(row["id"].(string)), "")
			if err != nil || run.GetWorkflowExecutionInfo().GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED {
				return false, fmt.Errorf("%v: %w", row, err)
			}
		}
		return true, nil
	})
	require.Equal(b.t, n, b.Count("SELECT count(*) FROM filings WHERE locked_at IS NOT NULL AND next_check_at IS NULL"))
	require.Zero(b.t, b.Count(`SELECT count(*)
		FROM transactions
		WHERE filing_id IS NOT NULL AND processing_status <> 'LOCKED'`))
}

// details is the text of a run that the Temporal UI shows to staff: it reads it by the codec.
func (b *bed) details(ctx context.Context, run string) (string, error) {
	ring, err := secret.ParseRing(b.MasterKeys)
	require.NoError(b.t, err)
	payloads := ring.Derive(secret.PurposePayloads)[0]
	codec, err := worker.NewCodec(map[string][]byte{payloads.ID: payloads.Bytes}, payloads.ID)
	require.NoError(b.t, err)
	client, err := worker.Dial(worker.ClientConfig{Address: b.TemporalAddress, Namespace: b.TemporalNamespace,
		Codec: codec, Log: slog.New(slog.DiscardHandler)})
	require.NoError(b.t, err)
	defer client.Close()
	value, err := client.QueryWorkflow(ctx, run, "", "__temporal_workflow_metadata")
	if err != nil {
		return "", err
	}
	var metadata sdk.WorkflowMetadata
	err = value.Get(&metadata)
	return metadata.GetCurrentDetails(), err
}

// staff sends an Update from the Temporal UI, with the proof that `levy operator sign` prints.
func (b *bed) staff(filingID, update string, message workflows.FilingMessage) error {
	key, ok := secret.ProofKey(b.operator)
	require.True(b.t, ok)
	if message.Proof == "" {
		message.Proof = models.SignUpdate(key, message.Statement(workflows.FilingID(filingID), update), time.Now())
	}
	handle, err := b.temporal.UpdateWorkflow(b.t.Context(), sdkclient.UpdateWorkflowOptions{
		WorkflowID: workflows.FilingID(filingID), UpdateName: update,
		Args: []any{message}, WaitForStage: sdkclient.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		return err
	}
	return handle.Get(b.t.Context(), nil)
}

// retry has the run of a filing try again, as soon as it knows of its issue.
func (b *bed) retry(filingID string) {
	b.t.Helper()
	b.Eventually("the run knows of the issue", func(context.Context) (bool, error) {
		err := b.staff(filingID, workflows.RetryUpdate, workflows.FilingMessage{By: "Ann"})
		return err == nil, err
	})
}

func (b *bed) filingOf(state string) string {
	b.t.Helper()
	return b.Rows("SELECT id FROM filings WHERE state_code = $1 ORDER BY start_date", state)[0]["id"].(string)
}
