//go:build unix

package webhook_test

import (
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// startGroup starts a command and returns what ends it with all that it started.
func startGroup(t *testing.T, command *exec.Cmd) (stop func()) {
	t.Helper()
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, command.Start())
	return func() {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		_ = command.Wait()
	}
}
