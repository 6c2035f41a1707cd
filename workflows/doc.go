// Package workflows holds the orchestration: the order of the work, its retries, and what staff see. It does no I/O and
// no arithmetic on tax.
//
// catalogue.go lists the workflows with their ids, queues and messages. The table of docs/workflows.md is made from it.
//
// Code that runs inside a workflow must be deterministic: no clock, no random numbers, no configuration, no goroutines
// of its own, no ranging over maps. A change of the order or kind of its commands needs a version (versions.go). Runs
// that are pinned to the release that began them need none (catalogue.go). Every history under testdata/replay must
// still replay.
package workflows
