package call

import (
	"levy/contract"
	"levy/models"
)

// isKey reports whether the call is by a key, which has scopes. A person has a role instead, and the link of an
// onboarding what its rule says.
func (c *Call) isKey() bool { return c.Person == nil && !c.IsLink() }

// Lacks returns the scope if the key of the call has it not; empty for a scope that it has.
func (c *Call) Lacks(scope models.APIKeyScope) models.APIKeyScope {
	if !c.isKey() || scope == AnyScope {
		return ""
	}
	return c.Principal.Scopes.Missing(scope)
}

// MayGive refuses to make a key that may do more than the one that asks for it. Errors: *models.ScopeError.
func (c *Call) MayGive(scopes models.APIKeyScopes) error {
	if !c.isKey() {
		return nil
	}
	if missing := c.Principal.Scopes.Missing(scopes...); missing != "" {
		return &models.ScopeError{Scope: missing}
	}
	return nil
}

// ScopesFor are those of a key to be made: what was sent, else what the caller has.
func (c *Call) ScopesFor(sent []contract.APIKeyScope) models.APIKeyScopes {
	switch {
	case len(sent) > 0:
		scopes := make([]models.APIKeyScope, len(sent))
		for i, scope := range sent {
			scopes[i] = models.APIKeyScope(scope)
		}
		return models.NewAPIKeyScopes(scopes...)
	case !c.isKey():
		return models.AllAPIKeyScopes()
	}
	return c.Principal.Scopes
}
