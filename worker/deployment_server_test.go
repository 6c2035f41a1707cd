package worker

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"

	"levy/activities"
	"levy/internal/local"
	"levy/internal/local/temporal"
	"levy/models"
	"levy/workflows"
)

// startRelease runs the worker of a release until it is stopped.
func startRelease(t *testing.T, client sdkclient.Client, buildID string, store activities.Transactions) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	work := Work{
		Database: &fakeDatabase{}, Processing: activities.New(store, nil, quiet),
		Exemptions: activities.NewExemptions(nil, quiet), Onboarding: &activities.Onboarding{},
	}
	registered := make(chan struct{})
	config := Config{BuildID: buildID, Registered: func() { close(registered) }}
	go func() { done <- Run(ctx, client, work, config, quiet) }()
	return func() {
		select {
		case <-registered:
		case <-time.After(waitLimit):
			t.Error("the workers of " + buildID + " are not registered")
		}
		cancel()
		require.NoError(t, <-done)
	}
}

// unreachable is a store that cannot be reached.
type unreachable struct {
	processed
	asked atomic.Int64
}

func (s *unreachable) LoadForNexus(context.Context, []models.Ref) ([]models.Transaction, error) {
	s.asked.Add(1)
	return nil, models.ErrUnavailable
}

func ownServer(t *testing.T) sdkclient.Client {
	t.Helper()
	bin, err := local.BinDir()
	require.NoError(t, err)
	binary, err := temporal.Ensure(t.Context(), bin, os.Stderr)
	require.NoError(t, err)
	attributes := map[string]string{}
	for name, kind := range workflows.SearchAttributes() {
		attributes[name] = kind.String()
	}
	own, err := temporal.Start(t.Context(), temporal.Config{
		Binary: binary, Headless: true, SearchAttributes: attributes,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Stop(context.Background())) })
	return dial(t, ClientConfig{Address: own.Address})
}

// The first release with versions takes over from one without, and the next one from it. All runs are completed: those
// that wait, those in progress, and later ones.
func TestReleasesFollowEachOther(t *testing.T) {
	t.Parallel()
	client := ownServer(t)
	starter, versions := NewStarter(client), newServerVersions(client, workflows.TransactionsQueue)
	begin := func() (id string) {
		id = models.NewID(models.PrefixBatch)
		require.NoError(t, starter.Start(t.Context(), id, someRefs(2, 1), workflows.Recent))
		return id
	}
	ended := func(id string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
		defer cancel()
		var result workflows.TransactionsResult
		require.NoError(t, client.GetWorkflow(ctx, workflows.TransactionsID(id), "").Get(ctx, &result))
		require.Equal(t, workflows.TransactionsResult{Processed: 2}, result)
	}
	underWay := func(buildID string) (id string, stop func()) {
		store := &unreachable{}
		stop = startRelease(t, client, buildID, store)
		id = begin()
		require.Eventually(t, func() bool { return store.asked.Load() > 0 }, waitLimit, 10*time.Millisecond)
		return id, stop
	}

	current := func(buildID string) {
		t.Helper()
		require.Eventually(t, func() bool {
			found, err := versions.Describe(t.Context())
			return err == nil && found.Info.RoutingConfig.CurrentVersion != nil &&
				found.Info.RoutingConfig.CurrentVersion.BuildID == buildID
		}, waitLimit, 20*time.Millisecond)
	}

	first, stop := underWay("")
	stop()
	second, stop := underWay("2")
	current("2")
	stop()
	stop = startRelease(t, client, "3", processed{})
	current("3")
	ended(begin())
	ended(first)
	ended(second)

	// The second release is restarted, as happens in a deployment that replaces processes one by one.
	d := &deployment{buildID: "2", versions: versions, settled: func() {}, log: quiet}
	require.Equal(t, deploymentTick, d.check(t.Context()))
	found, err := versions.Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, "3", found.Info.RoutingConfig.CurrentVersion.BuildID)
	polled, err := versions.PolledSince(t.Context(), "3", time.Now().Add(-pollersLast))
	require.NoError(t, err)
	require.True(t, polled)
	polled, err = versions.PolledSince(t.Context(), "3", time.Now().Add(time.Minute))
	require.NoError(t, err)
	require.False(t, polled)
	stop()
}
