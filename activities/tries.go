package activities

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"
)

// heartbeatInterval is well within the shortest heartbeat timeout.
const heartbeatInterval = 3 * time.Second

// sendHeartbeats sends heartbeats until the function it returns is called.
func sendHeartbeats(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	used := triesUsed(ctx)
	go func() {
		ticker := time.NewTicker(heartbeatInterval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-ticker.C:
				activity.RecordHeartbeat(ctx, used)
			}
		}
	}()
	return func() { close(done) }
}

// Outages are attempts of an activity, too, and so are the times an authority has not
// decided yet: an activity that has waited through hundreds of them still has all its
// tries. So the tries that are used up are counted apart, in the detail of the
// heartbeats, which the next attempt finds.

// triesUsed is how many tries of the activity are used up.
func triesUsed(ctx context.Context) (n int) {
	if activity.HasHeartbeatDetails(ctx) {
		_ = activity.GetHeartbeatDetails(ctx, &n) // what is no number counts nothing
	}
	return n
}

// useTry uses up one try and says which one it was.
func useTry(ctx context.Context) int {
	n := triesUsed(ctx) + 1
	activity.RecordHeartbeat(ctx, n)
	return n
}

// tryOf is which try an error has used up: 0 for an outage, which is waited for.
func tryOf(ctx context.Context, err error) int {
	if _, infrastructure := classify(err); infrastructure {
		return 0
	}
	return useTry(ctx)
}
