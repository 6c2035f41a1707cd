package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestRowsOfABatchAreAcceptedOneByOneAndProcessedFromNew(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	batchID := models.NewID(models.PrefixBatch)
	row := func(externalID string) *models.TransactionDraft {
		d := storetest.Draft(b.scope, externalID)
		d.BatchID, d.ProcessingStatus = &batchID, models.ProcessingNew
		return d
	}
	unknown := row("ORDER-2")
	unknown.Items[0].ExternalProductID = "NOPE"
	drafts := []*models.TransactionDraft{row("ORDER-1"), unknown, row("ORDER-1"), row("ORDER-3")}
	verdicts := b.intake.AcceptAll(t.Context(), drafts)
	require.NoError(t, verdicts[0])
	var missing *models.ProductsNotFoundError
	require.ErrorAs(t, verdicts[1], &missing)
	var duplicate *models.DuplicateError
	require.ErrorAs(t, verdicts[2], &duplicate)
	require.Equal(t, drafts[0].ID, duplicate.ExistingID)
	require.NoError(t, verdicts[3])
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transactions WHERE batch_id = $1 AND processing_status = 'NEW'", batchID))
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM outbox"))

	b.processed(t, []models.Ref{{OrganizationID: b.scope.OrganizationID, ID: drafts[0].ID, Epoch: 1}})
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transactions WHERE batch_id = $1 AND processing_status = 'PROCESSED'", batchID))
}
