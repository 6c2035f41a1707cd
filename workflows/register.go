package workflows

import (
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
)

// RegisterTransactions makes ProcessTransactions and its activities known to the
// worker of TransactionsQueue.
func RegisterTransactions(registry sdkworker.Registry, a *activities.Processing) {
	registry.RegisterWorkflowWithOptions(ProcessTransactions, workflow.RegisterOptions{Name: ProcessTransactionsName})
	registry.RegisterActivity(a)
}

// RegisterOnboarding makes Onboarding and its activities known to the worker of
// OnboardingQueue.
func RegisterOnboarding(registry sdkworker.Registry, a *activities.Onboarding) {
	registry.RegisterWorkflowWithOptions(Onboarding, workflow.RegisterOptions{Name: OnboardingName})
	registry.RegisterActivity(a)
}

// RegisterFilings makes FileReturn and PlanFilings and their activities known to the
// worker of FilingsQueue.
func RegisterFilings(registry sdkworker.Registry, a *activities.Filing, p *activities.FilingPlan) {
	registry.RegisterWorkflowWithOptions(FileReturn, workflow.RegisterOptions{Name: FileReturnName})
	registry.RegisterWorkflowWithOptions(PlanFilings, workflow.RegisterOptions{Name: PlanFilingsName})
	registry.RegisterActivity(a)
	registry.RegisterActivity(p)
}

// RegisterExemptions makes ExpireExemptions and its activity known to the worker of
// ExemptionsQueue.
func RegisterExemptions(registry sdkworker.Registry, a *activities.Exemptions) {
	registry.RegisterWorkflowWithOptions(ExpireExemptions, workflow.RegisterOptions{Name: ExpireExemptionsName})
	registry.RegisterActivity(a)
}

// RegisterRegistrations makes Registration and its activities known to the worker of
// RegistrationsQueue.
func RegisterRegistrations(registry sdkworker.Registry, a *activities.Registration) {
	registry.RegisterWorkflowWithOptions(Registration, workflow.RegisterOptions{Name: RegistrationName})
	registry.RegisterActivity(a)
}

// RegisterImports makes ImportTransactions and its activities known to the worker of
// ImportsQueue.
func RegisterImports(registry sdkworker.Registry, a *activities.Imports) {
	registry.RegisterWorkflowWithOptions(ImportTransactions, workflow.RegisterOptions{Name: ImportTransactionsName})
	registry.RegisterActivity(a)
}

// RegisterNexus makes the nexus workflows and their activities known to the worker of
// NexusQueue.
func RegisterNexus(registry sdkworker.Registry, a *activities.Nexus) {
	registry.RegisterWorkflowWithOptions(EvaluateNexus, workflow.RegisterOptions{Name: EvaluateNexusName})
	registry.RegisterWorkflowWithOptions(EvaluateAllNexus, workflow.RegisterOptions{Name: EvaluateAllNexusName})
	registry.RegisterWorkflowWithOptions(ApplyObligation, workflow.RegisterOptions{Name: ApplyObligationName})
	registry.RegisterWorkflowWithOptions(RecountNexus, workflow.RegisterOptions{Name: RecountNexusName})
	registry.RegisterActivity(a)
}
