package testbed

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/stretchr/testify/require"
)

// mountDisk gives the bed's own PostgreSQL a file system of so many bytes. Only root may
// mount one: the test is skipped when we cannot.
func (b *Bed) mountDisk(bytes int64) {
	b.tb.Helper()
	dir := filepath.Join(b.dir, "postgres")
	require.NoError(b.tb, os.Mkdir(dir, 0o711))
	if err := syscall.Mount("levy-test", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0711", bytes)); err != nil {
		b.tb.Skipf("a disk that is full needs a file system of its own, and mounting one needs root: %v", err)
	}
	b.tb.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			b.tb.Logf("unmount %s: %v", dir, err)
		}
	})
}

// FillDisk leaves no byte on the file system of the bed's own PostgreSQL; it can be
// repeated when something was freed.
func (b *Bed) FillDisk() {
	b.tb.Helper()
	ballast, err := os.OpenFile(b.ballast(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(b.tb, err)
	defer ballast.Close()
	for _, piece := range []int{1 << 20, 4 << 10, 1} {
		for err == nil {
			_, err = ballast.Write(make([]byte, piece))
		}
		require.True(b.tb, errors.Is(err, syscall.ENOSPC) || errors.Is(err, io.ErrShortWrite), "%v", err)
		err = nil
	}
}

// FreeDisk gives the space back.
func (b *Bed) FreeDisk() {
	b.tb.Helper()
	require.NoError(b.tb, os.Remove(b.ballast()))
}

func (b *Bed) ballast() string { return filepath.Join(b.dir, "postgres", "ballast") }
