package testbed

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Disk is a file system of its own, which a test can fill.
type Disk struct {
	tb  testing.TB
	dir string
}

// MountDisk gives a folder of the bed a file system of so many bytes. Only root may mount
// one: the test is skipped when we cannot.
func (b *Bed) MountDisk(folder string, bytes int64) *Disk {
	b.tb.Helper()
	dir := filepath.Join(b.dir, folder)
	require.NoError(b.tb, os.Mkdir(dir, 0o711))
	if err := syscall.Mount("levy-test", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0711", bytes)); err != nil {
		b.tb.Skipf("a disk that is full needs a file system of its own, and mounting one needs root: %v", err)
	}
	b.tb.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			b.tb.Logf("unmount %s: %v", dir, err)
		}
	})
	return &Disk{tb: b.tb, dir: dir}
}

// Fill leaves no byte on the disk; it can be repeated when something was freed.
func (d *Disk) Fill() {
	d.tb.Helper()
	ballast, err := os.OpenFile(d.ballast(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(d.tb, err)
	defer ballast.Close()
	for _, piece := range []int{1 << 20, 4 << 10, 1} {
		for err == nil {
			_, err = ballast.Write(make([]byte, piece))
		}
		require.True(d.tb, errors.Is(err, syscall.ENOSPC) || errors.Is(err, io.ErrShortWrite), "%v", err)
		err = nil
	}
}

// Free gives the space back.
func (d *Disk) Free() {
	d.tb.Helper()
	require.NoError(d.tb, os.Remove(d.ballast()))
}

func (d *Disk) ballast() string { return filepath.Join(d.dir, "ballast") }
