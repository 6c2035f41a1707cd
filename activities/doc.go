// Package activities holds the side effects of the workflows. Every activity is idempotent. It writes under a guard on
// (organization, id, epoch, previous status) and derives its answer from the state that it finds afterwards. So a
// second run, or one in two workflows at once, changes nothing and answers the same.
//
// An activity loads, decides and saves. The decisions (destination, exemption, nexus, liability, currency, next action)
// are functions of package rules. They take the loaded records and return what is to be stored. If a decision holds
// only under a lock, the store calls it in its database transaction.
//
// Errors leave an activity in one of few forms, because messages of failures are stored in the history of the workflow:
//
//   - A failure of a lower layer (failure, stepFailure) has a type and a code, never the text of that layer. A panic is such
//     a failure.
//   - A refusal of the record (Refusal, FilingRefusal) has a type and the details or the message of package models, which
//     have no content of records.
//   - Other errors (invalidInput, ErrTypePending, an attempt that is over, a missing record) have fixed messages.
package activities
