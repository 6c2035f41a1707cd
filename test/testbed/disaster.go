package testbed

import (
	"context"
	"os"
	"path/filepath"

	"github.com/stretchr/testify/require"
)

// Folder makes a folder of the bed's own, which PostgreSQL's user can enter.
func (b *Bed) Folder(name string) string {
	b.tb.Helper()
	path := filepath.Join(b.dir, name)
	require.NoError(b.tb, os.MkdirAll(path, 0o755))
	return path
}

// DestroyPostgres ends the bed's own PostgreSQL as kill -9 does, deletes all that it has on its disk,
// and returns where that was.
func (b *Bed) DestroyPostgres() (data string) {
	b.tb.Helper()
	b.KillPostgres()
	data = filepath.Join(b.own.postgres.ClusterDir, "data")
	// The processes that serve connections end a moment after the killed one, and write until then. Their writes go into
	// the renamed folder, which is their working folder.
	destroyed := data + ".destroyed"
	require.NoError(b.tb, os.Rename(data, destroyed))
	b.Eventually("the data of PostgreSQL is gone", func(context.Context) (bool, error) {
		err := os.RemoveAll(destroyed)
		return err == nil, err
	})
	return data
}
