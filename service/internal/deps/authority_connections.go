package deps

import (
	"context"
	"time"

	"levy/models"
)

// AuthorityConnections are what people have granted to Levy at authorities.
type AuthorityConnections interface {
	// BeginConsent stores a consent in the place of an earlier one of the authority.
	BeginConsent(ctx context.Context, scope models.Scope, actor models.Actor, c models.AuthorityConsent) error
	// UseConsent takes the consent with the hash of a state, which exists no more afterwards. Errors: models.ErrNotFound.
	UseConsent(ctx context.Context, scope models.Scope, authority string, state []byte) (models.AuthorityConsent, error)
	// RefuseConsent records that access was not granted.
	RefuseConsent(ctx context.Context, scope models.Scope, actor models.Actor, authority string) error
	// Connect stores what a person has granted, in the place of an earlier grant.
	Connect(
		ctx context.Context, scope models.Scope, actor models.Actor, authority string, grant models.AuthorityGrant, ends time.Time,
	) error
	// Disconnect deletes the tokens of an organization, and a consent that was begun. Errors: models.ErrNotFound if there is neither.
	Disconnect(ctx context.Context, scope models.Scope, actor models.Actor, authority string) error
	// Connections returns the connections of an organization, by authority.
	Connections(ctx context.Context, scope models.Scope) ([]models.AuthorityConnection, error)
}

// Consents have people grant access at an authority.
type Consents interface {
	// Address returns the address where a person grants access. verifier is that of PKCE.
	Address(state, verifier string) string
	// Exchange exchanges a code for tokens of an organization. ok is false if the authority does not take the code. Errors:
	// models.ErrUnavailable.
	Exchange(ctx context.Context, organizationID, code, verifier string) (
		grant models.AuthorityGrant, ends time.Time, ok bool, err error)
}
