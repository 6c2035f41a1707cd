package telemetry_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/telemetry"
)

// pipe accepts writes as long as it is read.
type pipe struct {
	mu      sync.Mutex // held by a reader that has stopped
	broken  bool
	content bytes.Buffer
}

func (p *pipe) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken {
		return 0, errors.New("no space left on device")
	}
	return p.content.Write(text)
}

func (p *pipe) set(broken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.broken = broken
}

func (p *pipe) count(text string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Count(p.content.String(), text)
}

func TestALineIsWrittenWhenItIsLogged(t *testing.T) {
	t.Parallel()
	var to pipe
	writer := telemetry.NewLogWriter(&to, nil)
	telemetry.SetTimeout(writer, time.Hour)
	log := slog.New(slog.NewTextHandler(writer, nil))
	for n := range 100 {
		log.Info("one")
		require.Equal(t, n+1, to.count("msg=one"))
	}
}

func TestAReaderThatStopsDoesNotBlockLogging(t *testing.T) {
	t.Parallel()
	var to pipe
	report := make(chan int64, 1)
	writer := telemetry.NewLogWriter(&to, func(lines int64) { report <- lines })
	log := slog.New(slog.NewTextHandler(writer, nil))
	log.Info("before")
	to.mu.Lock()
	long := strings.Repeat("x", 100<<10)
	var loggers sync.WaitGroup
	for range 8 {
		loggers.Go(func() {
			for range 100 {
				log.Info(long)
			}
		})
	}
	loggers.Wait() // no writer waits for the reader
	to.mu.Unlock()
	lost := int(<-report)
	require.GreaterOrEqual(t, lost, 790, "at most a megabyte is buffered")
	require.Less(t, lost, 800, "the buffer is written when the reader continues")
	require.Eventually(
		t, func() bool { return to.count("msg=x")+lost == 800 }, time.Minute, time.Millisecond,
		"every line that was lost is counted",
	)
}

func TestAFullDiskDoesNotStopLogging(t *testing.T) {
	t.Parallel()
	var to pipe
	report := make(chan int64, 1)
	writer := telemetry.NewLogWriter(&to, func(lines int64) { report <- lines })
	to.set(true)
	for range 3 {
		n, err := writer.Write([]byte("lost\n"))
		require.NoError(t, err)
		require.Equal(t, 5, n)
	}
	to.set(false)
	_, err := writer.Write([]byte("kept\n"))
	require.NoError(t, err)
	require.EqualValues(t, 3, <-report)
	require.Equal(t, 1, to.count("kept"))
}
