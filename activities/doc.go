// Package activities holds the side effects of the workflows. Every activity is
// idempotent: it writes under a guard on (organization, id, epoch, previous
// status) and derives its answer from the state it finds afterwards, so running
// it twice, or in two workflows at once, changes nothing and answers the same.
//
// The decisions themselves are small pure functions beside the activities
// (destination, exemption, nexus, liability, currency): they read a loaded
// record and return what shall be stored.
//
// Errors leave an activity in one of few forms, because messages of failures are kept in
// the history of the workflow. What went wrong below (failure, stepFailure) carries a type
// and a code, never the text of the lower layer; a panic is one of these, too. What the
// record refuses (Refusal, FilingRefusal) carries a type and the details or the words with
// which package models refuses, which hold no content. The others (invalidInput, ErrTypePending,
// an attempt that is over, a record that is not there) have fixed words.
package activities
