package models

import (
	"errors"
	"time"
)

// ErrContentChanged means that another version of the content came into force in between.
var ErrContentChanged = errors.New("another version of the content came into force in between")

// ContentSource policies: what happens with a pair of files that is in order.
const (
	PolicyAsk   = "ask"   // it waits until an operator accepts it
	PolicyApply = "apply" // it comes into force, unless it changes too much
)

// SourceStatus is what became of the last pair of files of a state.
type SourceStatus string

// The statuses of a source.
const (
	SourceNew         SourceStatus = "NEW"         // nothing was fetched yet
	SourceCurrent     SourceStatus = "CURRENT"     // the pair is in force
	SourceProposed    SourceStatus = "PROPOSED"    // the pair waits for an operator, as the policy says
	SourceQuarantined SourceStatus = "QUARANTINED" // the pair changes too much, and waits for an operator
	SourceRefused     SourceStatus = "REFUSED"     // the pair is not in order
)

// Waits reports whether the pair can be accepted.
func (s SourceStatus) Waits() bool { return s == SourceProposed || s == SourceQuarantined }

// PublishedFile is a file of a state as it was fetched.
type PublishedFile struct {
	Name         string `json:"name"`
	SHA256       string `json:"sha256"` // of the file as it came, in hexadecimal digits
	Bytes        int64  `json:"bytes"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	Text         string `json:"text_sha256"` // of the table in it
	Rows         int    `json:"rows"`
}

// PublishedSource is where a state publishes its rate and boundary files, and what became of the last pair.
type PublishedSource struct {
	State, RatesURL, BoundariesURL, Policy string
	Rates, Boundaries                      *PublishedFile // nil before the first pair
	RateFile                               []byte         // its text
	Load                                   int64          // of the boundary file; 0 before the first pair
	Status                                 SourceStatus
	Said                                   string
	CheckedAt, FailingSince                *time.Time
	Failure                                string
}

// FetchedRates is what became of the files of a state.
type FetchedRates struct {
	Status SourceStatus `json:"status"`
	// Unreachable means that the server gave no files that count; trying again may help.
	Unreachable bool `json:"unreachable"`
}
