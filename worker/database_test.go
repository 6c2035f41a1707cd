package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// fakeDatabase is a database that can be unreachable.
type fakeDatabase struct{ dead atomic.Bool }

func (l *fakeDatabase) Ping(ctx context.Context) error {
	if l.dead.Load() {
		<-ctx.Done()
		return errors.New("no answer")
	}
	return nil
}

// A worker without its database takes no activities, neither from the task queue nor with workflow tasks, until the
// database answers again.
func TestSlotsWaitForTheDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		database := &fakeDatabase{}
		watch := &databaseWatch{database: database, log: slog.New(slog.DiscardHandler)}
		go watch.Run(ctx)
		slots := newTuner(1, watch).GetActivityTaskSlotSupplier()
		require.NotNil(t, slots.TryReserveSlot(nil))
		reserved := make(chan error)
		reserve := func(ctx context.Context) {
			_, err := slots.ReserveSlot(ctx, nil)
			reserved <- err
		}
		go reserve(ctx) // it holds the only slot

		database.dead.Store(true)
		<-time.After(2*databaseTick + databaseTimeout)
		slots.ReleaseSlot(nil) // its activity has failed
		synctest.Wait()
		select {
		case err := <-reserved:
			require.Fail(t, "a slot without a database", "%v", err)
		default:
		}
		require.Nil(t, slots.TryReserveSlot(nil), "an activity that comes with a workflow task")

		database.dead.Store(false)
		require.NoError(t, <-reserved)
		slots.ReleaseSlot(nil)

		database.dead.Store(true)
		<-time.After(2*databaseTick + databaseTimeout)
		stopping, cancel := context.WithCancel(ctx)
		go reserve(stopping)
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-reserved, context.Canceled)
		database.dead.Store(false)
		<-time.After(2*databaseTick + databaseTimeout)
		require.NotNil(t, slots.TryReserveSlot(nil), "who gives up waiting keeps no slot")
	})
}
