package models

// OnboardingTransitions is the status of an onboarding (contract 23.7).
var OnboardingTransitions = StateMachine{
	Name: "onboarding_status", Object: "onboarding", Field: "status",
	States: states("NOT_STARTED IN_PROGRESS COMPLETED CANCELLED EXPIRED FAILED"),
	Transitions: table([]Transition{
		{"", "IN_PROGRESS", byHTTP, "a client organization is created"},
		{"", "NOT_STARTED", byOperator, "a root organization is created"},
		{"NOT_STARTED", "IN_PROGRESS", byHTTP, "step 3"},
		{"IN_PROGRESS", "COMPLETED", byWorkflowFromHTTP, "step 8"},
		{"IN_PROGRESS", "CANCELLED", byHTTP, "not of a root organization"},
		{"IN_PROGRESS", "EXPIRED", byTimer, "not of a root organization"},
		{"IN_PROGRESS", "FAILED", byWorkflow, "the work behind a step failed for good; not of a root organization"},
	}),
}

// ExemptionTransitions is the status of an exemption (contract 23.8).
var ExemptionTransitions = StateMachine{
	Name: "exemption_status", Object: "exemption", Field: "status",
	States: states("ACTIVE INACTIVE DEACTIVATED EXPIRED ARCHIVED"),
	Transitions: table([]Transition{
		{"", "ACTIVE INACTIVE DEACTIVATED ARCHIVED", byHTTP, ""},
		{"ACTIVE", "INACTIVE DEACTIVATED", byHTTP, ""},
		{"INACTIVE", "ACTIVE DEACTIVATED", byHTTP, ""},
		{"DEACTIVATED", "ACTIVE", byHTTP, ""},
		{"ACTIVE", "EXPIRED", byTimer, "the day after end_date"},
		{"EXPIRED", "ACTIVE", byHTTP, "with a later end_date"},
		{"ACTIVE INACTIVE DEACTIVATED EXPIRED", "ARCHIVED", byHTTP, ""},
	}),
}

// APIKeyTransitions is the status of an API key (contract 23.8).
var APIKeyTransitions = StateMachine{
	Name: "api_key_status", Object: "API key", Field: "status", States: states("ACTIVE EXPIRED REVOKED"),
	Transitions: table([]Transition{
		{"", "ACTIVE", byHTTP, ""},
		{"ACTIVE", "REVOKED", byHTTPOrWorkflow, "by the workflow when an onboarding is undone"},
		{"ACTIVE", "EXPIRED", byTimer, "expires_at has come"},
	}),
}

// OrganizationTransitions is the status of an organization (contract 23.8).
var OrganizationTransitions = StateMachine{
	Name: "organization_status", Object: "organization", Field: "status", States: states("ACTIVE ARCHIVED"),
	Transitions: table([]Transition{
		{"", "ACTIVE", byHTTP, ""},
		{"ACTIVE", "ARCHIVED", byHTTPOrWorkflow, "by the workflow when an onboarding is undone"},
	}),
}

// CustomerTransitions is the status of a customer (contract 23.8).
var CustomerTransitions = StateMachine{
	Name: "customer_status", Object: "customer", Field: "status", States: states("ACTIVE ARCHIVED"),
	Transitions: table([]Transition{
		{"", "ACTIVE ARCHIVED", byHTTP, ""},
		{"ACTIVE ARCHIVED", "ACTIVE ARCHIVED", byHTTP, ""},
	}),
}

const allProductStatuses = "APPROVED PARTIALLY_APPROVED PENDING ARCHIVED"

// ProductTransitions is the status of a product (contract 11.2).
var ProductTransitions = StateMachine{
	Name: "product_status", Object: "product", Field: "status", States: states(allProductStatuses),
	Transitions: table([]Transition{
		{"", allProductStatuses, byHTTP, ""},
		{allProductStatuses, allProductStatuses, byHTTP, ""},
	}),
}
