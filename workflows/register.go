package workflows

import (
	sdkworker "go.temporal.io/sdk/worker"

	"levy/activities"
)

// Register makes the workflows of a queue and their activities known to its worker.
func Register(registry sdkworker.Registry, queue string, activities ...any) {
	for _, w := range Catalogue() {
		if w.Queue == queue || w.Background == queue {
			registry.RegisterWorkflowWithOptions(w.run, w.options())
		}
	}
	for _, a := range activities {
		registry.RegisterActivity(a)
	}
}

// RegisterHeartbeat makes Heartbeat and its activity known to the worker of a queue other than
// TransactionsQueue.
func RegisterHeartbeat(registry sdkworker.Registry, h *activities.Heartbeat) {
	for _, w := range Catalogue() {
		if w.Name == HeartbeatName {
			registry.RegisterWorkflowWithOptions(w.run, w.options())
		}
	}
	registry.RegisterActivity(h)
}
