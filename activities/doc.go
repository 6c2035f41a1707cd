// Package activities holds the side effects of the workflows. Every activity is
// idempotent: it writes under a guard on (organization, id, epoch, previous
// status) and derives its answer from the state it finds afterwards, so running
// it twice, or in two workflows at once, changes nothing and answers the same.
//
// The decisions themselves are small pure functions beside the activities
// (destination, exemption, nexus, liability, currency): they read a loaded
// record and return what shall be stored.
//
// Only errors made by this package's failure function leave an activity. They
// carry a type and a code, never the text of a lower layer: messages of failures
// are kept in the history of the workflow.
package activities
