package streamlined

import (
	"context"

	"levy/authority"
	"levy/models"
)

// Upload is the adapter of a state at whose web site people upload the stored document. It hands nothing over: people bring the
// acknowledgement that the site gives. It implements authority.Gateway.
type Upload struct {
	authority.Manual

	state string
}

// NewUpload makes the adapter of a state, such as "TN".
func NewUpload(state string) *Upload { return &Upload{state: state} }

// TakesReturnsAlone has the switchboard send no registration.
func (*Upload) TakesReturnsAlone() {}

// Name implements authority.Gateway.
func (u *Upload) Name() string { return models.StreamlinedAuthority(u.state, false) }

// Fetch reads no queue: a web site has none for Levy.
func (*Upload) Fetch(context.Context, string, string) (int, error) { return 0, nil }

var _ authority.Gateway = (*Upload)(nil)
