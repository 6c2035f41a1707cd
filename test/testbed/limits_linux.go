package testbed

import (
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// ExhaustFiles leaves a running process no descriptor: what it has open it keeps, and
// nothing can be opened, until release is called.
func (s *Service) ExhaustFiles() (release func()) {
	tb := s.bed.tb
	tb.Helper()
	var before unix.Rlimit
	limit := func(to, old *unix.Rlimit) {
		require.NoError(tb, unix.Prlimit(s.process.PID(), unix.RLIMIT_NOFILE, to, old))
	}
	limit(nil, &before)
	limit(&unix.Rlimit{Cur: 0, Max: before.Max}, nil)
	return func() { limit(&before, nil) }
}
