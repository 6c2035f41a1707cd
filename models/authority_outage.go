package models

import (
	"fmt"
	"time"
)

// AuthorityAdmission tells whether an authority may be called for a record.
type AuthorityAdmission struct {
	May     bool
	Failing bool          // calls have failed since the last success
	Again   time.Duration // when to ask again, if it may not
}

// AuthorityOutage is an authority that is down.
type AuthorityOutage struct {
	Authority  string        `json:"authority"`
	Age        time.Duration `json:"-"` // since the first call that failed
	AgeSeconds int64         `json:"age_seconds"`
	Failures   int64         `json:"failures"`
	Error      string        `json:"error"`
}

// AuthorityDownError means that an authority was not called because it is down. It is called once a minute for all
// records. It is an ErrUnavailable.
type AuthorityDownError struct {
	Authority string
	Again     time.Duration
}

func (e *AuthorityDownError) Error() string {
	return fmt.Sprintf("authority %s is down, and is tried once a minute for all", e.Authority)
}

// Unwrap returns ErrUnavailable.
func (e *AuthorityDownError) Unwrap() error { return ErrUnavailable }

// UnansweredError means that the call of an authority did not reach it, or that its answer was lost.
// It wraps the error of the adapter. An outage of Levy itself is no UnansweredError.
type UnansweredError struct{ Err error }

func (e *UnansweredError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the adapter.
func (e *UnansweredError) Unwrap() error { return e.Err }
