package workflows

import "go.temporal.io/sdk/workflow"

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
