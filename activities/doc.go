// Package activities holds the side effects of the workflows. Every activity is
// idempotent: it writes under a guard on (organization, id, epoch, previous
// status) and derives its answer from the state it finds afterwards, so running
// it twice, or in two workflows at once, changes nothing and answers the same.
//
// An activity loads, decides and saves. The decisions themselves (destination,
// exemption, nexus, liability, currency, what comes next) are functions of package
// rules: they read what was loaded and return what shall be stored. A decision that
// holds only under a lock is asked for by the store, in its database transaction.
//
// Errors leave an activity in one of few forms, because messages of failures are kept in
// the history of the workflow. What went wrong below (failure, stepFailure) carries a type
// and a code, never the text of the lower layer; a panic is one of these, too. What the
// record refuses (Refusal, FilingRefusal) carries a type and the details or the words with
// which package models refuses, which hold no content. The others (invalidInput, ErrTypePending,
// an attempt that is over, a record that is not there) have fixed words.
package activities
