package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// ErrLocked reports that another process holds the lock.
var ErrLocked = errors.New("in use by another process")

// Lock is an exclusive lock on a file. The kernel releases it when the process
// ends, however it ends.
type Lock struct{ file *os.File }

// TryLock takes the lock at path, creating the file when needed. The error is
// ErrLocked when another process has it.
func TryLock(path string) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &Lock{f}, nil
}

// Unlock releases the lock. Closing the file alone would not release it at once. A process that another goroutine is
// starting has a copy of the descriptor until it runs its program.
func (l *Lock) Unlock() {
	_ = syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN)
	_ = l.file.Close()
}

// RemoveAbandoned deletes the temporary folders matching pattern whose owner
// died without removing them: no process holds their lock any more. A young folder
// is left alone, because its owner may not have locked it yet.
func RemoveAbandoned(pattern string) {
	dirs, _ := filepath.Glob(pattern)
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Geteuid() {
			continue
		}
		lock, err := TryLock(filepath.Join(dir, LockName))
		if err != nil {
			continue
		}
		_ = os.RemoveAll(dir)
		lock.Unlock()
	}
}

// Folder is that of a private server, which no other process uses.
type Folder struct {
	Dir       string
	Temporary bool // it is removed with the server
	Lock      *Lock
}

// TakeFolder creates the folder of a server and locks it; an empty dir means a temporary folder. The caller calls
// Release at the end, also after an error. Errors: ErrLocked if another process uses the folder.
func TakeFolder(dir, server string) (f Folder, err error) {
	if dir == "" {
		pattern := "levy-" + server + "-*"
		RemoveAbandoned(filepath.Join(os.TempDir(), pattern))
		if dir, err = os.MkdirTemp("", pattern); err != nil {
			return f, err
		}
		f.Dir, f.Temporary = dir, true
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return f, err
	}
	if f.Dir, err = RealPath(dir); err != nil {
		return f, err
	}
	if f.Lock, err = TryLock(filepath.Join(f.Dir, LockName)); err != nil {
		return f, fmt.Errorf("%s in %s: %w", server, f.Dir, err)
	}
	return f, nil
}

// Release removes a temporary folder, and releases the lock.
func (f Folder) Release() {
	if f.Temporary {
		_ = os.RemoveAll(f.Dir)
	}
	if f.Lock != nil {
		f.Lock.Unlock()
	}
}

// LockName is the file in a folder whose lock says that the folder is in use.
const LockName = "lock"
