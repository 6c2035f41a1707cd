package web

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Staff have a list of all organizations. It keeps its filter from page to page and in its file; other people have no link
// to it.
func TestStaffListOrganizations(t *testing.T) {
	t.Parallel()
	const link = `href="/organizations"`
	answers := map[string]string{
		"GET /v1/session": `{"user":{"name":"Sam"},"staff_role":"auditor","organizations":[]}`,
		"GET /v1/organizations": `{"total":250,"page":2,"pages":5,"items":[
			{"id":"org_1","name":"Partner","status":"ACTIVE","onboarding_status":"COMPLETED"},
			{"id":"org_2","name":null,"parent_organization_id":"org_1","is_test":true,"status":"ARCHIVED"}]}`,
	}
	shown := visitedWith(t, answers, "/organizations?query=a&status__in=ARCHIVED&page=2", nil).Body.String()
	for _, part := range []string{
		link, `<a href="/o/org_1">Partner</a>`, `<a href="/o/org_2">org_2</a>`, `Client of <a href="/o/org_1">its partner</a>, test`,
		"Page 2 of 5", `href="?page=5&amp;query=a&amp;status__in=ARCHIVED"`,
		`/organizations/export?query=a&amp;status__in=ARCHIVED&amp;format=csv"`, `<option value="ARCHIVED" selected>`,
	} {
		require.Contains(t, shown, part)
	}
	answers["GET /v1/organizations"] = `{}`
	require.Contains(t, visitedWith(t, answers, "/organizations?query=a", nil).Body.String(), "No organizations match.")
	require.NotContains(t, visitedWith(t, map[string]string{"GET /v1/session": anAdmin}, "/account", nil).Body.String(), link)
}
