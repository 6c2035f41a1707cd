package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"
)

// Usage is what a process holds at a moment.
type Usage struct {
	Memory int64 // resident, in bytes
	Files  int   // open files and connections
}

// Usage of a running process. Only on Linux, where the system shows it.
func (s *Service) Usage() Usage {
	s.bed.tb.Helper()
	proc := fmt.Sprintf("/proc/%d", s.process.PID())
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	require.NoError(s.bed.tb, err)
	_, rest, found := strings.Cut(string(status), "VmRSS:")
	require.True(s.bed.tb, found, "%s", status)
	var kilobytes int64
	_, err = fmt.Sscan(rest, &kilobytes)
	require.NoError(s.bed.tb, err)
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	require.NoError(s.bed.tb, err)
	return Usage{Memory: kilobytes << 10, Files: len(files)}
}
