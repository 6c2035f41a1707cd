package filings

import (
	"context"

	"levy/models"
	"levy/service/internal/call"
)

// connectionOf returns the connection of a call, which an authority may require of the return that the call hands over. It is nil
// for organizations whose returns go to no such authority: then nothing is taken of the call.
func (o *Operations) connectionOf(ctx context.Context) (*models.ClientConnection, error) {
	// guard: connections: where no authority requires it, nothing is taken of a call
	if !o.deps.SentTo.Sends(true, models.UnitedKingdom, models.UnitedKingdom) {
		return nil, nil
	}
	c := call.Of(ctx)
	if organization, err := o.deps.Organizations.Organization(ctx, c.Scope); err != nil || !organization.IsTest {
		return nil, err
	}
	return new(c.Connection(o.now())), nil
}

// connect notes the connection of the call that changes a filing, if the authority of the filing requires it.
func (o *Operations) connect(f *models.Filing, connection *models.ClientConnection) {
	// guard: connections: the authority of another return gets and leaves nothing of a call
	if connection != nil && o.deps.SentTo.NeedsConnection(f) {
		f.Connection = connection
	}
}
