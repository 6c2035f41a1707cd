package store_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestGrownTablesAreAnalyzed(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 128)
	drafts := make([]*models.TransactionDraft, 200)
	for i := range drafts {
		drafts[i] = storetest.Draft(b.Scope, fmt.Sprintf("SALE-%d", i))
		drafts[i].Customer.ExternalID = drafts[i].ExternalID
	}
	for _, err := range b.Store.Transactions.Accept(t.Context(), drafts) {
		require.NoError(t, err)
	}
	require.NoError(t, b.Store.AnalyzeNew(t.Context()))
	require.Equal(
		t, 1,
		b.Count(
			t,
			"SELECT count(*) FROM pg_stats WHERE tablename = 'transactions' AND attname = 'organization_id' AND n_distinct = 1",
		),
	)
}
