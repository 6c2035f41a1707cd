package transactions_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestRowsOfABatchAreAcceptedOneByOneAndProcessedFromNew(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	batchID := models.NewID(models.PrefixBatch)
	row := func(externalID string) *models.TransactionDraft {
		d := storetest.Draft(b.Scope, externalID)
		d.BatchID, d.ProcessingStatus = &batchID, models.ProcessingNew
		return d
	}
	unknown := row("ORDER-2")
	unknown.Items[0].ExternalProductID = "NOPE"
	drafts := []*models.TransactionDraft{row("ORDER-1"), unknown, row("ORDER-1"), row("ORDER-3")}
	results := b.Intake.AcceptAll(t.Context(), drafts)
	require.NoError(t, results[0])
	var missing *models.ProductsNotFoundError
	require.ErrorAs(t, results[1], &missing)
	var duplicate *models.DuplicateError
	require.ErrorAs(t, results[2], &duplicate)
	require.Equal(t, drafts[0].ID, duplicate.ExistingID)
	require.NoError(t, results[3])
	require.Equal(
		t, 2,
		b.Count(t, "SELECT count(*) FROM transactions WHERE batch_id = $1 AND processing_status = 'NEW'", batchID),
	)
	require.Equal(t, 2, b.Count(t, "SELECT count(*) FROM outbox"))

	b.Processed(t, []models.Ref{{OrganizationID: b.Scope.OrganizationID, ID: drafts[0].ID, Epoch: 1}})
	require.Equal(
		t, 1,
		b.Count(
			t, "SELECT count(*) FROM transactions WHERE batch_id = $1 AND processing_status = 'PROCESSED'",
			batchID,
		),
	)
}

// A request with a key has written its first ids while it writes the next ones. Concurrent single sales have written
// the next ids and wait for the first ones. The single sales give way and are still refused as duplicates.
func TestSingleSalesGiveWayToARequestThatWritesSeveralTimes(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 2)
	write := func(ctx context.Context, ids ...string) []error {
		var drafts []*models.TransactionDraft
		for _, id := range ids {
			drafts = append(drafts, storetest.Draft(b.Scope, id))
		}
		return b.Intake.AcceptAll(ctx, drafts)
	}
	require.NoError(t, write(t.Context(), "FIRST")[0]) // the customer is there
	var singles sync.WaitGroup
	var ofSingles, ofRequest []error
	claim := models.NewClaim(b.Scope.OrganizationID, b.Scope.OrganizationID, "key", [32]byte{})
	_, err := b.Store.Idempotency.Once(t.Context(), claim, func(ctx context.Context) *models.Answer {
		ofRequest = write(ctx, "B")
		singles.Go(func() { ofSingles = write(context.WithoutCancel(t.Context()), "A", "B") })
		b.Waiting(t) // long enough to be found in a deadlock, were they still the same ones
		ofRequest = append(ofRequest, write(ctx, "A")...)
		return &models.Answer{Status: 200}
	})
	require.NoError(t, err)
	singles.Wait()
	require.Equal(t, []error{nil, nil}, ofRequest)
	for _, err := range ofSingles {
		var duplicate *models.DuplicateError
		require.ErrorAs(t, err, &duplicate)
	}
	require.Equal(t, 3, b.Count(t, "SELECT count(*) FROM transactions"))
}
