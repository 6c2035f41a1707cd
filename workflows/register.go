package workflows

import (
	sdkworker "go.temporal.io/sdk/worker"

	"levy/activities"
)

// register makes the workflows of a queue and their activities known to its worker.
func register(registry sdkworker.Registry, queue string, activities ...any) {
	for _, w := range Catalogue() {
		if w.Queue == queue || w.Background == queue {
			registry.RegisterWorkflowWithOptions(w.run, w.options())
		}
	}
	for _, a := range activities {
		registry.RegisterActivity(a)
	}
}

// RegisterTransactions makes ProcessTransactions and Heartbeat and their activities known to
// the worker of TransactionsQueue.
func RegisterTransactions(registry sdkworker.Registry, a *activities.Processing, h *activities.Heartbeat) {
	register(registry, TransactionsQueue, a, h)
}

// RegisterBackground makes ProcessTransactions and its activities known to the worker of BackgroundQueue.
func RegisterBackground(registry sdkworker.Registry, a *activities.Processing) {
	register(registry, BackgroundQueue, a)
}

// RegisterHeartbeat makes Heartbeat and its activity known to the worker of another queue.
func RegisterHeartbeat(registry sdkworker.Registry, h *activities.Heartbeat) {
	for _, w := range Catalogue() {
		if w.Name == HeartbeatName {
			registry.RegisterWorkflowWithOptions(w.run, w.options())
		}
	}
	registry.RegisterActivity(h)
}

// RegisterOnboarding makes Onboarding and its activities known to the worker of
// OnboardingQueue.
func RegisterOnboarding(registry sdkworker.Registry, a *activities.Onboarding) {
	register(registry, OnboardingQueue, a)
}

// RegisterFilings makes FileReturn and PlanFilings and their activities known to the
// worker of FilingsQueue.
func RegisterFilings(registry sdkworker.Registry, a *activities.Filing, p *activities.FilingPlan) {
	register(registry, FilingsQueue, a, p)
}

// RegisterExemptions makes ExpireExemptions and its activity known to the worker of
// ExemptionsQueue.
func RegisterExemptions(registry sdkworker.Registry, a *activities.Exemptions) {
	register(registry, ExemptionsQueue, a)
}

// RegisterRegistrations makes Registration and its activities known to the worker of
// RegistrationsQueue.
func RegisterRegistrations(registry sdkworker.Registry, a *activities.Registration) {
	register(registry, RegistrationsQueue, a)
}

// RegisterImports makes ImportTransactions and its activities known to the worker of
// ImportsQueue.
func RegisterImports(registry sdkworker.Registry, a *activities.Imports) {
	register(registry, ImportsQueue, a)
}

// RegisterWebhooks makes DeliverWebhooks and its activity known to the worker of WebhooksQueue.
func RegisterWebhooks(registry sdkworker.Registry, a *activities.Webhooks) {
	register(registry, WebhooksQueue, a)
}

// RegisterNexus makes the nexus workflows and their activities known to the worker of
// NexusQueue.
func RegisterNexus(registry sdkworker.Registry, a *activities.Nexus) {
	register(registry, NexusQueue, a)
}
