package worker

import (
	"context"
	"errors"
	"fmt"

	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// EnsureSchedules creates the wanted schedules that are missing and updates the others. It may run repeatedly, and
// several times at once. A schedule that an operator has paused stays paused.
func EnsureSchedules(ctx context.Context, client sdkclient.Client, wanted []sdkclient.ScheduleOptions) error {
	for _, options := range wanted {
		_, err := client.ScheduleClient().Create(ctx, options)
		if errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
			err = updateSchedule(ctx, client, options)
		}
		if err != nil {
			return fmt.Errorf("schedule %s: %w", options.ID, err)
		}
	}
	return nil
}

// updateSchedule changes a schedule to the wanted options.
func updateSchedule(ctx context.Context, client sdkclient.Client, options sdkclient.ScheduleOptions) error {
	return client.ScheduleClient().GetHandle(ctx, options.ID).Update(ctx, sdkclient.ScheduleUpdateOptions{
		DoUpdate: func(found sdkclient.ScheduleUpdateInput) (*sdkclient.ScheduleUpdate, error) {
			schedule := found.Description.Schedule
			schedule.Spec, schedule.Action = &options.Spec, options.Action
			schedule.Policy = &sdkclient.SchedulePolicies{
				Overlap: options.Overlap, CatchupWindow: options.CatchupWindow,
			}
			return &sdkclient.ScheduleUpdate{Schedule: &schedule}, nil
		},
	})
}
