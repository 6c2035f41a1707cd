package nexus_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// Effects of registrations lock a record, its place, and then the next record. An evaluation that waits for one of
// these locks holds none of the later ones: otherwise both would wait for each other.
func TestAnEvaluationThatWaitsHoldsNothing(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	today := calendar.DateOf(time.Now().UTC())
	c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, false)
	require.NoError(t, err)
	all := storetest.Evaluated(c, today)
	record := func(state string) models.NexusEvaluated {
		return all[slices.IndexFunc(all, func(r models.NexusEvaluated) bool { return r.StateCode == state })]
	}
	_, err = b.SQL.Exec(t.Context(), `INSERT INTO nexus_changes (organization_id, country_code, state_code, n, pending)
		VALUES ($1, 'US', 'AL', 1, true)`, b.Scope.OrganizationID)
	require.NoError(t, err)
	gone := record("WY")
	gone.Version = "0" // another process has written it since
	const ofRecord = "SELECT FROM nexus_records WHERE state_code = $1 FOR NO KEY UPDATE NOWAIT"
	for name, test := range map[string]struct {
		held  string
		saved []models.NexusEvaluated
		want  int
	}{
		"a record": {ofRecord, []models.NexusEvaluated{record("NY"), record("AL")}, 2},
		"a place": {
			"SELECT FROM nexus_changes WHERE state_code = $1 FOR NO KEY UPDATE NOWAIT",
			[]models.NexusEvaluated{record("TX"), gone}, 1,
		},
	} {
		other, err := b.SQL.Begin(t.Context())
		require.NoError(t, err)
		t.Cleanup(func() { _ = other.Rollback(context.Background()) })
		_, err = other.Exec(t.Context(), test.held, "AL")
		require.NoError(t, err, name)
		saved, failed := 0, make(chan error, 1)
		go func() {
			var err error
			saved, err = b.Store.Nexus.SaveNexusRecords(t.Context(), c, test.saved)
			failed <- err
		}()
		require.Eventually(t, func() bool {
			return b.Count(t, `SELECT count(*) FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
		}, time.Minute, 10*time.Millisecond, name)
		_, err = other.Exec(t.Context(), ofRecord, test.saved[0].StateCode)
		require.NoError(t, err, "%s: it holds nothing behind what it waits for", name)
		require.NoError(t, other.Commit(t.Context()))
		require.NoError(t, <-failed)
		require.Equal(t, test.want, saved, name)
	}
}
