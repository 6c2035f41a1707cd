package limit

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestKeyedSemaphore(t *testing.T) {
	t.Parallel()
	keyed := NewKeyedSemaphore(1)
	var working sync.WaitGroup
	inside, most := 0, 0 // the race detector sees when two are inside
	for range 50 {
		working.Go(func() {
			release, err := keyed.Acquire(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			inside++
			most = max(most, inside)
			inside--
		})
	}
	working.Wait()
	require.Equal(t, 1, most)

	first, err := keyed.Acquire(t.Context(), "a")
	require.NoError(t, err)
	other, err := keyed.Acquire(t.Context(), "b")
	require.NoError(t, err, "another key does not wait")
	impatient, cancel := context.WithCancel(t.Context())
	refused := make(chan error, 1)
	go func() {
		_, err := keyed.Acquire(impatient, "a")
		refused <- err
	}()
	require.Eventually(t, func() bool {
		keyed.mu.Lock()
		defer keyed.mu.Unlock()
		return keyed.entries["a"].users == 2
	}, time.Minute, time.Millisecond, "it waits")
	cancel()
	require.ErrorIs(t, <-refused, models.ErrUnavailable)
	first()
	other()
	require.Empty(t, keyed.entries, "nothing is kept")
}

func TestKeyedSemaphoreOfSeveralAtOnce(t *testing.T) {
	t.Parallel()
	keyed := NewKeyedSemaphore(2)
	first, err := keyed.Acquire(t.Context(), "a")
	require.NoError(t, err)
	second, err := keyed.Acquire(t.Context(), "a")
	require.NoError(t, err, "two are admitted")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = keyed.Acquire(ended, "a")
	require.ErrorIs(t, err, models.ErrUnavailable)
	second()
	third, err := keyed.Acquire(t.Context(), "a")
	require.NoError(t, err)
	first()
	third()
	require.Empty(t, keyed.entries, "nothing is kept")
}
