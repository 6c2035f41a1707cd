package pg

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// However many want a connection, a database that refuses them is tried ten times a second; once it takes them, nobody
// waits.
func TestADatabaseThatRefusesIsTriedWithPauses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, starting := &reconnects{}, errors.New("the database system is starting up")
		began, tries := time.Now(), atomic.Int64{}
		connect := func(ctx context.Context) error {
			if err := r.beforeConnect(ctx, nil); err != nil {
				return err
			}
			tries.Add(1)
			<-time.After(time.Millisecond)
			var err error
			if time.Since(began) < time.Second {
				err = starting
			}
			r.TraceConnectEnd(ctx, pgx.TraceConnectEndData{Err: err})
			return err
		}
		require.ErrorIs(t, connect(t.Context()), starting)
		gone, leave := context.WithCancel(t.Context())
		leave()
		require.ErrorIs(t, connect(gone), context.Canceled)
		var clients sync.WaitGroup
		for range 100 {
			clients.Go(func() {
				for connect(t.Context()) != nil {
					<-time.After(time.Millisecond)
				}
			})
		}
		clients.Wait()
		require.InDelta(t, 1000, time.Since(began).Milliseconds(), 110)
		require.LessOrEqual(t, tries.Load(), int64(11+100), "one in each pause, then one for each")
		now := time.Now()
		require.NoError(t, r.beforeConnect(t.Context(), nil))
		require.Zero(t, time.Since(now))
	})
}
