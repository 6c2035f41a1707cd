package postgres

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// stopLeftovers ends every server process that still works on the data
// directory. The caller holds the cluster's lock, so whatever runs there was
// left by a launcher that was killed.
func stopLeftovers(ctx context.Context, data string, out io.Writer) error {
	steps := []struct {
		signal syscall.Signal
		grace  time.Duration
	}{{syscall.SIGINT, 15 * time.Second}, {syscall.SIGQUIT, 5 * time.Second}, {syscall.SIGKILL, 5 * time.Second}}
	for i, step := range steps {
		pids := processesIn(data)
		if len(pids) == 0 {
			break
		}
		if i == 0 {
			fmt.Fprintln(out, "Stopping a PostgreSQL that was left running on this cluster.")
		}
		for _, pid := range leaders(pids, data, step.signal) {
			_ = syscall.Kill(pid, step.signal)
		}
		if waitGone(ctx, data, step.grace) {
			break
		}
	}
	if pids := processesIn(data); len(pids) > 0 {
		return fmt.Errorf("processes %v still run on the PostgreSQL cluster %s", pids, data)
	}
	// The process id noted there belongs to no process or, by now, to another program,
	// which would make PostgreSQL refuse to start.
	if err := os.Remove(filepath.Join(data, pidFile)); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// leaders picks whom to signal: the main process stops its workers itself; when
// it is gone, or for SIGKILL, everyone.
func leaders(pids []int, data string, sig syscall.Signal) []int {
	main := postmasterPID(data)
	if sig != syscall.SIGKILL && slices.Contains(pids, main) {
		return []int{main}
	}
	return pids
}

func waitGone(ctx context.Context, data string, d time.Duration) bool {
	giveUp := time.After(d)
	for len(processesIn(data)) > 0 {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-giveUp:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}

const pidFile = "postmaster.pid"

// postmasterPID reads the process id a server noted in its data directory, 0 if
// there is none.
func postmasterPID(data string) int {
	content, err := os.ReadFile(filepath.Join(data, pidFile))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || pid < 2 {
		return 0
	}
	return pid
}
