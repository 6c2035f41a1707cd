// Package workflows holds the orchestration: what happens in which order, what is
// retried, what staff see. It does no I/O and no arithmetic on tax.
//
//	workflow             id                         queue          messages
//	ProcessTransactions  transactions/<batch>       transactions   Query progress
//	Onboarding           onboarding/<org>           onboarding     Updates submit_step, cancel; Query progress
//	Registration         registration/<id>          registrations  Signal record_changed; Query progress
//	FileReturn           filing/<id>                filings        Updates approve, pause, resume, skip, retry, cancel;
//	                                                               Signal record_changed; Query progress
//	PlanFilings          plan-filings-<time>        filings
//	ImportTransactions   import/<id>                imports        Query progress
//	ExpireExemptions     expire-exemptions-<time>   exemptions
//	EvaluateNexus        nexus/<batch>              nexus
//	EvaluateAllNexus     evaluate-nexus-<time>      nexus
//	ApplyObligation      obligation/<nexus record>  nexus
//	RecountNexus         recount-nexus-<time>       nexus
//
// Code that runs inside a workflow must be deterministic: no clock, no random
// numbers, no configuration, no goroutines of its own, no ranging over maps. A
// change of the order or kind of its commands needs a version change
// (workflow.GetVersion) and a history recorded from the released code under
// testdata/replay, where every recorded history must still replay.
package workflows
