package call

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestDetachedWorkContinuesAfterItsRequest(t *testing.T) {
	t.Parallel()
	background := func(c *Call) context.Context { return With(t.Context(), c) }

	t.Run("a request that waits gets the result", func(t *testing.T) {
		t.Parallel()
		n, err := RunInBackground(background(&Call{}), func(context.Context) (int, error) { return 7, nil })
		require.NoError(t, err)
		require.Equal(t, 7, n)
	})
	t.Run("a request that is cancelled has an unknown outcome, and the work continues", func(t *testing.T) {
		t.Parallel()
		ctx, leave := context.WithCancel(background(&Call{}))
		begun, finish, found := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		told := make(chan error, 1)
		go func() {
			_, err := RunInBackground(ctx, func(ctx context.Context) (int, error) {
				close(begun)
				<-finish
				found <- ctx.Err()
				return 0, nil
			})
			told <- err
		}()
		<-begun
		leave()
		require.ErrorIs(t, <-told, models.ErrOutcomeUnknown)
		close(finish)
		require.NoError(t, <-found, "its context has not ended")
	})
	t.Run("a request with an idempotency key waits for the work", func(t *testing.T) {
		t.Parallel()
		ctx, leave := context.WithCancel(background(&Call{Commit: &Commit{}}))
		leave()
		n, err := RunInBackground(ctx, func(ctx context.Context) (int, error) { return 7, ctx.Err() })
		require.NoError(t, err)
		require.Equal(t, 7, n)
	})
	t.Run("a panic is an error of the request", func(t *testing.T) {
		t.Parallel()
		_, err := RunInBackground(background(&Call{}), func(context.Context) (int, error) { panic(errors.New("x")) })
		require.ErrorContains(t, err, "panic: x")
	})
}
