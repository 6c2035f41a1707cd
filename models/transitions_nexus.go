package models

import "slices"

var unregisteredNexus = []string{"NOT_EXPOSED", "APPROACHING", "EXPOSED"}

// NexusTransitions is the status of a nexus record (contract 23.5).
var NexusTransitions = StateMachine{
	Name: "nexus_status", Object: "nexus record", Field: "status",
	States: []string{"NOT_EXPOSED", "APPROACHING", "EXPOSED", "PENDING_REGISTRATION", "REGISTERED"},
	Transitions: slices.Concat(
		created([]string{"NOT_EXPOSED"}, byHTTP, "with the organization"),
		[]Transition{
			{"NOT_EXPOSED", "APPROACHING", byWorkflow, "80 % of the threshold"},
			{"APPROACHING", "NOT_EXPOSED", byWorkflow, "below again"},
		},
		transitions(
			[]string{"NOT_EXPOSED", "APPROACHING"}, []string{"EXPOSED"}, byWorkflow,
			"economic, physical or collected-tax nexus is met",
		),
		transitions(
			[]string{"EXPOSED"}, []string{"APPROACHING", "NOT_EXPOSED"}, byWorkflow,
			"corrected data: no nexus any more",
		),
		transitions(
			unregisteredNexus, []string{"PENDING_REGISTRATION"}, byHTTPOrWorkflow, "a registration is under way",
		),
		transitions(
			append(slices.Clone(unregisteredNexus), "PENDING_REGISTRATION"), []string{"REGISTERED"},
			byHTTPOrWorkflow, "the registration is REGISTERED or DEREGISTERING",
		),
		transitions([]string{
			"PENDING_REGISTRATION", "REGISTERED",
		}, unregisteredNexus, byWorkflow, "the registration ended: evaluated anew"),
	),
}

// NexusProcessingTransitions says whether a nexus record has been evaluated (contract 23.5).
var NexusProcessingTransitions = StateMachine{
	Name: "nexus_processing_status", Object: "nexus record", Field: "processing_status",
	States: []string{"NOT_READY", "UP_TO_DATE", "NEEDS_RERUN"},
	Transitions: slices.Concat(
		created([]string{"NOT_READY"}, byHTTP, "with the organization"),
		transitions(
			[]string{"NOT_READY", "NEEDS_RERUN"}, []string{"UP_TO_DATE"}, byWorkflow,
			"the evaluation is committed",
		),
		transitions(
			[]string{"UP_TO_DATE"}, []string{"NEEDS_RERUN"}, byHTTPOrWorkflow,
			"something of the jurisdiction changed, or there is new content",
		),
	),
}
