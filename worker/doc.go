// Package worker connects Levy to Temporal: the client with its encryption, the workers of workflows and activities,
// and the schedules.
//
// It starts workflows for the records that are due in the database. Thus no work is lost with a process, a start or all
// data of Temporal:
//
//   - The dispatcher starts transactions that were just accepted.
//   - The relay starts the rows of the outbox that are due.
//   - The sweepers start or signal the runs of due onboardings, registrations, filings, imports and webhook endpoints.
//   - The reconciler makes records due whose run is missing, and ends runs that have stalled.
//   - The watch of nexus starts evaluations for organizations whose nexus may have changed.
package worker

//go:generate go run ./internal/workflowdoc ../docs/workflows.md
