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
	Peak   int64 // the most since the last call of ForgetPeak
	Files  int   // open files and connections
}

// Usage of a running process. Only on Linux, where the system shows it.
func (s *Service) Usage() Usage {
	s.bed.tb.Helper()
	proc := fmt.Sprintf("/proc/%d", s.process.PID())
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	require.NoError(s.bed.tb, err)
	kilobytes := func(name string) (n int64) {
		_, rest, found := strings.Cut(string(status), name+":")
		require.True(s.bed.tb, found, "%s", status)
		_, err = fmt.Sscan(rest, &n)
		require.NoError(s.bed.tb, err)
		return n << 10
	}
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	require.NoError(s.bed.tb, err)
	return Usage{Memory: kilobytes("VmRSS"), Peak: kilobytes("VmHWM"), Files: len(files)}
}

// ForgetPeak lets the peak of a running process begin anew.
func (s *Service) ForgetPeak() {
	s.bed.tb.Helper()
	require.NoError(s.bed.tb, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.process.PID()), []byte("5"), 0))
}
