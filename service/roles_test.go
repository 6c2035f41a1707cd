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
		"signIn": true, "getSignInLink": true, "signOut": true, "proveSession": true, "setSecondFactor": true,
		"changePassword": true, "setPasskey": true, "setSavedView": true,
		"setPreferences": true,
		"endMention":     true, "searchAddress": true,
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
		granted        models.GrantRole // for org_client
	}{
		"a key on its own organization": {call: key(all...), organizationID: "org_own",
			want: []string{"approveFiling", "updateFiling"}},
		"a key that may only read":    {call: key(models.ScopeRead), organizationID: "org_own", want: []string{}},
		"a partner's key on a client": {call: key(all...), organizationID: "org_client", want: []string{}},
		"an approver of the organization": {call: person(models.RoleApprover, "org_own"), organizationID: "org_own",
			want: []string{"approveFiling", "updateFiling"}},
		"a preparer of the organization": {call: person(models.RolePreparer, "org_own"), organizationID: "org_own",
			want: []string{"updateFiling"}},
		"an approver of the partner, as before": {person(models.RoleApprover, "org_own"), "org_client", []string{},
			models.GrantAsBefore},
		"an approver of the partner, who may prepare": {person(models.RoleApprover, "org_own"), "org_client",
			[]string{"updateFiling"}, models.GrantPreparer},
		"an approver of the partner, who may decide": {person(models.RoleApprover, "org_own"), "org_client",
			[]string{"approveFiling", "updateFiling"}, models.GrantApprover},
		"a preparer of the partner": {person(models.RolePreparer, "org_own"), "org_client", []string{"updateFiling"},
			models.GrantApprover},
		"a partner's key that may prepare": {key(all...), "org_client", []string{"updateFiling"}, models.GrantPreparer},
		"staff":                            {call: staff, organizationID: "org_any", want: []string{"approveFiling", "updateFiling"}},
	} {
		e := models.Exception{Type: models.ExceptionToApprove, OrganizationID: c.organizationID,
			Granted: string(c.granted)}
		if e.OrganizationID == "org_client" {
			e.PartnerID = "org_own"
		}
		require.Equal(t, c.want, actionsOf(c.call, &e), name)
	}
	e := models.Exception{Type: models.ExceptionOnboarding, OrganizationID: "org_client", PartnerID: "org_own",
		Granted: string(models.GrantAdmin)}
	require.Equal(t, []string{"cancelOnboarding"}, actionsOf(person(models.RoleAdmin, "org_own"), &e), "by the partner")
	require.Empty(t, actionsOf(person(models.RoleViewer, "org_own"), &e))
}

// actionsOf returns the actions of an exception for a caller that the gate has admitted.
func actionsOf(c *call.Call, e *models.Exception) []string {
	c.Admits = admits
	return feed.ActionsOf(c, e)
}

// An exception says to every caller whose people decide: those of the organization, of a partner whose grant allows it, or
// of the operator.
func TestAnExceptionSaysWhosePeopleDecide(t *testing.T) {
	t.Parallel()
	const own, partner, staff = contract.ExceptionDeciderORGANIZATION, contract.ExceptionDeciderPARTNER, contract.ExceptionDeciderSTAFF
	viewer := &call.Call{Person: &models.User{}, Admits: admits}
	for _, c := range []struct {
		kind    string
		granted models.GrantRole
		want    []contract.ExceptionDecider
	}{
		{models.ExceptionToApprove, models.GrantApprover, []contract.ExceptionDecider{own, partner, staff}},
		{models.ExceptionToApprove, models.GrantPreparer, []contract.ExceptionDecider{own, staff}},
		{models.ExceptionTransaction, models.GrantPreparer, []contract.ExceptionDecider{own, partner, staff}},
		{models.ExceptionTransaction, models.GrantAsBefore, []contract.ExceptionDecider{own, staff}},
		{models.ExceptionTransaction, "", []contract.ExceptionDecider{own, staff}},
		{models.ExceptionWebhook, models.GrantApprover, []contract.ExceptionDecider{own}},
	} {
		e := models.Exception{Type: c.kind, OrganizationID: "org_client", PartnerID: "org_own", Granted: string(c.granted)}
		require.Equal(t, c.want, feed.DecidersOf(viewer, &e), "%s %s", c.kind, c.granted)
		root := models.Exception{Type: c.kind, OrganizationID: "org_own"}
		require.NotContains(t, feed.DecidersOf(viewer, &root), partner, c.kind)
	}
	require.Empty(t, viewer.Person.Memberships, "the caller stays as it is")
}
