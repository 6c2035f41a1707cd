// Package workflows holds the orchestration: what happens in which order, what is
// retried, what staff see. It does no I/O and no arithmetic on tax.
//
// The workflows, their ids, queues and messages stand in catalogue.go, from which the table
// of docs/workflows.md is made.
//
// Code that runs inside a workflow must be deterministic: no clock, no random
// numbers, no configuration, no goroutines of its own, no ranging over maps. A
// change of the order or kind of its commands needs a version (versions.go), unless its
// runs are pinned to the release that began them (catalogue.go), and every history
// under testdata/replay must still replay.
package workflows
