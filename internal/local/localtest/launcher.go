// Package localtest is for tests of servers on this machine: it starts them from processes of their own, and looks after
// processes and ports.
package localtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// taskVariable makes a test binary act as a launcher, which tests can kill or run as another user.
const taskVariable = "LEVY_TEST_LAUNCHED"

// Started is what a launcher says of the server that it has started.
type Started struct {
	PID       int
	URL       string
	Relocated bool
}

// launched is Started or why there is none.
type launched struct {
	Started
	Error string
}

// Launched reports whether this is a process of StartLauncher. In one it has started a server of the configuration C,
// answered with one line and waited for the end of its standard input.
func Launched[C any](start func(context.Context, C) (Started, func(context.Context) error, error)) bool {
	task := os.Getenv(taskVariable)
	if task == "" {
		return false
	}
	ctx := context.Background()
	var c C
	var answer launched
	stop := func(context.Context) error { return nil }
	err := json.Unmarshal([]byte(task), &c)
	if err == nil {
		answer.Started, stop, err = start(ctx, c)
	}
	if err != nil {
		answer.Error = err.Error()
	}
	_ = json.NewEncoder(os.Stdout).Encode(answer)
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err == nil {
		err = stop(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// Launcher is a process that has started a server.
type Launcher struct {
	Started
	cmd   *exec.Cmd
	stdin io.Closer
}

// StartLauncher starts a server of the configuration from a process of the given user (nil: ours).
func StartLauncher(t *testing.T, config any, user *syscall.Credential) *Launcher {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	home := t.TempDir()
	if user != nil {
		program = copyFor(t, program, user)
		home = filepath.Dir(program)
	}
	encoded, err := json.Marshal(config)
	require.NoError(t, err)
	cmd := exec.Command(program)
	cmd.Dir = home
	cmd.Env = append(os.Environ(), taskVariable+"="+string(encoded), "HOME="+home)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	l := &Launcher{cmd: cmd, stdin: stdin}
	t.Cleanup(l.Kill)
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	require.NoError(t, err)
	var answer launched
	require.NoError(t, json.Unmarshal(line, &answer))
	require.Empty(t, answer.Error)
	l.Started = answer.Started
	return l
}

// Stop ends the process in good order, and with it the server.
func (l *Launcher) Stop(t *testing.T) {
	t.Helper()
	require.NoError(t, l.stdin.Close())
	require.NoError(t, l.cmd.Wait())
}

// Kill kills the process.
func (l *Launcher) Kill() {
	if l.cmd.ProcessState == nil {
		_ = l.cmd.Process.Kill()
		_ = l.cmd.Wait()
	}
}

// copyFor puts the program into a folder that user owns and can enter.
func copyFor(t *testing.T, program string, user *syscall.Credential) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "levy-launcher-*") //nolint:usetesting // that user cannot enter t.TempDir
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	content, err := os.Open(program)
	require.NoError(t, err)
	defer func() { _ = content.Close() }()
	target := filepath.Join(dir, "launcher")
	WriteProgram(t, target, content)
	require.NoError(t, os.Chown(dir, int(user.Uid), int(user.Gid)))
	return target
}

// WriteProgram writes a file that all users may run, by another process. A process that this one starts at the same
// moment would inherit an open file. Linux runs no program that is open for writing (ETXTBSY).
func WriteProgram(t *testing.T, path string, content io.Reader) {
	t.Helper()
	write := exec.Command("install", "-m", "0755", "/dev/stdin", path)
	write.Stdin = content
	output, err := write.CombinedOutput()
	require.NoError(t, err, "%s", output)
}

// RequireGone waits until the process has ended.
func RequireGone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(
		t, func() bool { return !Alive(pid) }, 20*time.Second, 20*time.Millisecond, "process %d still runs", pid,
	)
}

// Alive reports whether the process runs; one that has ended but was not
// collected by the system's first process counts as ended.
func Alive(pid int) bool {
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

// Occupy listens on a port of 127.0.0.1 until the test ends.
func Occupy(t *testing.T, port int) {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
}
