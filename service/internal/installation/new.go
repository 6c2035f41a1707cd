package installation

import (
	"levy/service/internal/deps"
	"levy/service/internal/output"
	"levy/service/limit"
)

// Operations are the operations of the installation as a whole.
type Operations struct {
	deps    *deps.Deps
	outputs *output.Outputs
	calls   *limit.Calls
}

// New returns the operations.
func New(
	deps *deps.Deps,
	outputs *output.Outputs,
	calls *limit.Calls,
) *Operations {
	return &Operations{deps: deps, outputs: outputs, calls: calls}
}
