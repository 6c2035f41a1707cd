package store_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/pg"
	"levy/store/storetest"
)

// A connection of the pool does not keep the arguments that it has sent, however large they were. Nothing else runs
// meanwhile: the test measures the whole heap.
func TestConnectionsReleaseLargeArguments(t *testing.T) { //nolint:paralleltest // see above
	db, err := pg.Open(t.Context(), pg.Options{URL: storetest.URL(t), MaxConnections: 1})
	require.NoError(t, err)
	defer db.Close()
	const large = 32 << 20
	for name, send := range map[string]func(second string) error{
		"batch": func(second string) error {
			batch := &pgx.Batch{}
			batch.Queue("SELECT length($1::text) + length($2::text)", "first", second)
			batch.Queue("SELECT $1::text", "last")
			return db.SendBatch(t.Context(), batch).Close()
		},
		"statement": func(second string) error {
			_, err := db.Exec(t.Context(), "SELECT length($1::text), length($2::text)", "first", second)
			return err
		},
	} {
		require.NoError(t, send("small"))
		before := held()
		require.NoError(t, send(strings.Repeat("x", large)))
		require.Less(t, held(), before+large/2, name)
	}
}

func held() uint64 {
	runtime.GC()
	runtime.GC() // the second run releases what pools keep
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
