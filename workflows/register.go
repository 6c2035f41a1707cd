package workflows

import sdkworker "go.temporal.io/sdk/worker"

// Register makes the workflows of a queue, Heartbeat among them, and their activities known to its worker.
func Register(registry sdkworker.Registry, queue string, activities ...any) {
	for _, w := range Catalogue() {
		if w.Queue == queue || w.Background == queue || w.Name == HeartbeatName {
			registry.RegisterWorkflowWithOptions(w.run, w.options())
		}
	}
	for _, a := range activities {
		registry.RegisterActivity(a)
	}
}
