package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"levy/internal/local"
)

// inMemory is the file system in memory of Linux. spaceNeeded is the space that must be free there, spareNeeded the
// free memory. A run needs some gigabytes of the file system, and compilers and servers as much again.
const (
	inMemory    = "/dev/shm"
	spaceNeeded = 6 << 30
	spareNeeded = 12 << 30
)

// memoryFolder makes a folder in memory for what the tests write: databases of thousands of files that live for a
// second. On a disk's file system making and deleting them costs more CPU time than the tests of the store themselves.
// It is empty where the machine has too little memory or no program can be run from it. Tests that fill a disk or
// cut its power mount one of their own.
func memoryFolder() (dir string, remove func() error, err error) {
	none := func() error { return nil }
	var fs unix.Statfs_t
	_ = unix.Statfs(inMemory, &fs) // of none it stays empty, which does not suit
	if !suits(fs, availableMemory()) {
		return "", none, nil
	}
	local.RemoveAbandoned(filepath.Join(inMemory, "levy-tests-*"))
	if dir, err = os.MkdirTemp(inMemory, "levy-tests-*"); err != nil {
		return "", none, err
	}
	lock, err := local.TryLock(filepath.Join(dir, local.LockName))
	if err != nil {
		return "", none, err
	}
	return dir, func() error {
		defer lock.Unlock()
		return os.RemoveAll(dir)
	}, os.Chmod(dir, 0o711) // PostgreSQL's user passes through
}

// suits reports whether a file system is in memory, runs programs and has enough space left. available is the free
// memory in bytes, which must suffice for the tests.
func suits(fs unix.Statfs_t, available int64) bool {
	return fs.Type == unix.TMPFS_MAGIC && fs.Flags&unix.MS_NOEXEC == 0 &&
		int64(fs.Bavail)*fs.Bsize >= spaceNeeded && available >= spareNeeded //nolint:gosec // smaller than any disk
}

// availableMemory is what the kernel says can be used without swapping, in bytes.
func availableMemory() (bytes int64) {
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), "MemAvailable:"); found {
			_, _ = fmt.Sscan(rest, &bytes)
		}
	}
	return bytes << 10
}
