package installation

import (
	"levy/service/internal/deps"
	"levy/service/internal/output"
)

// Operations are the operations of the installation as a whole.
type Operations struct {
	deps    *deps.Deps
	outputs *output.Outputs
}

// New returns the operations.
func New(
	deps *deps.Deps,
	outputs *output.Outputs,
) *Operations {
	return &Operations{deps: deps, outputs: outputs}
}
