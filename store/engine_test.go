package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// One process checks for all, and says when it last succeeded.
func TestOneProcessChecksTemporalForAll(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	lease := func() bool {
		due, err := b.Store.Engine.LeaseCheck(t.Context(), models.CheckHeartbeat, time.Minute)
		require.NoError(t, err)
		return due
	}
	age := func() time.Duration {
		age, err := b.Store.Engine.CheckAge(t.Context(), models.CheckHeartbeat)
		require.NoError(t, err)
		return age
	}
	require.True(t, lease())
	require.False(t, lease(), "somebody else has it")
	storetest.Execute(t, b.URL, "UPDATE engine_checks SET due_at = now(), done_at = now() - interval '1 hour'")
	require.True(t, lease())
	require.GreaterOrEqual(t, age(), time.Hour)
	require.NoError(t, b.Store.Engine.NoteCheck(t.Context(), models.CheckHeartbeat))
	require.Less(t, age(), time.Hour)
	storetest.Execute(t, b.URL, "UPDATE engine_checks SET done_at = now() + interval '1 hour'")
	require.Zero(t, age(), "a clock that was ahead makes nothing young for ever")

	run, err := b.Store.Engine.HeartbeatRun(t.Context())
	require.NoError(t, err)
	require.Empty(t, run)
	require.NoError(t, b.Store.Engine.NoteHeartbeatRun(t.Context(), "a"))
	run, err = b.Store.Engine.HeartbeatRun(t.Context())
	require.NoError(t, err)
	require.Equal(t, "a", run)
}
