package registrations

import (
	"time"

	"levy/service/internal/deps"
)

// Operations are the operations of registrations.
type Operations struct {
	deps       *deps.Deps
	now        func() time.Time
	principals deps.PrincipalCache
}

// New returns the operations.
func New(
	deps *deps.Deps,
	now func() time.Time,
	principals deps.PrincipalCache,
) *Operations {
	return &Operations{deps: deps, now: now, principals: principals}
}
