package nexus

import (
	"time"

	"levy/service/internal/deps"
	"levy/service/internal/output"
)

// Operations are the operations of nexus.
type Operations struct {
	deps        *deps.Deps
	now         func() time.Time
	outputs     *output.Outputs
	approaching int
}

// New returns the operations.
func New(
	deps *deps.Deps,
	now func() time.Time,
	outputs *output.Outputs,
	approaching int,
) *Operations {
	return &Operations{deps: deps, now: now, outputs: outputs, approaching: approaching}
}
