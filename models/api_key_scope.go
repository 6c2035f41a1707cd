package models

import (
	"fmt"
	"slices"
)

// APIKeyScope is a permission of a key, within those of its organization.
type APIKeyScope string

// Scopes of keys.
const (
	ScopeRead   APIKeyScope = "read"   // reads, and calculations that write nothing
	ScopeWrite  APIKeyScope = "write"  // changes of records
	ScopePeople APIKeyScope = "people" // people, keys and personal data
)

// APIKeyScopes are the scopes of a key, each once, in the order of AllAPIKeyScopes.
type APIKeyScopes []APIKeyScope

// AllAPIKeyScopes returns all scopes, the default of a key.
func AllAPIKeyScopes() APIKeyScopes { return APIKeyScopes{ScopeRead, ScopeWrite, ScopePeople} }

// NewAPIKeyScopes returns scopes in their order, each once.
func NewAPIKeyScopes(named ...APIKeyScope) APIKeyScopes {
	return slices.DeleteFunc(AllAPIKeyScopes(), func(s APIKeyScope) bool { return !slices.Contains(named, s) })
}

// Missing returns the first of the wanted scopes that is not among these; "" for none.
func (s APIKeyScopes) Missing(wanted ...APIKeyScope) APIKeyScope {
	for _, scope := range wanted {
		if !slices.Contains(s, scope) {
			return scope
		}
	}
	return ""
}

// ScopeError refuses a call by a key that lacks a scope.
type ScopeError struct{ Scope APIKeyScope }

func (e *ScopeError) Error() string { return fmt.Sprintf("the key lacks the scope %s", e.Scope) }
