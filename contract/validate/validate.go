// Package validate checks requests against the contract. A strict scan of the JSON records only the values that the
// contract knows. Then every field, every parameter and every rule between them is checked. The answer lists all faults
// with their places. An accepted request is written again in one canonical form, so that nothing else of a body reaches
// the service.
package validate

import (
	"sync"
	"time"
)

// Options are the parts of the contract that depend on the installation.
type Options struct {
	// Sources are the values that the operator has added to the set of sources.
	Sources []string
	// Category reports whether a product category is known. If nil, all are.
	Category func(name string) bool
	// Categories returns the product categories that a refusal of an unknown one names. If nil, it names none.
	Categories func() []Category
	// Jurisdiction reports whether a country has a jurisdiction with the code or name of the state. If nil, all are known.
	Jurisdiction func(country, state string) bool
	// Checks are the checks of the service, by their names in the document (x-check). An object is not checked if its name
	// is absent here.
	Checks map[string]Check
	// WebhookURL returns a sentence about the fault in an address for events, or "" for none. If nil,
	// all addresses are accepted.
	WebhookURL func(address string) string
}

// Checker checks requests. It is safe for concurrent use once it has compiled all operations.
type Checker struct {
	options Options
	choices map[string]choice
	runs    sync.Pool
}

// New returns a checker without operations; Compile adds them.
func New(o Options) *Checker {
	c := &Checker{options: o, choices: map[string]choice{}}
	c.runs.New = func() any { return &Run{checker: c} }
	return c
}

// Begin begins a check at a time. The caller must call End after it.
func (c *Checker) Begin(now time.Time) *Run {
	v := c.runs.Get().(*Run)
	v.now = now
	v.out, v.params = v.out[:0], v.params[:0]
	v.place, v.faults, v.truncated = v.place[:0], nil, false
	v.refused, v.compared, v.ignored = nil, 0, v.ignored[:0]
	return v
}

// End returns the buffers to the pool for the next check. Large ones are released, so that one large body does not hold
// its memory.
func (c *Checker) End(v *Run) {
	const large = 1 << 18
	if cap(v.out) <= large && cap(v.tape)*24 <= large {
		v.body, v.raw, v.ctx = nil, nil, nil
		c.runs.Put(v)
	}
}
