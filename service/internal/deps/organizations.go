package deps

import (
	"context"

	"levy/models"
)

// Principals finds the principal of a key. hashes are the hashes of one key under every master key. Errors:
// models.ErrNotFound, models.ErrUnavailable.
type Principals interface {
	FindPrincipal(ctx context.Context, hashes [][]byte) (models.Principal, error)
}

// PrincipalChanges reports organizations whose principals have changed in any process, until ctx ends.
// It calls heard when it will report all further changes, and lost when it may miss some.
type PrincipalChanges interface {
	WatchPrincipals(ctx context.Context, heard func(), changed func(organizationID string), lost func(error))
}

// Organizations are the records of organizations. root is always an organization without a parent.
// Methods with root see that organization and its clients. Steps creates organizations.
type Organizations interface {
	// NameHolder returns the id of the client of root that has the name and is not archived; empty if no client has it.
	NameHolder(ctx context.Context, root models.Scope, name string) (string, error)
	// Organization reads the organization itself. Errors: models.ErrNotFound.
	Organization(ctx context.Context, scope models.Scope) (models.Organization, error)
	// Reachable reads root itself or one of its clients, also archived ones. Errors: models.ErrNotFound.
	Reachable(ctx context.Context, root models.Scope, id string) (models.Organization, error)
	// PrincipalOf returns the principal of an organization for a person with a role there or a partner, with what the
	// partner may do for it. Errors: models.ErrNotFound for an unknown or archived organization.
	PrincipalOf(ctx context.Context, organizationID string) (models.Principal, error)
	// NameTaken reports whether a client of root that is not archived has the name.
	NameTaken(ctx context.Context, root models.Scope, name string) (bool, error)
	// UpdateOrganization reads an organization, calls change and writes the result, all in one database transaction.
	// Errors: models.ErrNotFound, models.ErrArchived, *models.DuplicateError (name), and those of change.
	UpdateOrganization(ctx context.Context, scope models.Scope, actor models.Actor,
		change func(*models.Organization) error) (models.Organization, error)
	// ArchiveOrganization archives a client permanently and revokes its keys. It does not change an archived
	// organization. Errors: models.ErrNotFound.
	ArchiveOrganization(ctx context.Context, scope models.Scope, actor models.Actor, reason string) error
	// ChangeSettings reads the settings, calls change and writes the result, all in one database transaction. Errors:
	// models.ErrNotFound.
	ChangeSettings(ctx context.Context, scope models.Scope, actor models.Actor,
		change func(*models.OrganizationSettings)) (models.Organization, error)
	// ChangeGrant sets what the partner of a client may do for it. It also confirms the grant, and gives an ended one
	// again. Errors: models.ErrNotFound if that is not the partner, *models.InvalidError.
	ChangeGrant(ctx context.Context, scope models.Scope, actor models.Actor, partnerID string,
		role models.GrantRole) (models.Grant, error)
	// EndGrant ends what the partner of a client may do for it, and returns what became of the things made under the
	// grant. A repetition changes nothing. Errors: models.ErrNotFound if that is not the partner.
	EndGrant(ctx context.Context, scope models.Scope, actor models.Actor, partnerID string) (
		models.Grant, models.Aftermath, error)
	// ListOrganizations lists root and its clients; all organizations for the empty scope.
	ListOrganizations(ctx context.Context, root models.Scope, f models.OrganizationFilter, order []models.Order,
		page models.Page) (models.List[models.Organization], error)
}

// PrincipalCache drops principals that this process has changed.
type PrincipalCache interface {
	// Forget drops a key that was revoked.
	Forget(apiKeyID string)
	// ForgetOrganization drops the keys of an organization and of its clients.
	ForgetOrganization(id string)
}
