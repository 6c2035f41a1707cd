package models

import "slices"

// OnboardingStatusMachine is the status of an onboarding (contract 23.7).
var OnboardingStatusMachine = Machine{
	Name: "onboarding_status", Object: "onboarding", Field: "status",
	States: []string{"NOT_STARTED", "IN_PROGRESS", "COMPLETED", "CANCELLED", "EXPIRED", "FAILED"},
	Moves: []Move{
		{"", "IN_PROGRESS", byHTTP, "a client organization is created"},
		{"", "NOT_STARTED", byOperator, "a root organization is created"},
		{"NOT_STARTED", "IN_PROGRESS", byHTTP, "step 3"},
		{"IN_PROGRESS", "COMPLETED", byWorkflowFromHTTP, "step 8"},
		{"IN_PROGRESS", "CANCELLED", byHTTP, "not of a root organization"},
		{"IN_PROGRESS", "EXPIRED", byTimer, "not of a root organization"},
		{"IN_PROGRESS", "FAILED", byWorkflow, "the work behind a step failed for good; not of a root organization"},
	},
}

// ExemptionStatusMachine is the status of an exemption (contract 23.8).
var ExemptionStatusMachine = Machine{
	Name: "exemption_status", Object: "exemption", Field: "status",
	States: names(ExemptionActive, ExemptionInactive, ExemptionDeactivated, ExemptionExpired, ExemptionArchived),
	Moves: slices.Concat(
		created([]ExemptionStatus{ExemptionActive, ExemptionInactive, ExemptionDeactivated, ExemptionArchived}, byHTTP, ""),
		moves([]ExemptionStatus{ExemptionActive}, []ExemptionStatus{ExemptionInactive, ExemptionDeactivated}, byHTTP, ""),
		moves([]ExemptionStatus{ExemptionInactive}, []ExemptionStatus{ExemptionActive, ExemptionDeactivated}, byHTTP, ""),
		moves([]ExemptionStatus{ExemptionDeactivated}, []ExemptionStatus{ExemptionActive}, byHTTP, ""),
		moves([]ExemptionStatus{ExemptionActive}, []ExemptionStatus{ExemptionExpired}, byTimer, "the day after end_date"),
		moves([]ExemptionStatus{ExemptionExpired}, []ExemptionStatus{ExemptionActive}, byHTTP, "with a later end_date"),
		moves([]ExemptionStatus{ExemptionActive, ExemptionInactive, ExemptionDeactivated, ExemptionExpired}, []ExemptionStatus{ExemptionArchived}, byHTTP, ""),
	),
}

// APIKeyStatusMachine is the status of an API key (contract 23.8).
var APIKeyStatusMachine = Machine{
	Name: "api_key_status", Object: "API key", Field: "status", States: []string{"ACTIVE", "EXPIRED", "REVOKED"},
	Moves: []Move{
		{"", "ACTIVE", byHTTP, ""},
		{"ACTIVE", "REVOKED", byHTTPOrWorkflow, "by the workflow when an onboarding is undone"},
		{"ACTIVE", "EXPIRED", byTimer, "expires_at has come"},
	},
}

// OrganizationStatusMachine is the status of an organization (contract 23.8).
var OrganizationStatusMachine = Machine{
	Name: "organization_status", Object: "organization", Field: "status", States: names(OrganizationActive, OrganizationArchived),
	Moves: []Move{
		{"", string(OrganizationActive), byHTTP, ""},
		{string(OrganizationActive), string(OrganizationArchived), byHTTPOrWorkflow, "by the workflow when an onboarding is undone"},
	},
}

// CustomerStatusMachine is the status of a customer (contract 23.8).
var CustomerStatusMachine = Machine{
	Name: "customer_status", Object: "customer", Field: "status", States: names(CustomerActive, CustomerArchived),
	Moves: slices.Concat(
		created([]CustomerStatus{CustomerActive, CustomerArchived}, byHTTP, ""),
		moves([]CustomerStatus{CustomerActive, CustomerArchived}, []CustomerStatus{CustomerActive, CustomerArchived}, byHTTP, ""),
	),
}

var allProductStatuses = []ProductStatus{ProductApproved, ProductPartiallyApproved, ProductPending, ProductArchived}

// ProductStatusMachine is the status of a product (contract 11.2).
var ProductStatusMachine = Machine{
	Name: "product_status", Object: "product", Field: "status", States: names(allProductStatuses...),
	Moves: slices.Concat(created(allProductStatuses, byHTTP, ""), moves(allProductStatuses, allProductStatuses, byHTTP, "")),
}
