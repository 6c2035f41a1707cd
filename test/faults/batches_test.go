package faults_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/converter"
	"golang.org/x/sync/errgroup"

	"levy/internal/secret"
	"levy/models"
	"levy/test/testbed"
	"levy/worker"
	"levy/workflows"
)

// batchesOf counts the runs of each version of a transaction, from their histories in Temporal.
func batchesOf(t *testing.T, bed *testbed.Bed) map[models.Ref]int {
	t.Helper()
	ring, err := secret.ParseRing(bed.MasterKeys)
	require.NoError(t, err)
	keys, newest := map[string][]byte{}, ""
	for _, key := range ring.Derive(secret.PurposePayloads) {
		keys[key.ID], newest = key.Bytes, key.ID
	}
	codec, err := worker.NewCodec(keys, newest)
	require.NoError(t, err)
	client, err := worker.Dial(worker.ClientConfig{Address: bed.TemporalAddress, Namespace: bed.TemporalNamespace,
		Codec: codec, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	defer client.Close()
	payloads := converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), codec)

	all := runs(t, bed)
	batches := make([]workflows.TransactionsInput, len(all))
	reading, ctx := errgroup.WithContext(context.Background())
	reading.SetLimit(8)
	for i, run := range all {
		reading.Go(func() error {
			history, err := client.WorkflowService().GetWorkflowExecutionHistory(ctx,
				&workflowservice.GetWorkflowExecutionHistoryRequest{
					Namespace: bed.TemporalNamespace, Execution: run.GetExecution(), MaximumPageSize: 1,
				})
			if err != nil {
				return err
			}
			began := history.GetHistory().GetEvents()[0].GetWorkflowExecutionStartedEventAttributes()
			return payloads.FromPayloads(began.GetInput(), &batches[i])
		})
	}
	require.NoError(t, reading.Wait())
	counts := map[models.Ref]int{}
	for _, batch := range batches {
		for _, ref := range batch.Refs {
			counts[ref]++
		}
	}
	return counts
}

// requireFewBatches checks that no version of a transaction is in more than two batches, and none of a credit note in
// more than three: a credit note that is in a batch before its sale is processed waits for another batch.
func requireFewBatches(t *testing.T, bed *testbed.Bed) {
	t.Helper()
	in := map[int]int{}
	for ref, n := range batchesOf(t, bed) {
		in[n]++
		if n > 2 {
			require.Equal(t, 1, bed.Count("SELECT count(*) FROM transactions WHERE id = $1 AND related_to IS NOT NULL",
				ref.ID), "a sale in %d batches", n)
		}
		require.LessOrEqual(t, n, 3)
	}
	t.Logf("versions of transactions by the number of batches that carried them: %v", in)
	require.NotEmpty(t, in)
}
