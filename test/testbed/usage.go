package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// Usage is what a process holds at a moment.
type Usage struct {
	Memory int64 // resident, in bytes
	Peak   int64 // the most since the last call of ResetPeak
	Files  int   // open files and connections
	CPU    time.Duration
	// Ready is the total time for which its threads waited for a CPU. It is 0 where the kernel does not count
	// it.
	Ready time.Duration
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
	return Usage{Memory: kilobytes("VmRSS"), Peak: kilobytes("VmHWM"), Files: len(files), CPU: s.cpu(proc),
		Ready: ready(proc)}
}

func ready(proc string) (sum time.Duration) {
	threads, _ := filepath.Glob(filepath.Join(proc, "task", "*", "schedstat"))
	for _, thread := range threads {
		var ran, waited time.Duration
		if text, err := os.ReadFile(thread); err == nil { // it may have ended
			_, _ = fmt.Sscan(string(text), &ran, &waited)
		}
		sum += waited
	}
	return sum
}

// cpu is what the process has used of CPUs so far. The kernel counts it in hundredths of a second.
func (s *Service) cpu(proc string) time.Duration {
	stat, err := os.ReadFile(filepath.Join(proc, "stat"))
	require.NoError(s.bed.tb, err)
	_, rest, found := strings.Cut(string(stat), ") ") // behind the name, the third field
	fields := strings.Fields(rest)
	require.True(s.bed.tb, found && len(fields) > 12, "%s", stat)
	var user, system int64
	_, err = fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
	require.NoError(s.bed.tb, err)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// ResetPeak resets the peak memory of a running process.
func (s *Service) ResetPeak() {
	s.bed.tb.Helper()
	require.NoError(s.bed.tb, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.process.PID()), []byte("5"), 0))
}
