package main

import (
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"levy/internal/telemetry"
)

// serviceLog is where a process that serves logs to: it goes on serving whatever becomes
// of its log. A pipe whose reader has ended would otherwise end the process.
func (p *program) serviceLog() io.Writer {
	signal.Ignore(syscall.SIGPIPE)
	return telemetry.NewLogWriter(p.stderr, func(lines int64) {
		slog.Warn("lines of the log were lost", "lines", lines)
	})
}

// memoryGoal is what a process tries to stay within: it collects garbage more often
// before it takes more. What is really needed beyond it is still taken.
const memoryGoal = 256 << 20

// boundMemory sets the goal, unless GOMEMLIMIT says another one.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
	}
}
