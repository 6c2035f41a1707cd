package api

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestALaneBelongsToOneOrganization(t *testing.T) {
	t.Parallel()
	l := newLanes()
	l.width = 2
	enter := func(ctx context.Context, organization string) <-chan error {
		entered := make(chan error, 1)
		go func() { entered <- l.enter(ctx, organization) }()
		return entered
	}
	waiting := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			return len(l.used["a"].waiting) == n
		}, time.Minute, time.Millisecond)
	}
	require.NoError(t, l.enter(t.Context(), "a"))
	require.NoError(t, l.enter(t.Context(), "a"))
	impatient, cancel := context.WithCancel(t.Context())
	third := enter(impatient, "a")
	waiting(1)
	fourth := enter(t.Context(), "a")
	waiting(2)
	require.NoError(t, l.enter(t.Context(), "b"), "another organization does not wait")
	cancel()
	require.ErrorIs(t, <-third, models.ErrUnavailable)
	waiting(1)
	l.leave("a")
	require.NoError(t, <-fourth, "who waits takes the place of who leaves, and nobody that of who gave up")
	for _, organization := range []string{"a", "a", "b"} {
		l.leave(organization)
	}
	require.Empty(t, l.used, "nothing is kept")
}

// A turn that comes to somebody who has just given up is not lost.
func TestATurnOfWhoGaveUpGoesOn(t *testing.T) {
	t.Parallel()
	l := newLanes()
	l.width = 1
	require.NoError(t, l.enter(t.Context(), "a"))
	gone := make(chan struct{})
	close(gone)
	own := l.used["a"] // whose turn has come already
	l.giveUp("a", own, gone)
	require.Empty(t, l.used)
}
