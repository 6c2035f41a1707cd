package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"
)

// answerProgress answers ProgressQuery.
func answerProgress[T any](ctx workflow.Context, progress func() (T, error)) error {
	return workflow.SetQueryHandlerWithOptions(ctx, ProgressQuery, progress, workflow.QueryHandlerOptions{
		Description: "How far the run is",
	})
}

// signals are those of a name that the run gets, with what staff read of them.
func signals(ctx workflow.Context, name, description string) workflow.ReceiveChannel {
	return workflow.GetSignalChannelWithOptions(ctx, name, workflow.SignalChannelOptions{Description: description})
}

// nextCheck says when a run goes on by itself; nothing where it does not.
func nextCheck(ctx workflow.Context, in time.Duration) []string {
	if in <= 0 {
		return nil
	}
	return []string{"Next automatic check: " + workflow.Now(ctx).Add(in).UTC().Format(time.DateTime) + " UTC"}
}
