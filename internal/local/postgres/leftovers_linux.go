package postgres

import (
	"os"
	"path/filepath"
	"strconv"
)

// processesIn lists the processes whose working directory is dir: PostgreSQL's
// main process and all its workers change into their data directory.
func processesIn(dir string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		cwd, err := os.Readlink(filepath.Join("/proc", e.Name(), "cwd"))
		if err == nil && cwd == dir {
			pids = append(pids, pid)
		}
	}
	return pids
}
