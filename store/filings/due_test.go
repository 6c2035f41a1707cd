package filings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// A list of the returns of many organizations shows of each what the return itself does.
func TestReturnsOfManyShowWhatEachShows(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"), b.Sale(t, "2026-01-11", "50.00"))
	january := b.January(t, models.FilingUnfiled)
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = '2026-02-20' WHERE id = $1", january.ID)
	require.NoError(t, err)
	b.Sale(t, "2026-01-12", "7.00") // still in processing
	want := b.Read(t, january.ID)
	require.NotZero(t, want.TransactionCount)
	require.NotZero(t, want.Pending)
	list, err := b.Store.Filings.ListDueFilings(t.Context(), models.Sight{All: true}, models.DueFilter{}, nil, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	got := list.Items[0]
	require.Equal(t, want.FilingSums, got.FilingSums)
	require.Equal(t, want.Pending, got.Pending)
	require.Equal(t, want.Unresolved, got.Unresolved)
	require.Equal(t, models.WaitsForProcessing, got.WaitsFor())
}
