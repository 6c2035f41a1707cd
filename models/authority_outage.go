package models

import (
	"fmt"
	"time"
)

// AuthorityAdmission says whether an authority may be called for a record.
type AuthorityAdmission struct {
	May     bool
	Failing bool          // calls have failed since the last one that succeeded
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

// AuthorityDownError says that an authority was not called, because it is down: one call a minute is
// made for all records. It is an ErrUnavailable.
type AuthorityDownError struct {
	Authority string
	Again     time.Duration
}

func (e *AuthorityDownError) Error() string {
	return fmt.Sprintf("authority %s is down, and is tried once a minute for all", e.Authority)
}

// Unwrap makes it an outage.
func (e *AuthorityDownError) Unwrap() error { return ErrUnavailable }

// UnansweredError says that the call of an authority did not reach it, or that its answer was lost. It is what the
// adapter failed with; an outage of Levy itself is none.
type UnansweredError struct{ Err error }

func (e *UnansweredError) Error() string { return e.Err.Error() }

// Unwrap is what the adapter failed with.
func (e *UnansweredError) Unwrap() error { return e.Err }
