package models

import "slices"

// OnboardingTransitions is the status of an onboarding (contract 23.7).
var OnboardingTransitions = StateMachine{
	Name: "onboarding_status", Object: "onboarding", Field: "status",
	States: []string{"NOT_STARTED", "IN_PROGRESS", "COMPLETED", "CANCELLED", "EXPIRED", "FAILED"},
	Transitions: []Transition{
		{"", "IN_PROGRESS", byHTTP, "a client organization is created"},
		{"", "NOT_STARTED", byOperator, "a root organization is created"},
		{"NOT_STARTED", "IN_PROGRESS", byHTTP, "step 3"},
		{"IN_PROGRESS", "COMPLETED", byWorkflowFromHTTP, "step 8"},
		{"IN_PROGRESS", "CANCELLED", byHTTP, "not of a root organization"},
		{"IN_PROGRESS", "EXPIRED", byTimer, "not of a root organization"},
		{"IN_PROGRESS", "FAILED", byWorkflow, "the work behind a step failed for good; not of a root organization"},
	},
}

// ExemptionTransitions is the status of an exemption (contract 23.8).
var ExemptionTransitions = StateMachine{
	Name: "exemption_status", Object: "exemption", Field: "status",
	States: names(ExemptionActive, ExemptionInactive, ExemptionDeactivated, ExemptionExpired, ExemptionArchived),
	Transitions: slices.Concat(
		created([]ExemptionStatus{
			ExemptionActive, ExemptionInactive, ExemptionDeactivated, ExemptionArchived,
		}, byHTTP, ""),
		transitions([]ExemptionStatus{ExemptionActive}, []ExemptionStatus{
			ExemptionInactive, ExemptionDeactivated,
		}, byHTTP, ""),
		transitions([]ExemptionStatus{ExemptionInactive}, []ExemptionStatus{
			ExemptionActive, ExemptionDeactivated,
		}, byHTTP, ""),
		transitions([]ExemptionStatus{ExemptionDeactivated}, []ExemptionStatus{ExemptionActive}, byHTTP, ""),
		transitions(
			[]ExemptionStatus{ExemptionActive}, []ExemptionStatus{ExemptionExpired}, byTimer,
			"the day after end_date",
		),
		transitions(
			[]ExemptionStatus{ExemptionExpired}, []ExemptionStatus{ExemptionActive}, byHTTP,
			"with a later end_date",
		),
		transitions([]ExemptionStatus{
			ExemptionActive, ExemptionInactive, ExemptionDeactivated, ExemptionExpired,
		}, []ExemptionStatus{ExemptionArchived}, byHTTP, ""),
	),
}

// APIKeyTransitions is the status of an API key (contract 23.8).
var APIKeyTransitions = StateMachine{
	Name: "api_key_status", Object: "API key", Field: "status", States: []string{"ACTIVE", "EXPIRED", "REVOKED"},
	Transitions: []Transition{
		{"", "ACTIVE", byHTTP, ""},
		{"ACTIVE", "REVOKED", byHTTPOrWorkflow, "by the workflow when an onboarding is undone"},
		{"ACTIVE", "EXPIRED", byTimer, "expires_at has come"},
	},
}

// OrganizationTransitions is the status of an organization (contract 23.8).
var OrganizationTransitions = StateMachine{
	Name: "organization_status", Object: "organization", Field: "status", States: names(
		OrganizationActive, OrganizationArchived,
	),
	Transitions: []Transition{
		{"", string(OrganizationActive), byHTTP, ""},
		{
			string(OrganizationActive), string(OrganizationArchived), byHTTPOrWorkflow,
			"by the workflow when an onboarding is undone",
		},
	},
}

// CustomerTransitions is the status of a customer (contract 23.8).
var CustomerTransitions = StateMachine{
	Name: "customer_status", Object: "customer", Field: "status", States: names(CustomerActive, CustomerArchived),
	Transitions: slices.Concat(
		created([]CustomerStatus{CustomerActive, CustomerArchived}, byHTTP, ""),
		transitions([]CustomerStatus{
			CustomerActive, CustomerArchived,
		}, []CustomerStatus{CustomerActive, CustomerArchived}, byHTTP, ""),
	),
}

var allProductStatuses = []ProductStatus{ProductApproved, ProductPartiallyApproved, ProductPending, ProductArchived}

// ProductTransitions is the status of a product (contract 11.2).
var ProductTransitions = StateMachine{
	Name: "product_status", Object: "product", Field: "status", States: names(allProductStatuses...),
	Transitions: slices.Concat(
		created(allProductStatuses, byHTTP, ""), transitions(allProductStatuses, allProductStatuses, byHTTP, ""),
	),
}
