package call

import (
	"time"

	"levy/models"
)

// scopesOf returns the scopes that a key needs to give a role.
func scopesOf(role models.Role) []models.APIKeyScope {
	switch role {
	case models.RoleAdmin:
		return models.AllAPIKeyScopes()
	case models.RoleApprover, models.RolePreparer:
		return []models.APIKeyScope{models.ScopeRead, models.ScopeWrite}
	case models.RoleViewer:
	}
	return []models.APIKeyScope{models.ScopeRead}
}

// MayGiveRole checks that a role gives no more than the caller has, and does not outlive the caller. A new way to sign in
// gives the role of its person. Errors: *models.ScopeError, *models.GiverError.
func (c *Call) MayGiveRole(role models.Role) error {
	if !c.IsKey() {
		return nil // the rules of the operations let only admins give roles
	}
	// guard: giving: a key gives no role that may do more than itself
	if missing := c.Principal.Scopes.Missing(scopesOf(role)...); missing != "" {
		return &models.ScopeError{Scope: missing}
	}
	// guard: giving: a key that ends gives no person a role, which would stay
	if c.Principal.ExpiresAt != nil {
		return &models.GiverError{Detail: "Your key ends, and people stay: use a key without end, or a session."}
	}
	// guard: giving: a key that works from some addresses gives no person a role, which works from everywhere
	if len(c.Principal.Networks) > 0 {
		return &models.GiverError{Detail: "Your key works from some addresses alone, and people from everywhere: use a key " +
			"without allowed_addresses, or a session."}
	}
	return nil
}

// MayReach checks that a new or changed key works from no other address than the key of the call. Errors:
// *models.GiverError.
func (c *Call) MayReach(networks models.Networks) error {
	// guard: giving: a key that works from some addresses makes none that works from others
	if c.IsKey() && !networks.Within(c.Principal.Networks) {
		return &models.GiverError{Detail: "Your key works from some addresses alone, and makes no key that works from others."}
	}
	return nil
}

// MayGiveFeed checks that the call may create an address at which anyone reads without a key. Errors: *models.ScopeError,
// *models.GiverError.
func (c *Call) MayGiveFeed() error {
	// guard: giving: a key that reads nothing makes nothing that reads
	if lacks := c.Lacks(models.ScopeRead); lacks != "" {
		return &models.ScopeError{Scope: lacks}
	}
	// guard: giving: a key that works from some addresses makes nothing that is read from everywhere
	if c.IsKey() && len(c.Principal.Networks) > 0 {
		return &models.GiverError{Detail: "Your key works from some addresses alone, and a feed is read from everywhere: use a " +
			"key without allowed_addresses, or a session."}
	}
	return nil
}

// MayLast checks that a thing with an end, or nil for none, does not outlive the key of the call. Errors:
// *models.GiverError.
func (c *Call) MayLast(end *time.Time) error {
	if own := c.Principal.ExpiresAt; c.IsKey() && own != nil && (end == nil || end.After(*own)) {
		return models.ErrOutlivesKey
	}
	return nil
}
