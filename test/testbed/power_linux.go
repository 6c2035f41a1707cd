package testbed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// machineDisk is the size of the disk of a machine that can lose its power.
const machineDisk = 2 << 30

// mountMachine gives the bed's servers and processes a disk of their own: a file that is
// mounted as one. The test is skipped where that cannot be done, which only root may.
func (b *Bed) mountMachine() {
	b.tb.Helper()
	image := b.dir + ".disk"
	b.tb.Cleanup(func() { _ = os.Remove(image) })
	disk, err := os.Create(image)
	require.NoError(b.tb, err)
	require.NoError(b.tb, disk.Truncate(machineDisk))
	require.NoError(b.tb, disk.Close())
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", image).CombinedOutput(); err != nil {
		b.tb.Skipf("a machine that loses its power needs a disk, and this one cannot make one: %v %s", err, out)
	}
	if out, err := b.mount(); err != nil {
		b.tb.Skipf("a machine that loses its power needs a disk of its own, and mounting one needs root: %v %s", err, out)
	}
	b.tb.Cleanup(func() { _ = exec.Command("umount", "--lazy", b.dir).Run() })
	require.NoError(b.tb, os.Chmod(b.dir, 0o711))
}

func (b *Bed) mount() (out []byte, err error) {
	return exec.Command("mount", "-o", "loop", b.dir+".disk", b.dir).CombinedOutput()
}

// ext4Shutdown and withoutLog are EXT4_IOC_SHUTDOWN and EXT4_GOING_FLAGS_NOLOGFLUSH of
// the kernel: the file system ends at once, and what it has not written is gone.
const ext4Shutdown, withoutLog = 0x8004587d, 2

// CutPower ends the bed's machine as a power cut does: all its processes are gone, and
// whatever was written and not synced.
func (b *Bed) CutPower() {
	b.tb.Helper()
	children := b.freezePostgres()
	root, err := os.Open(b.dir)
	require.NoError(b.tb, err)
	require.NoError(b.tb, unix.IoctlSetPointerInt(int(root.Fd()), ext4Shutdown, withoutLog))
	require.NoError(b.tb, root.Close())
	for _, s := range b.services {
		s.Kill()
	}
	b.KillTemporal()
	for _, pid := range children {
		b.signal(pid, syscall.SIGKILL)
	}
	b.KillPostgres()
	b.Eventually("no process uses the disk", func(ctx context.Context) (bool, error) {
		out, err := exec.CommandContext(ctx, "umount", b.dir).CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return err == nil, err
	})
}

// freezePostgres stops every process of the bed's own PostgreSQL, and returns all but the first. They would run on
// until they notice that the first has ended. A process that waits for a lock of an ended process never notices, and
// would keep the disk busy. The first process is stopped first, so that it starts no others.
func (b *Bed) freezePostgres() (children []int) {
	b.tb.Helper()
	b.own.postgres.Signal(syscall.SIGSTOP)
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", b.own.postgres.PID()))
	require.NoError(b.tb, err)
	for _, list := range lists {
		text, err := os.ReadFile(list)
		require.NoError(b.tb, err)
		for child := range strings.FieldsSeq(string(text)) {
			pid, err := strconv.Atoi(child)
			require.NoError(b.tb, err)
			b.signal(pid, syscall.SIGSTOP)
			children = append(children, pid)
		}
	}
	require.NotEmpty(b.tb, children, "PostgreSQL has more than one process")
	return children
}

// signal sends a signal to a process, which may have ended.
func (b *Bed) signal(pid int, sig syscall.Signal) {
	b.tb.Helper()
	if err := syscall.Kill(pid, sig); !errors.Is(err, syscall.ESRCH) {
		require.NoError(b.tb, err)
	}
}

// RestorePower mounts the disk again, with what is on it, and starts the servers. Errors:
// PostgreSQL does not start on what is left.
func (b *Bed) RestorePower(ctx context.Context) error {
	b.tb.Helper()
	out, err := b.mount()
	require.NoError(b.tb, err, "%s", out)
	if err := b.startPostgres(ctx); err != nil {
		return err
	}
	b.StartTemporal(ctx)
	return nil
}
