package testbed

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"

	"levy/workflows"
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

// RestartTemporal ends the bed's own Temporal server, as kill -9 does, and starts it on its data. It does the same with
// the PostgreSQL of a production server.
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

// logTemporal logs the end of the log of the bed's Temporal server when the test has failed.
func (b *Bed) logTemporal() {
	if b.tb.Failed() {
		b.tb.Logf("the end of temporal.log:\n%s", tail(filepath.Join(b.dir, "temporal", "temporal.log"), 20))
	}
}

// waitForSearchAttributes waits until workflows can be started with them.
func (b *Bed) waitForSearchAttributes(ctx context.Context) {
	b.tb.Helper()
	client := b.Temporal()
	conditions := []string{}
	for name := range workflows.SearchAttributes() {
		conditions = append(conditions, name+" IS NULL")
	}
	b.Eventually("the search attributes can be used", func(ctx context.Context) (bool, error) {
		_, err := client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Namespace: b.TemporalNamespace, PageSize: 1, Query: strings.Join(conditions, " AND "),
		})
		return err == nil, err
	})
}

// Temporal returns a client without the payload codec, for ids and states. It is the same one until the bed's own
// server is restarted. Tests call it many times a second, and each client has a connection of its own.
func (b *Bed) Temporal() sdkclient.Client {
	b.tb.Helper()
	b.temporalLock.Lock()
	defer b.temporalLock.Unlock()
	if b.temporal != nil {
		return b.temporal
	}
	client, err := sdkclient.NewLazyClient(sdkclient.Options{
		HostPort: b.TemporalAddress, Namespace: b.TemporalNamespace,
		Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	require.NoError(b.tb, err)
	b.tb.Cleanup(client.Close)
	b.temporal = client
	return client
}

// resetTemporalClient lets the next client connect at once: one whose server was down waits before it reconnects.
func (b *Bed) resetTemporalClient() {
	b.temporalLock.Lock()
	defer b.temporalLock.Unlock()
	b.temporal = nil
}
