package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// granted answers about a client whose partner has a grant, for a person with a role at the partner org_1.
func granted(role, grant string) map[string]string {
	return map[string]string{
		"GET /v1/session": strings.NewReplacer(`"role":"admin"`, `"root":true,"role":"`+role+`"`).Replace(anAdmin),
		"GET /v1/organizations/org_2": `{"id":"org_2","name":"Client","parent_organization_id":"org_1",` +
			`"grants":[{"partner":"org_1","role":` + grant + `}]}`,
		"GET /v1/filings/file_1":         strings.Replace(aReturn, "org_1", "org_2", 1),
		"GET /v1/filings/file_1/history": `{}`, "GET /v1/filings/file_1/report": `{}`, "GET /v1/filings": `{}`, "GET /v1/audit": `{}`,
	}
}

// The pages of a client offer the people of its partner what the grant allows, and no more than their role.
func TestPagesOfferAPartnerWhatItsGrantAllows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		role, grant       string
		prepares, decides bool
	}{
		{"admin", `"approver"`, true, true}, {"admin", `"preparer"`, true, false}, {"preparer", `"approver"`, true, false},
		{"viewer", `"approver"`, false, false}, {"admin", `"as_before"`, false, false}, {"admin", `null`, false, false},
		{"admin", `"admin"`, true, true},
	} {
		shown := visitedWith(t, granted(c.role, c.grant), "/o/org_2/filings/file_1", nil).Body.String()
		require.Equal(t, c.prepares, strings.Contains(shown, `value="block"`), "%v", c)
		require.Equal(t, c.decides, strings.Contains(shown, `value="approve"`), "%v", c)
		require.NotContains(t, shown, `href="/o/org_2/people"`, "%v", c)
		require.NotContains(t, shown, `href="/o/org_2/company"`, "%v", c)
	}
}

// An admin of a client sees, changes and ends the grant of its partner on one page.
func TestAClientsAdminManagesGrants(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin,
		"GET /v1/organizations/org_1": `{"id":"org_1","name":"Shop","grants":[{"partner":"org_9","role":"preparer",` +
			`"role_after_onboarding":"preparer"}]}`,
		"PUT /v1/organizations/org_1/grants/org_9": `{"partner":"org_9"}`,
		"POST /v1/organizations/org_1/grants/org_9/end": `{"grant":{"partner":"org_9"},"to_decide":[],` +
			`"ended":[{"type":"api_key","id":"akey_7"}]}`,
	}
	const path = "/o/org_1/grants"
	shown := visitedWith(t, answers, path, nil).Body.String()
	require.Contains(t, shown, "It may: <b>read, correct and prepare returns, but not approve them</b>")
	require.Contains(t, shown, "No admin has confirmed that yet.")
	require.NotContains(t, shown, `value="as_before"`, "which cannot be given")
	_, sent := bodiesSent(t, answers, path, url.Values{"action": {"give"}, "id": {"org_9"}, "role": {"approver"}})
	require.Equal(t, []string{`{"role":"approver"}`}, sent)
	require.Contains(t, visitedWith(t, answers, path, url.Values{"action": {"end"}, "id": {"org_9"}}).Body.String(), "key akey_7")
	answers["GET /v1/session"] = strings.Replace(anAdmin, `"admin"`, `"approver"`, 1)
	require.NotContains(t, visitedWith(t, answers, path, nil).Body.String(), `name="action"`)
}

// A partner invites the first admin of its client from the client's page, while it is being onboarded.
func TestAPartnerInvitesTheFirstAdmin(t *testing.T) {
	t.Parallel()
	answers := ofAClient()
	answers["POST /v1/users"] = `{"name":"Ada","sign_in_path":"/sign-in/new"}`
	require.Contains(t, visitedWith(t, answers, "/o/org_1/clients/org_2", nil).Body.String(), `value="invite"`)
	form := url.Values{"action": {"invite"}, "email": {"ada@client.example"}, "name": {"Ada"}}
	require.Contains(t, visitedWith(t, answers, "/o/org_1/clients/org_2/admin", form).Body.String(), "/sign-in/new")
	_, sent := bodiesSent(t, answers, "/o/org_1/clients/org_2/admin", form)
	require.Equal(t, []string{`{"email":"ada@client.example","name":"Ada","role":"admin"}`}, sent)
	answers["POST /v1/users"] = `{"name":"Ada","email":"ada@client.example","mailed":true}`
	mailed := visitedWith(t, answers, "/o/org_1/clients/org_2/admin", form).Body.String()
	require.Contains(t, mailed, "It is sent to ada@client.example only.")
	require.NotContains(t, mailed, "sent twice")
	answers["GET /v1/onboarding/org_2"] = strings.Replace(anOnboarding("COMPLETED", 0), "org_1", "org_2", 1)
	ended := visitedWith(t, answers, "/o/org_1/clients/org_2", nil).Body.String()
	require.NotContains(t, ended, `value="invite"`)
	require.Contains(t, ended, "ask the operator of this service to invite one")
}

// An exception that the person cannot resolve says whose people decide. A partner gets the address to send to its client.
func TestAnExceptionSaysWhoDecides(t *testing.T) {
	t.Parallel()
	const open = `{"type":"FILING_TO_APPROVE","organization_id":"org_2","organization_name":"Client","object_id":"file_1",` +
		`"decided_by":["ORGANIZATION","STAFF"],"actions":[`
	of := func(role, actions string) string {
		answers := granted(role, `"preparer"`)
		answers["GET /v1/session/views"], answers["GET /v1/exceptions"] = `{}`, `{"items":[`+open+actions+`]}]}`
		return visitedWith(t, answers, "/exceptions", nil).Body.String()
	}
	shown := of("admin", "")
	require.Contains(t, shown, "Decided by people of Client or the operator.")
	require.Contains(t, shown, `Ask the client<span class="unseen">, or add a note`)
	require.Contains(t, shown, `/o/org_2/filings/file_1"`)
	require.Contains(t, shown, `name="pick"`)
	require.Contains(t, shown, `value="assign_many"`)
	require.NotContains(t, of("viewer", ""), "add a note")
	require.NotContains(t, of("viewer", ""), `name="pick"`)
	require.NotContains(t, of("viewer", ""), `value="assign_many"`)
	shown = of("admin", `"approveFiling"`)
	require.NotContains(t, shown, "Decided by")
	require.NotContains(t, shown, "Ask the client")
}

// A partner whose grant has ended is offered no form for the record of the client.
func TestAnEndedGrantOffersNoRecord(t *testing.T) {
	t.Parallel()
	answers := ofAClient()
	for role, offered := range map[string]bool{`"preparer"`: true, "null": false} {
		answers["GET /v1/organizations/org_2"] = `{"id":"org_2","status":"ACTIVE","onboarding_status":"COMPLETED","settings":{},` +
			`"grants":[{"partner":"org_1","role":` + role + `}]}`
		shown := visitedWith(t, answers, "/o/org_2/settings", nil)
		require.Equal(t, http.StatusOK, shown.Code)
		require.Equal(t, offered, strings.Contains(shown.Body.String(), `value="record"`), role)
	}
}
