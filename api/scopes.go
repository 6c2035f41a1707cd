package api

import (
	"levy/contract"
	"levy/models"
)

// isKey reports whether the call is by a key, which has scopes. A person has a role instead, and the link of an
// onboarding what its rule says.
func (c *call) isKey() bool { return c.person == nil && !c.isLink() }

// lacks returns the scope if the key of the call has it not; empty for a scope that it has.
func (c *call) lacks(scope models.APIKeyScope) models.APIKeyScope {
	if !c.isKey() || scope == anyScope {
		return ""
	}
	return c.principal.Scopes.Missing(scope)
}

// mayGive refuses to make a key that may do more than the one that asks for it. Errors: *models.ScopeError.
func (c *call) mayGive(scopes models.APIKeyScopes) error {
	if !c.isKey() {
		return nil
	}
	if missing := c.principal.Scopes.Missing(scopes...); missing != "" {
		return &models.ScopeError{Scope: missing}
	}
	return nil
}

// scopesFor are those of a key to be made: what was sent, else what the caller has.
func (c *call) scopesFor(sent []contract.APIKeyScope) models.APIKeyScopes {
	switch {
	case len(sent) > 0:
		return models.NewAPIKeyScopes(texts[models.APIKeyScope](sent)...)
	case !c.isKey():
		return models.AllAPIKeyScopes()
	}
	return c.principal.Scopes
}
