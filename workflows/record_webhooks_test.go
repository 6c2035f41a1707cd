//go:build record

package workflows

import (
	"testing"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"
	sdkworker "go.temporal.io/sdk/worker"

	"levy/models"
)

func TestRecordDeliverWebhooks(t *testing.T) { //nolint:paralleltest // recording takes a server of its own
	webhookRuns.recordMissing(t,
		func(t *testing.T, client sdkclient.Client, name string, b *fakeWebhook) sdkclient.WorkflowRun {
			t.Helper()
			recordingWorker(t, client, WebhooksQueue, func(w sdkworker.Worker) { b.register(w) })
			start := WebhookStart(&models.WebhookEndpoint{OrganizationID: webhookRef.OrganizationID, ID: name,
				URL: "https://example.com/"})
			run, err := client.ExecuteWorkflow(t.Context(), start, DeliverWebhooksName, DeliverInput{WebhookRef: webhookRef})
			require.NoError(t, err)
			if b.hold != nil {
				<-b.begun
				require.NoError(t, client.SignalWorkflow(t.Context(), run.GetID(), run.GetRunID(), WakeSignal, nil))
				close(b.hold)
			}
			require.NoError(t, run.Get(t.Context(), nil))
			return run
		})
}
