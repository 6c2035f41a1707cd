package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A refused field refers to its error, also if the page has other fields with its name.
func TestARefusedFieldLeadsToWhatIsWrongWithIt(t *testing.T) {
	t.Parallel()
	refusal := func(location string) string {
		return `{"status":400,"code":"validation_failed","title":"The request has invalid fields","errors":[` +
			`{"location":"body.other","message":"No."},{"location":"` + location + `","message":"No."}]}`
	}
	const people = `{"items":[{"id":"user_1","status":"ACTIVE"},{"id":"user_2","status":"ACTIVE"}]}`
	for field, c := range map[string]struct {
		path, call, location string
		form                 url.Values
	}{
		`id="name" name="name"`: {"/clients", "POST /v1/organizations", "body.name",
			url.Values{"organization_id": {"org_1"}, "action": {"create"}}},
		`id="email" name="email"`: {"/o/org_1/people", "POST /v1/users", "body.email", url.Values{"action": {"invite"}}},
		`id="role-user_2" name="role"`: {"/o/org_1/people", "PUT /v1/users/user_2", "body.role",
			url.Values{"action": {"role"}, "id": {"user_2"}}},
		`id="city-0" name="city"`: {"/o/org_1/transactions/txn_1", "PUT /v1/transactions/txn_1",
			"body.addresses[0].city", url.Values{"type": {"SHIP_TO"}, "city": {"Troy"}}},
		`id="until" name="paused_until_date"`: {"/o/org_1/filings/file_1", "PUT /v1/filings/file_1",
			"body.paused_until_date", url.Values{"action": {"pause"}}},
	} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": `{"user":{},"organizations":[{"organization_id":"org_1","role":"admin","root":true}]}`,
			"GET /v1/users":   people, "GET /v1/organizations/org_1/settings": `{}`, "GET /v1/webhook_endpoints": `{}`,
			"GET /v1/onboardings": `{}`, "GET /v1/session/views": `{}`, "GET /v1/filings/file_1": aReturn,
			"GET /v1/audit": `{}`, "GET /v1/filings/file_1/history": `{}`, "GET /v1/filings/file_1/report": `{}`, "GET /v1/filings": `{}`,
			"GET /v1/transactions/txn_1":         `{"addresses":[{"type":"SHIP_TO"}]}`,
			"GET /v1/transactions/txn_1/history": `{}`, "GET /v1/transactions/txn_1/explanation": `{}`,
			"GET /v1/transactions/txn_1/related_transactions": `{}`, "GET /v1/transactions/txn_1/revisions": `{}`,
			c.call: refusal(c.location),
		}, strings.Replace(c.path, "txn_1", "txn_1/address", 1), c.form).Body.String()
		require.Regexp(t, field+`[^>]* aria-invalid="true" aria-describedby="refused-1"`, shown)
		require.Equal(t, 1, strings.Count(shown, "aria-invalid"), c.path)
		require.Contains(t, shown, `<li id="refused-1">`)
	}
	shown := visitedWith(t, map[string]string{
		"GET /v1/session":     `{"user":{},"organizations":[{"organization_id":"org_1","role":"admin","root":true}]}`,
		"GET /v1/onboardings": `{}`, "GET /v1/session/views": `{}`, "PUT /v1/session/views": refusal("body.name"),
	}, "/views", url.Values{"list": {"clients"}, "name": {"A view"}, "query": {"query=x"}}).Body.String()
	require.Contains(t, shown, `<li id="refused-1">`)
	require.NotContains(t, shown, "aria-invalid", "the name of a view is not that of a new client")
	require.NotContains(t, shown, `value="A view"`)
}
