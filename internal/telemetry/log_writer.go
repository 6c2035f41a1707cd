package telemetry

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"
)

const (
	// logTimeout is how long a caller waits for a line to be written. A slow disk
	// takes less; a reader that has stopped takes for ever.
	logTimeout = 100 * time.Millisecond
	// logBytes and logLines bound what waits to be written.
	logBytes = 1 << 20
	logLines = 4096
)

// LogWriter passes lines of a log on. It never fails and never blocks its callers: a full disk, a dead collector or a
// stopped terminal must not stop the service.
//
// As long as lines can be written, Write returns when its line is written, so a process that dies leaves all its lines.
// Otherwise up to a megabyte of lines waits, and later lines are lost.
type LogWriter struct {
	to      io.Writer
	report  func(lines int64)
	timeout time.Duration
	queue   chan logLine
	waiting atomic.Int64 // bytes in the queue
	stalled atomic.Bool  // lines are dropped, not waited for
	lost    atomic.Int64 // lines, not reported yet
}

type logLine struct {
	text    []byte
	written chan struct{}
}

// NewLogWriter returns a writer that lasts as long as the process. When lines can be
// written again, report is called in a goroutine of its own with how many were lost.
func NewLogWriter(to io.Writer, report func(lines int64)) *LogWriter {
	w := &LogWriter{to: to, report: report, timeout: logTimeout, queue: make(chan logLine, logLines)}
	go w.pass()
	return w
}

// Write takes one line. It never fails.
func (w *LogWriter) Write(text []byte) (int, error) {
	line := logLine{text: bytes.Clone(text), written: make(chan struct{})}
	if !w.take(line) {
		w.lost.Add(1)
		return len(text), nil
	}
	if w.stalled.Load() {
		return len(text), nil
	}
	timer := time.NewTimer(w.timeout)
	defer timer.Stop()
	select {
	case <-line.written:
	case <-timer.C:
		w.stalled.Store(true)
	}
	return len(text), nil
}

func (w *LogWriter) take(line logLine) bool {
	size := int64(len(line.text))
	if w.waiting.Add(size) <= logBytes {
		select {
		case w.queue <- line:
			return true
		default:
		}
	}
	w.waiting.Add(-size)
	return false
}

func (w *LogWriter) pass() {
	for line := range w.queue {
		_, err := w.to.Write(line.text)
		w.waiting.Add(-int64(len(line.text)))
		w.stalled.Store(false)
		close(line.written)
		if err != nil {
			w.lost.Add(1)
		} else if n := w.lost.Swap(0); n > 0 {
			go w.report(n)
		}
	}
}
