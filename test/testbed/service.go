package testbed

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/local"
)

// Service is an API or worker process. It keeps its address over restarts. Its
// methods are for one goroutine at a time.
type Service struct {
	bed     *Bed
	command string
	program string // of its own; empty: that of the bed
	ready   string // where /readyz answers
	private string // where an API shows its metrics; empty for anywhere
	log     string
	pipe    *os.File // instead of log
	env     []string // of its own
	process *local.Process
}

// URL is the base address of an API.
func (s *Service) URL() string { return "http://" + s.ready }

// Start starts the process and returns when it is ready. failpoints are those of
// package failpoint, for a bed that has them.
func (s *Service) Start(failpoints ...string) {
	s.bed.tb.Helper()
	s.Launch(failpoints...)
	s.WaitReady()
}

// Launch starts the process without waiting for anything, such as while what it
// depends on is down.
func (s *Service) Launch(failpoints ...string) {
	tb := s.bed.tb
	tb.Helper()
	log, err := s.openLog()
	require.NoError(tb, err)
	defer log.Close()
	program := s.program
	if program == "" {
		program = s.bed.program
	}
	cmd := exec.Command(program, s.command)
	cmd.Env = slices.Clip(s.bed.env)
	if s.command == "api" {
		cmd.Env = append(cmd.Env, "LEVY_HTTP_ADDR="+s.ready)
		if s.private != "" {
			cmd.Env = append(cmd.Env, "LEVY_PRIVATE_ADDR="+s.private)
		}
	} else {
		cmd.Env = append(cmd.Env, "LEVY_PRIVATE_ADDR="+s.ready)
	}
	for _, f := range failpoints {
		cmd.Env = append(cmd.Env, "LEVY_FAILPOINTS="+f)
	}
	cmd.Env = append(cmd.Env, s.env...)
	cmd.Stdout, cmd.Stderr = log, log
	s.process, err = local.StartProcess(cmd, syscall.SIGKILL)
	require.NoError(tb, err)
}

// SetProgram uses another program from the next start on; empty: that of the bed again.
func (s *Service) SetProgram(program string) { s.program = program }

// WaitReady returns when /readyz says yes.
func (s *Service) WaitReady() {
	s.bed.tb.Helper()
	s.bed.Eventually("levy "+s.command+" is ready", func(ctx context.Context) (bool, error) {
		if s.Ended() {
			require.FailNow(s.bed.tb, "levy "+s.command+" ended: "+s.process.Outcome())
		}
		err := s.Ready(ctx)
		return err == nil, err
	})
}

// Ready is nil when /readyz says yes.
func (s *Service) Ready(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL()+"/readyz", nil)
	if err != nil {
		return err
	}
	response, err := s.bed.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("readyz: %s", response.Status)
	}
	return nil
}

// Metric is the sum of the series of a metric that have a label, as a worker shows them; 0 when it does not answer.
func (s *Service) Metric(ctx context.Context, name, label string) int {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL()+"/metrics", nil)
	if err != nil {
		return 0
	}
	response, err := s.bed.http.Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	sum := 0.0
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		series, value, _ := strings.Cut(lines.Text(), "} ")
		if strings.HasPrefix(series, name+"{") && strings.Contains(series, label) {
			n, _ := strconv.ParseFloat(value, 64)
			sum += n
		}
	}
	return int(sum)
}

// LastLogLine is the last line of the process's log.
func (s *Service) LastLogLine() string { return string(tail(s.log, 1)) }

// Ended reports whether the process has ended.
func (s *Service) Ended() bool {
	select {
	case <-s.process.Done():
		return true
	default:
		return false
	}
}

// Kill ends the process as kill -9 does, if it runs.
func (s *Service) Kill() {
	if s.process == nil {
		return
	}
	s.process.Signal(syscall.SIGKILL)
	<-s.process.Done()
}

// Pause stops the process, as a machine that hangs. Resume continues it as if no time had passed.
func (s *Service) Pause() { s.process.Signal(syscall.SIGSTOP) }

// Resume continues a paused process.
func (s *Service) Resume() { s.process.Signal(syscall.SIGCONT) }

// Stop stops the process gracefully and waits for its end.
func (s *Service) Stop() {
	s.bed.tb.Helper()
	require.NoError(s.bed.tb, s.process.Stop(context.Background(), syscall.SIGTERM, WaitLimit))
	require.NoError(s.bed.tb, s.process.Err())
}

// WaitKilled waits until a failpoint has killed the process: proof that the fault
// happened.
func (s *Service) WaitKilled() {
	s.bed.tb.Helper()
	select {
	case <-s.process.Done():
	case <-time.After(WaitLimit):
		require.FailNow(s.bed.tb, "the failpoint did not kill levy "+s.command)
	}
	require.ErrorContains(s.bed.tb, s.process.Err(), "killed")
}

// Log is all that the process has logged.
func (s *Service) Log() string {
	content, err := os.ReadFile(s.log)
	require.NoError(s.bed.tb, err)
	return string(content)
}

// Logged counts the lines of the process's log that contain text.
func (s *Service) Logged(text string) int {
	content, err := os.ReadFile(s.log)
	require.NoError(s.bed.tb, err)
	n := 0
	for line := range bytes.Lines(content) {
		if bytes.Contains(line, []byte(text)) {
			n++
		}
	}
	return n
}

// relevantLines are the last warnings and errors of a log, and its last lines.
func relevantLines(path string) []byte {
	const wrong, end = 20, 5
	var relevant [][]byte
	for line := range bytes.Lines(tail(path, math.MaxInt)) {
		if !bytes.Contains(line, []byte(`"level":"INFO"`)) {
			relevant = append(relevant, line)
		}
	}
	relevant = relevant[max(0, len(relevant)-wrong):]
	return append(bytes.Join(relevant, nil), append([]byte("\n...\n"), tail(path, end)...)...)
}

func tail(path string, n int) []byte {
	content, err := os.ReadFile(path)
	if err != nil {
		return []byte(err.Error())
	}
	lines := bytes.Split(bytes.TrimRight(content, "\n"), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-n):], []byte("\n"))
}

// NewAPI returns one more API process of the installation, on its own address.
func (b *Bed) NewAPI() *Service { return b.newService("api") }

// NewWorker returns one more worker process of the installation.
func (b *Bed) NewWorker() *Service { return b.newService("worker") }

func (b *Bed) newService(command string) *Service {
	b.tb.Helper()
	s := &Service{bed: b, command: command, ready: freeAddress(b.tb)}
	s.log = filepath.Join(b.dir, fmt.Sprintf("%s-%d.log", command, len(b.services)+1))
	if command == "worker" {
		s.env = append(s.env, b.environmentOfWorkers...)
	}
	if b.ToTemporalOfWorkers != nil && command == "worker" {
		s.env = append(s.env, "LEVY_TEMPORAL_ADDRESS="+b.ToTemporalOfWorkers.Address)
	}
	b.services = append(b.services, s)
	b.tb.Cleanup(func() {
		s.Kill()
		if b.tb.Failed() {
			b.tb.Logf("the end of %s:\n%s", filepath.Base(s.log), relevantLines(s.log))
		}
	})
	return s
}

func freeAddress(tb testing.TB) string {
	tb.Helper()
	port, err := local.FreePort()
	require.NoError(tb, err)
	return fmt.Sprintf("127.0.0.1:%d", port)
}
