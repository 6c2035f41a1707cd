package filings

import (
	"time"

	"levy/service/internal/deps"
	"levy/service/internal/output"
)

// Operations are the operations of filings.
type Operations struct {
	deps    *deps.Deps
	now     func() time.Time
	outputs *output.Outputs
}

// New returns the operations.
func New(
	deps *deps.Deps,
	now func() time.Time,
	outputs *output.Outputs,
) *Operations {
	return &Operations{deps: deps, now: now, outputs: outputs}
}
