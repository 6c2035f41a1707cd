package testbed

import (
	"context"
	"os"
	"syscall"
)

// temporalFolder is the folder of the bed in which its own Temporal server keeps all it
// knows.
func temporalFolder() string {
	if os.Getenv(OwnTemporalVariable) == "postgres" {
		return "temporal-store"
	}
	return "temporal"
}

// TemporalEnded reports whether the bed's own Temporal server, or the PostgreSQL that the
// server of production has, has ended.
func (b *Bed) TemporalEnded() bool {
	ended := b.own.temporal.Done()
	stored := make(<-chan struct{})
	if store := b.own.temporalStore; store != nil {
		stored = store.Done()
	}
	select {
	case <-ended:
		return true
	case <-stored:
		return true
	default:
		return false
	}
}

// RestartTemporal ends the bed's own Temporal server, and the PostgreSQL that the server
// of production has, as kill -9 does, and starts them on their data.
func (b *Bed) RestartTemporal(ctx context.Context) {
	b.tb.Helper()
	b.KillTemporal()
	if store := b.own.temporalStore; store != nil {
		store.Signal(syscall.SIGKILL)
		<-store.Done()
		_ = store.Stop(context.Background()) // gives back the lock on its folder
		b.own.temporalStore = nil
	}
	b.StartTemporal(ctx)
}
