package models

const unregisteredNexus = "NOT_EXPOSED APPROACHING EXPOSED"

// NexusTransitions is the status of a nexus record (contract 23.5).
var NexusTransitions = StateMachine{
	Name: "nexus_status", Object: "nexus record", Field: "status",
	States: states(unregisteredNexus + " PENDING_REGISTRATION REGISTERED"),
	Transitions: table([]Transition{
		{"", "NOT_EXPOSED", byHTTP, "with the organization"},
		{"NOT_EXPOSED", "APPROACHING", byWorkflow, "80 % of the threshold"},
		{"APPROACHING", "NOT_EXPOSED", byWorkflow, "below again"},
		{"NOT_EXPOSED APPROACHING", "EXPOSED", byWorkflow, "economic, physical or collected-tax nexus is met"},
		{"EXPOSED", "APPROACHING NOT_EXPOSED", byWorkflow, "corrected data: no nexus any more"},
		{unregisteredNexus, "PENDING_REGISTRATION", byHTTPOrWorkflow, "a registration is under way"},
		{
			unregisteredNexus + " PENDING_REGISTRATION", "REGISTERED", byHTTPOrWorkflow,
			"the registration is REGISTERED or DEREGISTERING",
		},
		{"PENDING_REGISTRATION REGISTERED", unregisteredNexus, byWorkflow, "the registration ended: evaluated anew"},
	}),
}

// NexusProcessingTransitions tells whether a nexus record has been evaluated (contract 23.5).
var NexusProcessingTransitions = StateMachine{
	Name: "nexus_processing_status", Object: "nexus record", Field: "processing_status",
	States: states("NOT_READY UP_TO_DATE NEEDS_RERUN"),
	Transitions: table([]Transition{
		{"", "NOT_READY", byHTTP, "with the organization"},
		{"NOT_READY NEEDS_RERUN", "UP_TO_DATE", byWorkflow, "the evaluation is committed"},
		{"UP_TO_DATE", "NEEDS_RERUN", byHTTPOrWorkflow, "something of the jurisdiction changed, or there is new content"},
	}),
}
