package main

import (
	"io"
	"log/slog"
	"os/signal"
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
