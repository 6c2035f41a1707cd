package nexus

import (
	"time"

	"levy/service/internal/deps"
)

// Operations are the operations of nexus.
type Operations struct {
	deps        *deps.Deps
	now         func() time.Time
	approaching int
}

// New returns the operations.
func New(
	deps *deps.Deps,
	now func() time.Time,
	approaching int,
) *Operations {
	return &Operations{deps: deps, now: now, approaching: approaching}
}
