package models

// FilingTransitions is the status of a filing (contract 23.4).
var FilingTransitions = StateMachine{
	Name: "filing_status", Object: "filing", Field: "status",
	States: states("UNFILED FILING FILED PAUSED ISSUE SKIPPED CANCELLED"),
	Transitions: table([]Transition{
		{"", "UNFILED", byWorkflow, "the period has ended"},
		{"", "UNFILED FILING FILED PAUSED ISSUE SKIPPED CANCELLED", byHTTP, "what the status needs is sent along"},
		{
			"UNFILED", "FILING", byHTTP,
			"approved: the period has ended, nothing blocks it, no transaction of it is in processing or unresolved",
		},
		{"UNFILED", "FILING", byTimer, "auto_file, and the same conditions"},
		{"UNFILED", "PAUSED", byHTTP, "paused_until_date, or until it is resumed"},
		{"PAUSED", "UNFILED", byHTTPOrTimer, "resumed, or paused_until_date has come"},
		{"UNFILED PAUSED ISSUE", "SKIPPED", byHTTP, "skip_reason, and no liability"},
		{"UNFILED PAUSED ISSUE", "CANCELLED", byHTTPOrWorkflow, "cancelled_reason"},
		{"FILING", "FILED", byHTTPOrWorkflow, "the authority confirmed, or return_confirmation_id is sent"},
		{"FILING", "ISSUE", byHTTPOrWorkflow, "issue_reason"},
		{"ISSUE", "FILING", byHTTP, "retry, with the same members"},
		{"ISSUE", "UNFILED", byHTTP, "the members are released"},
	}),
}

// RegistrationTransitions is the status of a registration (contract 23.6).
var RegistrationTransitions = StateMachine{
	Name: "registration_status", Object: "registration", Field: "status",
	States: states("UNREGISTERED PROCESSING VALIDATING AWAITING_CLARIFICATION REGISTERED DEREGISTERING " +
		"DEREGISTERED CANCELLED"),
	Transitions: table([]Transition{
		{"", "PROCESSING", byHTTP, ""},
		{"", "REGISTERED", byHTTP, "imported, or registration_date is not in the future"},
		{"", "UNREGISTERED", byWorkflow, "auto_register, onboarding not COMPLETED"},
		{"", "PROCESSING", byWorkflow, "auto_register, onboarding COMPLETED"},
		{"UNREGISTERED", "PROCESSING", byHTTPOrWorkflow, "by the workflow when onboarding is COMPLETED"},
		{"PROCESSING", "VALIDATING", byWorkflow, "handed to the authority"},
		{"PROCESSING VALIDATING", "REGISTERED", byHTTPOrWorkflow, "confirmed"},
		{"PROCESSING VALIDATING", "AWAITING_CLARIFICATION", byHTTPOrWorkflow, ""},
		{"AWAITING_CLARIFICATION", "PROCESSING REGISTERED", byHTTP, ""},
		{"UNREGISTERED PROCESSING VALIDATING AWAITING_CLARIFICATION", "CANCELLED", byHTTPOrWorkflow, ""},
		{"REGISTERED", "DEREGISTERING", byHTTP, "later filings are cancelled"},
		{"DEREGISTERING", "DEREGISTERED", byHTTPOrWorkflow, "the last filing has ended and the authority confirmed"},
	}),
}
