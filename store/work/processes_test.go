package work_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// Processes read each other's reports. One that has ended, in order or not, is reported no more.
func TestProcessesReadEachOthersCalls(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	ctx := models.AcrossOrganizations(t.Context())
	exchange := func(process string, total int64) map[string]models.ProcessCalls {
		others, err := s.Work.ExchangeCalls(ctx, process,
			models.ProcessCalls{"org_1": {Total: total, Calls: 3, Refused: 1, Busy: time.Second}})
		require.NoError(t, err)
		return others
	}
	require.Empty(t, exchange("a", 1))
	require.Equal(t, map[string]models.ProcessCalls{"a": {"org_1": {Total: 1, Calls: 3, Refused: 1, Busy: time.Second}}},
		exchange("b", 7))
	require.EqualValues(t, 7, exchange("a", 2)["b"]["org_1"].Total)
	storetest.Execute(t, address, "UPDATE api_processes SET seen_at = seen_at - interval '11 seconds' WHERE id = 'a'")
	require.Empty(t, exchange("b", 8), "one that is silent has ended")
	require.Contains(t, exchange("a", 3), "b", "one that comes back is there again")
	require.NoError(t, s.Work.LeaveProcesses(ctx, "b"))
	require.Empty(t, exchange("a", 4))
}
