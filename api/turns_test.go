package api

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestTurns(t *testing.T) {
	t.Parallel()
	turns := newTurns(1)
	var working sync.WaitGroup
	inside, most := 0, 0 // the race detector sees when two are inside
	for range 50 {
		working.Go(func() {
			pass, err := turns.take(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			defer pass()
			inside++
			most = max(most, inside)
			inside--
		})
	}
	working.Wait()
	require.Equal(t, 1, most)

	first, err := turns.take(t.Context(), "a")
	require.NoError(t, err)
	other, err := turns.take(t.Context(), "b")
	require.NoError(t, err, "another thing does not wait")
	impatient, cancel := context.WithCancel(t.Context())
	refused := make(chan error, 1)
	go func() {
		_, err := turns.take(impatient, "a")
		refused <- err
	}()
	require.Eventually(t, func() bool {
		turns.mu.Lock()
		defer turns.mu.Unlock()
		return turns.held["a"].users == 2
	}, time.Minute, time.Millisecond, "it waits")
	cancel()
	require.ErrorIs(t, <-refused, models.ErrUnavailable)
	first()
	other()
	require.Empty(t, turns.held, "nothing is kept")
}

func TestTurnsOfSeveralAtOnce(t *testing.T) {
	t.Parallel()
	turns := newTurns(2)
	first, err := turns.take(t.Context(), "a")
	require.NoError(t, err)
	second, err := turns.take(t.Context(), "a")
	require.NoError(t, err, "there is room for two")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = turns.take(ended, "a")
	require.ErrorIs(t, err, models.ErrUnavailable)
	second()
	third, err := turns.take(t.Context(), "a")
	require.NoError(t, err)
	first()
	third()
	require.Empty(t, turns.held, "nothing is kept")
}
