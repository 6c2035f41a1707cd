package testbed

import (
	"os"
	"path/filepath"

	"github.com/stretchr/testify/require"
)

// LogOn writes the log of the process to a disk of its own from its next start on.
func (s *Service) LogOn(disk *Disk) { s.log = filepath.Join(disk.dir, filepath.Base(s.log)) }

// LogToPipe writes the log of the process to a pipe from its next start on, and returns the reading end.
func (s *Service) LogToPipe() (reader *os.File) {
	tb := s.bed.tb
	tb.Helper()
	reader, writer, err := os.Pipe()
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = reader.Close() })
	s.pipe = writer
	return reader
}

// openLog opens what a process that is started logs to.
func (s *Service) openLog() (*os.File, error) {
	if s.pipe != nil {
		return s.pipe, nil
	}
	return os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}
