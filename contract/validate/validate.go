// Package validate checks requests against the contract: a strict scan of the JSON, which
// keeps only what the contract knows, then every field, every parameter and every rule
// between them. All faults are found at once, each with its place, and what is accepted is
// written again in one canonical form, so that nothing else of a body reaches the service.
package validate

import (
	"sync"
	"time"
)

// Options are the parts of the contract that the document leaves to the installation.
type Options struct {
	// Sources are values the operator adds to the set of sources.
	Sources []string
	// Category reports whether a product category is known. When nil, every one is.
	Category func(name string) bool
	// Jurisdiction reports whether a country has a jurisdiction with the code or name of
	// the state. When nil, every one has.
	Jurisdiction func(country, state string) bool
	// Checks are what the service checks itself of objects, by the names that the document gives (x-check). What is not
	// here is not checked.
	Checks map[string]Check
	// WebhookURL says what is wrong with an address that events are to be sent to, in a sentence; empty for nothing. When
	// nil, every one is right.
	WebhookURL func(address string) string
}

// Checker checks requests. It is safe for concurrent use once it has compiled all operations.
type Checker struct {
	options Options
	choices map[string]choice
	runs    sync.Pool
}

// New makes a checker; Compile makes it know an operation.
func New(o Options) *Checker {
	c := &Checker{options: o, choices: map[string]choice{}}
	c.runs.New = func() any { return &Run{checker: c} }
	return c
}

// Begin begins a check at a time, which End ends.
func (c *Checker) Begin(now time.Time) *Run {
	v := c.runs.Get().(*Run)
	v.now = now
	v.out, v.params = v.out[:0], v.params[:0]
	v.place, v.faults, v.truncated = v.place[:0], nil, false
	v.refused, v.compared, v.ignored = nil, 0, v.ignored[:0]
	return v
}

// End keeps the buffers for the next check, unless they are large.
func (c *Checker) End(v *Run) {
	const large = 1 << 18
	if cap(v.out) <= large && cap(v.tape)*24 <= large {
		v.body, v.raw, v.ctx = nil, nil, nil
		c.runs.Put(v)
	}
}
