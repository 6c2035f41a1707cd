// Package notices has the operations of letters of authorities.
package notices

import (
	"time"

	"levy/service/internal/deps"
	"levy/service/internal/output"
)

// Operations are the operations of notices.
type Operations struct {
	deps    *deps.Deps
	now     func() time.Time
	outputs *output.Outputs
}

// New returns the operations.
func New(deps *deps.Deps, now func() time.Time, outputs *output.Outputs) *Operations {
	return &Operations{deps: deps, now: now, outputs: outputs}
}
