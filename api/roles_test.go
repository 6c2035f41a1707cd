package api

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/api/openapi"
	"levy/models"
)

// Who only looks may use what changes nothing: reads, and these calls that write nothing of the
// organization.
func TestAViewerChangesNothing(t *testing.T) {
	t.Parallel()
	harmless := map[string]bool{
		"signIn": true, "signOut": true, "searchAddress": true, "suggestAddresses": true, "estimateTax": true, "simulateNexus": true,
		"previewReclassification": true, "verifyFiling": true,
	}
	known := map[string]bool{}
	for _, route := range openapi.Routes(nil, nil) {
		known[route.Operation] = true
		if route.Method == http.MethodGet || harmless[route.Operation] {
			continue
		}
		viewer := &call{person: &models.User{}, role: models.RoleViewer, scope: models.Scope{OrganizationID: "org"}}
		require.False(t, viewer.may(accessRules[route.Operation].needs(nil)), route.Operation)
	}
	for operation := range rolesOfOperations {
		require.True(t, known[operation], "%s is no operation", operation)
	}
	for _, operation := range []string{"listEvents", "getEvent", "streamEvents", "streamOnboarding"} {
		viewer := &call{person: &models.User{}, role: models.RoleViewer, scope: models.Scope{OrganizationID: "org"}}
		require.True(t, viewer.may(accessRules[operation].needs(nil)), operation)
	}
}

func TestRolesOfFilings(t *testing.T) {
	t.Parallel()
	may := func(role models.Role, operation, body string) bool {
		c := &call{person: &models.User{}, role: role, scope: models.Scope{OrganizationID: "org"}}
		return c.may(accessRules[operation].needs([]byte(body)))
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
