package pg

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A connection may take as long as the address of the database says, and by default a few seconds.
func TestTheAddressSetsTheConnectionTimeout(t *testing.T) {
	t.Parallel()
	for address, timeout := range map[string]time.Duration{
		"postgres://127.0.0.1:1/levy":                    5 * time.Second,
		"postgres://127.0.0.1:1/levy?connect_timeout=60": time.Minute,
	} {
		db, err := Open(t.Context(), Options{URL: address})
		require.NoError(t, err)
		t.Cleanup(db.Close)
		require.Equal(t, timeout, db.pool.Config().ConnConfig.ConnectTimeout, address)
	}
}

// Every connection plans each statement for its arguments and compiles none, whatever the server does otherwise.
func TestConnectionsSetHowStatementsAreCarriedOut(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), Options{URL: "postgres://127.0.0.1:1/levy"})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	settings := db.pool.Config().ConnConfig.RuntimeParams
	require.Equal(t, "off", settings["jit"])
	require.Equal(t, "force_custom_plan", settings["plan_cache_mode"])
}
