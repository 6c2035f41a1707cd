package postgres

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Tools are the programs of a PostgreSQL of one major version, for work on a cluster that is not run here.
type Tools struct {
	// Version is theirs, such as "15.18".
	Version string

	dir  string
	user *syscall.Credential // the user that runs servers; nil: that of this process
}

// FindTools finds the programs of a major version where Start finds its binaries, and installs nothing. near is a folder
// whose owner is to run servers, unless that is root.
func FindTools(major int, near string) (*Tools, error) {
	user, err := unprivileged(near)
	if err != nil {
		return nil, err
	}
	made := strconv.Itoa(major)
	if dir := os.Getenv("PG_BIN_DIR"); dir != "" {
		b, err := inspect(dir, user)
		if err == nil {
			err = suits(b, made)
		}
		if err != nil {
			return nil, fmt.Errorf("PG_BIN_DIR=%s: %w", dir, err)
		}
		return &Tools{Version: b.version, dir: b.dir, user: user}, nil
	}
	b, ok := bestBinaries(Config{}, user, made)
	if !ok {
		return nil, fmt.Errorf("the programs of PostgreSQL %d are not on this machine: "+
			"install them, or set PG_BIN_DIR to their folder", major)
	}
	return &Tools{Version: b.version, dir: b.dir, user: user}, nil
}

// Has reports whether a program is there.
func (t *Tools) Has(program string) bool {
	_, err := os.Stat(filepath.Join(t.dir, program))
	return err == nil
}

// programGrace is how long a program may take to end.
const programGrace = 10 * time.Second

// Command prepares a program that runs as ourselves, without PG* and LC_* of the caller: those must
// not change what it does. When ctx ends, the program is asked to end, together with the processes that it started:
// pg_basebackup has one that would go on alone. It runs in the folder /: its arguments name absolute paths. The error says
// that there is no such program.
func (t *Tools) Command(ctx context.Context, program string, args ...string) (*exec.Cmd, error) {
	path := filepath.Join(t.dir, program)
	if !t.Has(program) {
		return nil, fmt.Errorf("PostgreSQL %s in %s has no %s: install the rest of it, or set PG_BIN_DIR to a folder that "+
			"has it", t.Version, t.dir, program)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = programGrace
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "PG") || strings.HasPrefix(e, "LC_") || strings.HasPrefix(e, "LEVY_")
	}), "LC_ALL=C")
	return cmd, nil
}

// Own gives a file or folder, with all that is in it, to the user that runs servers.
func (t *Tools) Own(path string) error {
	if t.user == nil {
		return nil
	}
	return filepath.WalkDir(path, func(file string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(file, int(t.user.Uid), int(t.user.Gid))
	})
}
