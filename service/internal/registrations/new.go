package registrations

import (
	"time"

	"levy/service/internal/deps"
	"levy/service/internal/output"
)

// Operations are the operations of registrations.
type Operations struct {
	deps       *deps.Deps
	now        func() time.Time
	outputs    *output.Outputs
	principals deps.PrincipalCache
}

// New returns the operations.
func New(
	deps *deps.Deps,
	now func() time.Time,
	outputs *output.Outputs,
	principals deps.PrincipalCache,
) *Operations {
	return &Operations{deps: deps, now: now, outputs: outputs, principals: principals}
}
