package main

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// The tests write to memory only where that is one, runs programs, and leaves enough for everybody else.
func TestMemoryIsChosenWhereThereIsEnough(t *testing.T) {
	t.Parallel()
	const page = 4096
	for name, test := range map[string]struct {
		fs        unix.Statfs_t
		available int64
		suits     bool
	}{
		"as much as is needed": {unix.Statfs_t{Type: unix.TMPFS_MAGIC, Bsize: page, Bavail: spaceNeeded / page},
			spareNeeded, true},
		"a disk": {unix.Statfs_t{Type: unix.EXT4_SUPER_MAGIC, Bsize: page, Bavail: spaceNeeded / page},
			spareNeeded, false},
		"no programs run there": {unix.Statfs_t{Type: unix.TMPFS_MAGIC, Bsize: page, Bavail: spaceNeeded / page,
			Flags: unix.MS_NOEXEC}, spareNeeded, false},
		"too little is left": {unix.Statfs_t{Type: unix.TMPFS_MAGIC, Bsize: page, Bavail: spaceNeeded/page - 1},
			spareNeeded, false},
		"too little memory": {unix.Statfs_t{Type: unix.TMPFS_MAGIC, Bsize: page, Bavail: spaceNeeded / page},
			spareNeeded - 1, false},
	} {
		require.Equal(t, test.suits, suits(test.fs, test.available), name)
	}
}
