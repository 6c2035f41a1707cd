package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store/pg"
)

// An admin grants access at the sandbox of the VAT API, by the API and by the pages. The process has the rights of the API in the
// database. A state that was used, or begun in another session, connects nothing, and a denial does not.
func TestAnAdminGrantsAccessAtTheSandbox(t *testing.T) { //nolint:paralleltest // openParts sets the logger of the process
	p := newProcessAs(t, pg.RoleAPI, func(c *Config) { c.VATReturns = true })
	organization := p.callers[slices.IndexFunc(p.callers, func(c caller) bool { return c.name == "the partner" })].organization
	admin := p.invite(t, userInviteCmd{Email: "ada@example.com", Organization: organization, Role: "admin"})
	other := p.invite(t, userInviteCmd{Email: "bob@example.com", Organization: organization, Role: "admin"})
	viewer := p.invite(t, userInviteCmd{Email: "vi@example.com", Organization: organization, Role: "viewer"})
	const connections = "/v1/authority_connections"
	change := func(v *visitor, members string, status int) map[string]any {
		t.Helper()
		answer := v.send("PUT", connections, organization, `{"authority":"hmrc",`+members+`}`)
		require.Equal(t, status, answer.Code, answer.Body)
		var said map[string]any
		require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &said))
		return said
	}
	// answers begins, opens the page of the sandbox and presses a button.
	answers := func(button string) url.Values {
		t.Helper()
		at, ok := change(admin, `"action":"BEGIN"`, http.StatusOK)["address"].(string)
		require.True(t, ok)
		require.Contains(t, admin.send("GET", at, "", "").Body.String(), "Grant authority")
		asked, err := url.Parse(at)
		require.NoError(t, err)
		form := asked.Query()
		form.Set("answer", button)
		answered := admin.send("POST", asked.Path, "", form.Encode())
		require.Equal(t, http.StatusSeeOther, answered.Code, answered.Body)
		back, err := url.Parse(answered.Header().Get("Location"))
		require.NoError(t, err)
		require.Equal(t, "/connections/hmrc", back.Path)
		require.Contains(t, admin.send("GET", back.String(), "", "").Body.String(), "Finish the connection")
		return back.Query()
	}
	finish := func(v *visitor, back url.Values, status int) map[string]any {
		t.Helper()
		return change(v, `"action":"FINISH","state":"`+back.Get("state")+`","code":"`+back.Get("code")+`"`, status)
	}
	change(viewer, `"action":"BEGIN"`, http.StatusForbidden)
	finish(other, answers("allow"), http.StatusBadRequest)
	denied := answers("deny")
	require.Equal(t, "access_denied", denied.Get("error"))
	change(admin, `"action":"FINISH","state":"`+denied.Get("state")+`","error":"access_denied"`, http.StatusBadRequest)

	back := answers("allow")
	done := finish(admin, back, http.StatusOK)
	require.Equal(t, "CONNECTED", done["status"])
	require.Equal(t, "ada@example.com", done["granted_by"])
	finish(admin, back, http.StatusBadRequest)
	listed := viewer.send("GET", connections, organization, "").Body.String()
	require.Contains(t, listed, `"CONNECTED"`)
	require.NotContains(t, listed, "access.", "no token is in it")
	require.Contains(t, viewer.send("GET", "/o/"+organization+"/connections", "", "").Body.String(), "by <bdi>ada@example.com</bdi>")
	require.Equal(t, "NOT_CONNECTED", change(admin, `"action":"END"`, http.StatusOK)["status"])

	// The same by the form of the page.
	back = answers("allow")
	form := url.Values{"state": {back.Get("state")}, "code": {back.Get("code")}}
	finished := admin.send("POST", "/connections/hmrc", "", form.Encode())
	require.Equal(t, http.StatusSeeOther, finished.Code, finished.Body)
	require.Equal(t, "/o/"+organization+"/connections", finished.Header().Get("Location"))
	trail := admin.send("GET", "/v1/audit?object_type__in=authority_connection", organization, "").Body.String()
	for _, step := range []string{"begun", "refused", "granted", "ended"} {
		require.Contains(t, trail, `"`+step+`"`)
	}
}
