package onboarding

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// ChangeGrant sets what the partner of a client may do for it, confirms it, or gives it again.
func (o *Operations) ChangeGrant(ctx context.Context, r contract.ChangeGrantRequest) (contract.Grant, error) {
	c := call.Of(ctx)
	client, err := o.grantedClient(ctx, r.OrganizationID)
	if err != nil {
		return contract.Grant{}, err
	}
	g, err := o.deps.Organizations.ChangeGrant(ctx, c.Scope, c.Actor(), r.PartnerID, models.GrantRole(r.Body.Role))
	if err != nil {
		return contract.Grant{}, err
	}
	call.AfterCommit(ctx, func() { o.principals.ForgetOrganization(client.ID) })
	client.Grant = &g
	return grantAnswer(&client), nil
}

// EndGrant ends what the partner of a client may do for it, and says what ends with it.
func (o *Operations) EndGrant(ctx context.Context, r contract.EndGrantRequest) (contract.EndedGrant, error) {
	c := call.Of(ctx)
	client, err := o.grantedClient(ctx, r.OrganizationID)
	if err != nil {
		return contract.EndedGrant{}, err
	}
	g, after, err := o.deps.Organizations.EndGrant(ctx, c.Scope, c.Actor(), r.PartnerID)
	if err != nil {
		return contract.EndedGrant{}, err
	}
	call.AfterCommit(ctx, func() { o.principals.ForgetOrganization(client.ID) })
	client.Grant = &g
	return contract.EndedGrant{
		Grant:    grantAnswer(&client),
		Ended:    convert.ConvertAll(after.Ended, convert.Made),
		ToDecide: convert.ConvertAll(after.ToDecide, convert.Made),
	}, nil
}

// grantedClient reads the client of a path, which is that of the header. Errors: models.ErrNotFound.
func (o *Operations) grantedClient(ctx context.Context, id string) (models.Organization, error) {
	scope := call.Of(ctx).Scope
	if id != scope.OrganizationID {
		return models.Organization{}, models.ErrNotFound
	}
	return o.deps.Organizations.Organization(ctx, scope)
}

// grantAnswer returns the grant of a client in the form of the contract.
func grantAnswer(client *models.Organization) contract.Grant {
	g := client.Grant
	return contract.Grant{
		Partner:             g.PartnerID,
		Role:                convert.Optional(contract.GrantedRole(client.Granted())),
		RoleAfterOnboarding: contract.GrantRole(g.Role),
		ConfirmedAt:         convert.OptionalInstant(g.ConfirmedAt),
		EndedAt:             convert.OptionalInstant(g.EndedAt),
		CreatedAt:           convert.Instant(g.CreatedAt),
		UpdatedAt:           convert.Instant(g.UpdatedAt),
	}
}
