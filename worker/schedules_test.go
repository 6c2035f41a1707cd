package worker

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"
	sdkworker "go.temporal.io/sdk/worker"

	"levy/activities"
	"levy/models"
	"levy/workflows"
)

// nothingToExpire records the day of each call.
type nothingToExpire chan time.Time

func (n nothingToExpire) ExpireExemptions(
	_ context.Context, today time.Time, _ string,
) (models.ExpiredExemptions, error) {
	n <- today
	return models.ExpiredExemptions{Done: true}, nil
}

// On a real server, schedules are created once, however often they are ensured. Changed schedules are updated, and
// their workflows run.
func TestSchedules(t *testing.T) {
	client, err := sdkclient.Dial(sdkclient.Options{HostPort: server.Address})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	ctx := t.Context()
	require.NoError(t, EnsureSchedules(ctx, client, workflows.Schedules()))
	handle := client.ScheduleClient().GetHandle(ctx, "expire-exemptions")
	t.Cleanup(func() { _ = handle.Delete(context.Background()) })
	require.NoError(t, handle.Pause(ctx, sdkclient.SchedulePauseOptions{Note: "by an operator"}))

	changed := workflows.Schedules()
	changed[0].Spec.Calendars[0].Hour[0].Start = 7
	require.NoError(t, EnsureSchedules(ctx, client, changed))
	found, err := handle.Describe(ctx)
	require.NoError(t, err)
	require.Equal(t, 7, found.Schedule.Spec.Calendars[0].Hour[0].Start)
	require.True(t, found.Schedule.State.Paused, "what an operator paused stays paused")
	require.Equal(t, "by an operator", found.Schedule.State.Note)

	days := make(nothingToExpire, 1)
	w := sdkworker.New(dial(t, ClientConfig{}), workflows.ExemptionsQueue, sdkworker.Options{})
	workflows.Register(w, workflows.ExemptionsQueue, activities.NewExemptions(days, slog.New(slog.DiscardHandler)))
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	before := time.Now().UTC().Format(time.DateOnly)
	require.NoError(t, handle.Trigger(ctx, sdkclient.ScheduleTriggerOptions{}))
	select {
	case day := <-days:
		require.Contains(t, []string{before, time.Now().UTC().Format(time.DateOnly)}, day.Format(time.DateOnly))
	case <-time.After(time.Minute):
		require.Fail(t, "the schedule started nothing")
	}
}
