// Package worker connects Levy to Temporal: the client with its encryption, the
// worker that runs workflows and activities, the schedules, and those that start
// workflows for what the database says is to be done, so that losing a process, a start
// or all of Temporal's data loses no work:
//
//   - the dispatcher takes the transactions that were just accepted,
//   - the relay takes whatever is still in their outbox when its time has come,
//   - a sweeper of each kind sees to onboardings, registrations, filings and imports
//     whose run is not there yet, was lost, or must be signalled that the record changed,
//   - the check of lost runs makes records due whose run ended before they were done,
//   - the check of stuck runs ends open ones whose workflow task Temporal has lost,
//   - the watch of nexus takes the organizations whose nexus is to be evaluated.
package worker

//go:generate go run ./internal/workflowdoc ../docs/workflows.md
