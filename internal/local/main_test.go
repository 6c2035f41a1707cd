package local

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// helperVariable makes the test binary act as a launcher in a process of its own,
// which tests can kill or run as another user.
const helperVariable = "LOCAL_TEST_HELPER"

type helperTask struct {
	Postgres *PostgresConfig `json:",omitempty"`
	Temporal *TemporalConfig `json:",omitempty"`
}

type helperAnswer struct {
	Error     string
	PID       int
	URL       string
	Cluster   string
	Relocated bool
}

func TestMain(m *testing.M) {
	if task := os.Getenv(helperVariable); task != "" {
		help(task)
		return
	}
	os.Exit(m.Run())
}

// help starts the requested server, answers with one line and waits for the end of its standard input.
func help(task string) {
	var t helperTask
	var a helperAnswer
	var stop func(context.Context) error
	err := json.Unmarshal([]byte(task), &t)
	switch {
	case err != nil:
	case t.Postgres != nil:
		var p *Postgres
		if p, err = StartPostgres(context.Background(), *t.Postgres); err == nil {
			a = helperAnswer{PID: p.PID(), URL: p.URL(""), Cluster: p.ClusterDir, Relocated: p.Relocated}
			stop = p.Stop
		}
	case t.Temporal != nil:
		var s *Temporal
		if s, err = StartTemporal(context.Background(), *t.Temporal); err == nil {
			a = helperAnswer{PID: s.PID(), URL: s.Address}
			stop = s.Stop
		}
	}
	if err != nil {
		a.Error = err.Error()
	}
	_ = json.NewEncoder(os.Stdout).Encode(a)
	_, _ = io.Copy(io.Discard, os.Stdin)
	if stop != nil {
		if err := stop(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

type helper struct {
	helperAnswer
	cmd   *exec.Cmd
	stdin io.Closer
}

// startHelper runs task in a process of the given user (nil: ours).
func startHelper(t *testing.T, task helperTask, user *syscall.Credential) *helper {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	home := t.TempDir()
	if user != nil {
		program = copyFor(t, program, user)
		home = filepath.Dir(program)
	}
	encoded, err := json.Marshal(task)
	require.NoError(t, err)
	cmd := exec.Command(program)
	cmd.Dir = home
	cmd.Env = append(os.Environ(), helperVariable+"="+string(encoded), "HOME="+home)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	h := &helper{cmd: cmd, stdin: stdin}
	t.Cleanup(h.kill)
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(line, &h.helperAnswer))
	require.Empty(t, h.Error)
	return h
}

// stop ends the helper in good order.
func (h *helper) stop(t *testing.T) {
	t.Helper()
	require.NoError(t, h.stdin.Close())
	require.NoError(t, h.cmd.Wait())
}

func (h *helper) kill() {
	if h.cmd.ProcessState == nil {
		_ = h.cmd.Process.Kill()
		_ = h.cmd.Wait()
	}
}

// copyFor puts the program into a folder that user owns and can enter.
func copyFor(t *testing.T, program string, user *syscall.Credential) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "levy-helper-*") //nolint:usetesting // that user cannot enter t.TempDir
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	content, err := os.ReadFile(program)
	require.NoError(t, err)
	target := filepath.Join(dir, "helper")
	require.NoError(t, os.WriteFile(target, content, 0o755))
	require.NoError(t, os.Chown(dir, int(user.Uid), int(user.Gid)))
	return target
}

// requireGone waits until the process has ended.
func requireGone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(
		t, func() bool { return !alive(pid) }, 20*time.Second, 20*time.Millisecond, "process %d still runs", pid,
	)
}

// alive reports whether the process runs; one that has ended but was not
// collected by the system's first process counts as ended.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	var id int
	var name, state string
	if _, err := fmt.Sscanf(string(stat), "%d %s %s", &id, &name, &state); err != nil {
		return true
	}
	return state != "Z"
}
