package activities

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"

	"levy/models"
)

// defectsOf runs DetermineNexus as an attempt that has so much time and before which there were so
// many defects. It returns the type of the error with which it ends.
func defectsOf(t *testing.T, store Transactions, time time.Duration, used int, in StageInput) string {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestActivityEnvironment()
	processing := New(store, fakeEngine{}, slog.New(slog.DiscardHandler))
	env.RegisterActivity(processing)
	ctx, cancel := context.WithTimeout(t.Context(), time)
	defer cancel()
	env.SetWorkerOptions(sdkworker.Options{BackgroundActivityContext: ctx})
	if used > 0 {
		env.SetHeartbeatDetails(used)
	}
	_, err := env.ExecuteActivity(processing.DetermineNexus, in)
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok, err)
	return app.Type()
}

// Only unexpected errors count, and not the number of attempts: the others were outages.
func TestOnlyDefectsCount(t *testing.T) {
	t.Parallel()
	transactions, refs := queued(2)
	store := newFakeStore(transactions...)
	in := StageInput{Refs: refs}
	store.loadErr = errors.New("odd")
	require.Equal(t, ErrTypeUnexpected, defectsOf(t, store, time.Minute, 0, in))
	require.Equal(t, ErrTypeUnexpected, defectsOf(t, store, time.Minute, MaxDefects-2, in))
	require.Equal(t, ErrTypeBatchFailed, defectsOf(t, store, time.Minute, MaxDefects-1, in))
	store.loadErr = models.ErrUnavailable
	require.Equal(t, ErrTypeInfrastructure, defectsOf(t, store, time.Minute, MaxDefects-1, in))
}

// slowStore takes all the time that it has.
type slowStore struct{ *fakeStore }

func (slowStore) LoadForNexus(ctx context.Context, _ []models.Ref) ([]models.Transaction, error) {
	<-ctx.Done()
	return nil, models.ErrUnavailable // as the driver says it
}

// A batch that exceeds its time is bisected; a single transaction waits for a machine that has time for it.
func TestABatchThatTakesTooLongIsBisected(t *testing.T) {
	t.Parallel()
	_, refs := queued(2)
	store := slowStore{newFakeStore()}
	const short, last = time.Second + 50*time.Millisecond, MaxDefects - 1 // the last second is not used
	require.Equal(t, ErrTypeInfrastructure, defectsOf(t, store, short, 0, StageInput{Refs: refs}))
	require.Equal(t, ErrTypeBatchFailed, defectsOf(t, store, short, last, StageInput{Refs: refs}))
	require.Equal(t, ErrTypeBatchFailed, defectsOf(t, store, short, 0, StageInput{Refs: refs, Isolating: true}))
	require.Equal(t, ErrTypeInfrastructure, defectsOf(t, store, short, last, StageInput{Refs: refs[:1], Isolating: true}))
}
