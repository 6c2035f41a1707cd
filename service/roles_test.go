package service

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/feed"
)

// A viewer may only use operations that change nothing of the organization: reads and these calls.
func TestAViewerChangesNothing(t *testing.T) {
	t.Parallel()
	harmless := map[string]bool{
		"signIn": true, "signOut": true, "proveSession": true, "setSecondFactor": true, "setSavedView": true, "searchAddress": true,
		"suggestAddresses": true, "estimateTax": true, "simulateNexus": true,
		"previewReclassification": true, "verifyFiling": true,
	}
	known := map[string]bool{}
	for _, route := range everyOperation(t) {
		known[route.ID] = true
		if route.Method == http.MethodGet || harmless[route.ID] {
			continue
		}
		viewer := &call.Call{Person: &models.User{}, Role: models.RoleViewer, Scope: models.Scope{OrganizationID: "org"}}
		require.False(t, viewer.May(accessRules[route.ID].needs(nil)), route.ID)
	}
	for operation := range accessRules {
		require.True(t, known[operation], "%s is no operation", operation)
	}
	for _, operation := range []string{"listEvents", "getEvent", "streamEvents", "streamOnboarding"} {
		viewer := &call.Call{Person: &models.User{}, Role: models.RoleViewer, Scope: models.Scope{OrganizationID: "org"}}
		require.True(t, viewer.May(accessRules[operation].needs(nil)), operation)
	}
}

// filingRequest is the request of an operation on filings with a body; nil for another operation.
func filingRequest(t *testing.T, operation, body string) any {
	t.Helper()
	var created contract.CreateFilingRequest
	var updated contract.UpdateFilingRequest
	switch {
	case body == "":
		return nil
	case operation == "createFiling":
		require.NoError(t, contract.Decode([]byte(body), &created.Body))
		return &created
	case operation == "updateFiling":
		require.NoError(t, contract.Decode([]byte(body), &updated.Body))
		return &updated
	}
	return nil
}

func TestRolesOfFilings(t *testing.T) {
	t.Parallel()
	may := func(role models.Role, operation, body string) bool {
		c := &call.Call{Person: &models.User{}, Role: role, Scope: models.Scope{OrganizationID: "org"}}
		return c.May(accessRules[operation].needs(filingRequest(t, operation, body)))
	}
	require.False(t, may(models.RoleViewer, "updateFiling", `{"internal_notes":"x"}`))
	require.True(t, may(models.RolePreparer, "updateFiling", `{"internal_notes":"x"}`))
	require.True(t, may(models.RolePreparer, "updateFiling", `{"status":"PAUSED"}`))
	for _, status := range []string{"FILING", "FILED", "SKIPPED", "CANCELLED", "ISSUE"} {
		body := `{"status":"` + status + `"}`
		require.False(t, may(models.RolePreparer, "updateFiling", body), status)
		require.False(t, may(models.RolePreparer, "createFiling", body), status)
		require.True(t, may(models.RoleApprover, "updateFiling", body), status)
	}
	require.False(t, may(models.RolePreparer, "approveFiling", ""))
	require.True(t, may(models.RoleApprover, "retryFiling", ""))
	require.False(t, may(models.RoleApprover, "createAPIKey", ""))
	require.True(t, may(models.RoleAdmin, "createAPIKey", ""))
}

// The actions of an exception for a caller are the operations that the access rules allow.
func TestActionsOfExceptionsAreThoseThatTheRulesAdmit(t *testing.T) {
	t.Parallel()
	key := func(scopes ...models.APIKeyScope) *call.Call {
		return &call.Call{
			Principal: models.Principal{APIKeyID: "akey", OrganizationID: "org_own", Scopes: scopes},
			Scope:     models.Scope{OrganizationID: "org_own"},
		}
	}
	person := func(role models.Role, organizationID string) *call.Call {
		return &call.Call{
			Person:    &models.User{Memberships: []models.Membership{{OrganizationID: organizationID, Role: role}}},
			Role:      role,
			Principal: models.Principal{OrganizationID: organizationID}, Scope: models.Scope{OrganizationID: organizationID},
		}
	}
	operator, all := models.StaffOperator, models.AllAPIKeyScopes()
	staff := &call.Call{Person: &models.User{StaffRole: &operator}}
	for name, c := range map[string]struct {
		call           *call.Call
		organizationID string
		want           []string
	}{
		"a key on its own organization": {key(all...), "org_own", []string{"approveFiling", "updateFiling"}},
		"a key that may only read":      {key(models.ScopeRead), "org_own", []string{}},
		"a partner's key on a client":   {key(all...), "org_client", []string{}},
		"an approver of the organization": {person(models.RoleApprover, "org_own"), "org_own",
			[]string{"approveFiling", "updateFiling"}},
		"a preparer of the organization":   {person(models.RolePreparer, "org_own"), "org_own", []string{"updateFiling"}},
		"an approver of the partner alone": {person(models.RoleApprover, "org_own"), "org_client", []string{}},
		"staff":                            {staff, "org_any", []string{"approveFiling", "updateFiling"}},
	} {
		e := models.Exception{Type: models.ExceptionToApprove, OrganizationID: c.organizationID}
		require.Equal(t, c.want, actionsOf(c.call, &e), name)
	}
	e := models.Exception{Type: models.ExceptionOnboarding, OrganizationID: "org_client"}
	require.Equal(t, []string{"cancelOnboarding"}, actionsOf(person(models.RoleAdmin, "org_own"), &e), "by the partner")
	require.Empty(t, actionsOf(person(models.RoleViewer, "org_own"), &e))
}

// actionsOf returns the actions of an exception for a caller that the gate has admitted.
func actionsOf(c *call.Call, e *models.Exception) []string {
	c.Admits = admits
	return feed.ActionsOf(c, e)
}
