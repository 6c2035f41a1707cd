package service

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/service/internal/call"
)

// Every operation of the contract has a scope, and a key that only reads changes nothing.
func TestEveryOperationHasAScope(t *testing.T) {
	t.Parallel()
	harmless := map[string]bool{
		"signIn": true, "getSignInLink": true, "signOut": true, "proveSession": true, "setSecondFactor": true,
		"changePassword": true, "setPasskey": true, "setSavedView": true,
		"setPreferences": true,
		"endMention":     true, "searchAddress": true,
		"suggestAddresses": true, "estimateTax": true,
		"simulateNexus": true, "previewReclassification": true, "verifyFiling": true,
	}
	open := map[string]bool{"getHealth": true, "getReadiness": true, "signIn": true, "getSignInLink": true, "signOut": true,
		"getSession": true, "proveSession": true, "setSecondFactor": true, "changePassword": true, "listSavedViews": true, "setSavedView": true,
		"getPreferences": true, "setPreferences": true, "getPasskeyChallenge": true, "listPasskeys": true, "setPasskey": true,
		"listMentions": true, "endMention": true}
	known := map[string]bool{}
	for _, route := range everyOperation(t) {
		known[route.ID] = true
		rule := accessRules[route.ID]
		require.NoError(t, rule.check(), route.ID)
		scope := rule.scope
		require.Equal(t, open[route.ID], rule.Public || rule.SignIn || scope == call.AnyScope, route.ID)
		switch {
		case route.Method == http.MethodGet:
			require.NotEqual(t, models.ScopeWrite, scope, route.ID)
		case !harmless[route.ID]:
			require.NotEqual(t, models.ScopeRead, scope, route.ID)
		}
	}
	for operation := range accessRules {
		require.True(t, known[operation], "%s is no operation", operation)
	}
	for _, forgotten := range []func(*accessRule){
		func(r *accessRule) { r.allowed = 0 },
		func(r *accessRule) { r.scope = "" },
		func(r *accessRule) { r.role = call.OperationRole{} },
	} {
		rule := accessRules["listProducts"]
		forgotten(&rule)
		require.Error(t, rule.check())
	}
	var declared []models.APIKeyScope
	for _, scope := range enumOf(t, "ApiKeyScope") {
		declared = append(declared, models.APIKeyScope(scope))
	}
	require.Equal(t, models.AllAPIKeyScopes(), models.APIKeyScopes(declared))
}
