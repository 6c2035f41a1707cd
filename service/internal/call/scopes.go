package call

import (
	"slices"

	"levy/contract"
	"levy/models"
)

// IsKey reports whether the caller is a key, which has scopes. A person has a role instead. An onboarding link and a
// calendar feed have the operations of their rule.
func (c *Call) IsKey() bool { return c.Person == nil && !c.IsLink() && !c.IsFeed() }

// Lacks returns the scope if the key of the call does not have it, else an empty scope.
func (c *Call) Lacks(scope models.APIKeyScope) models.APIKeyScope {
	if !c.IsKey() || scope == AnyScope {
		return ""
	}
	return c.Principal.Scopes.Missing(scope)
}

// MayGrant checks that a new key may not do more than the key that creates it, nor than the grant of a partner. Errors:
// *models.ScopeError, *models.GiverError.
func (c *Call) MayGrant(scopes models.APIKeyScopes) error {
	// guard: grants: after the onboarding a partner makes no key that makes keys
	if scopes.Missing(models.ScopePeople) == "" && c.managesNoPeople() {
		return models.ErrGrantWithoutPeople
	}
	if !c.IsKey() {
		return nil
	}
	if missing := c.Principal.Scopes.Missing(scopes...); missing != "" {
		return &models.ScopeError{Scope: missing}
	}
	return nil
}

// ScopesFor returns the scopes of a new key: the submitted ones, else those of the caller.
func (c *Call) ScopesFor(sent []contract.APIKeyScope) models.APIKeyScopes {
	switch {
	case len(sent) > 0:
		scopes := make([]models.APIKeyScope, len(sent))
		for i, scope := range sent {
			scopes[i] = models.APIKeyScope(scope)
		}
		return models.NewAPIKeyScopes(scopes...)
	case c.managesNoPeople():
		return models.NewAPIKeyScopes(slices.DeleteFunc(c.scopes(), func(s models.APIKeyScope) bool {
			return s == models.ScopePeople
		})...)
	}
	return c.scopes()
}

// scopes returns the scopes of the key; all for others.
func (c *Call) scopes() models.APIKeyScopes {
	if !c.IsKey() {
		return models.AllAPIKeyScopes()
	}
	return slices.Clone(c.Principal.Scopes)
}

// managesNoPeople reports whether a partner acts for a client under a grant that leaves its people and keys alone.
func (c *Call) managesNoPeople() bool {
	return c.Granted().Bounds(models.RoleViewer, models.ScopePeople)
}
