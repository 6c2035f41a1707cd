package transactions

import (
	"time"

	"levy/service/internal/catalog"
	"levy/service/internal/deps"
	"levy/service/internal/output"
	"levy/service/limit"
)

// Operations are the operations of transactions, credit notes, imports and estimates.
type Operations struct {
	deps    *deps.Deps
	now     func() time.Time
	outputs *output.Outputs
	uploads *limit.Shares
	catalog *catalog.Operations
}

// New returns the operations.
func New(
	deps *deps.Deps,
	now func() time.Time,
	outputs *output.Outputs,
	uploads *limit.Shares,
	catalog *catalog.Operations,
) *Operations {
	return &Operations{deps: deps, now: now, outputs: outputs, uploads: uploads, catalog: catalog}
}
