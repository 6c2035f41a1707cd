//go:build unix && !linux

package postgres

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// processesIn lists the PostgreSQL that runs on the data directory dir, by the
// process id it noted there, if that process still is one.
func processesIn(dir string) []int {
	pid := postmasterPID(dir)
	if pid == 0 {
		return nil
	}
	command, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil || !bytes.Contains(command, []byte(filepath.Join(dir))) {
		return nil
	}
	if p, err := os.FindProcess(pid); err != nil || p.Signal(syscall.Signal(0)) != nil {
		return nil
	}
	return []int{pid}
}
