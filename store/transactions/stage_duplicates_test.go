package transactions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// The last stage reads which sale may be the same order: one with the same second identifier, which another connection brought.
func TestTheTaxStageReadsTheSameOrderOfAnotherConnection(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	var refs []models.Ref
	names := map[string]string{}
	for _, s := range []struct{ name, second, connection string }{
		{"A-1", "ORDER-1", "shop"}, {"A-2", "ORDER-1", "pos"}, // one order of two connections
		{"B-1", "ORDER-2", "shop"}, {"B-2", "ORDER-2", "shop"}, // the second identifier of one connection
		{"C-1", "ORDER-3", "shop"}, {"C-2", "ORDER-3", "pos"}, // C-1 is cancelled: C-2 is no duplicate
		{"D-1", "", "shop"}, {"D-2", "", "pos"},
		{"E-1", "ORDER-5", "shop"}, {"E-2", "ORDER-5", ""}, // without a connection
	} {
		d := storetest.Draft(b.Scope, s.name)
		if d.ConnectionID = &s.connection; s.connection == "" {
			d.ConnectionID = nil
		}
		if s.second != "" {
			d.SecondaryExternalID = &s.second
		}
		require.NoError(t, b.Intake.Accept(t.Context(), d))
		names[d.ID] = s.name
		refs = append(refs, models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch})
	}
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	_, err := b.SQL.Exec(t.Context(), "UPDATE transactions SET status = 'CANCELLED' WHERE external_id = 'C-1'")
	require.NoError(t, err)
	loaded, err := b.Store.Transactions.LoadForTax(t.Context(), refs)
	require.NoError(t, err)
	found := map[string]string{}
	for i := range loaded {
		if loaded[i].DuplicateOf != "" {
			found[names[loaded[i].ID]] = loaded[i].DuplicateOf
		}
	}
	require.Equal(t, map[string]string{"A-1": "A-2", "A-2": "A-1", "C-1": "C-2", "E-1": "E-2", "E-2": "E-1"}, found)
}
