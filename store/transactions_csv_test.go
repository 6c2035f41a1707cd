package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestExportOfLines(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	drafts := make([]*models.TransactionDraft, 3)
	for i := range drafts {
		drafts[i] = storetest.Draft(b.scope, fmt.Sprint("ORDER-", i))
	}
	drafts[1].Items = append(drafts[1].Items, storetest.Item(drafts[1], 1, "P-1", "-7.50"))
	for _, err := range b.intake.AcceptAll(t.Context(), drafts) {
		require.NoError(t, err)
	}
	byID := []models.Order{{Column: "external_id", Desc: true}}
	export := func(scope models.Scope, f models.TransactionFilter, limit int) (got []string) {
		require.NoError(t, b.store.ExportTransactions(t.Context(), scope, f, byID, limit, func(l *models.ExportLine) error {
			got = append(got, l.ExternalID+" "+l.Amount.String())
			return nil
		}))
		return got
	}
	require.Equal(t, []string{"ORDER-2 100.00", "ORDER-1 100.00", "ORDER-1 -7.50", "ORDER-0 100.00"}, export(b.scope, models.TransactionFilter{}, 10))
	require.Equal(t, []string{"ORDER-2 100.00", "ORDER-1 100.00"}, export(b.scope, models.TransactionFilter{}, 2))
	require.Equal(t, []string{"ORDER-1 100.00", "ORDER-1 -7.50"}, export(b.scope, models.TransactionFilter{Text: "order-1"}, 10))
	require.Empty(t, export(models.Scope{OrganizationID: "org_x"}, models.TransactionFilter{}, 10))

	enough, seen := errors.New("enough"), 0
	err := b.store.ExportTransactions(t.Context(), b.scope, models.TransactionFilter{}, byID, 10, func(*models.ExportLine) error {
		seen++
		return enough
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, seen)
	require.Len(t, export(b.scope, models.TransactionFilter{}, 10), 4, "the store goes on")
}
