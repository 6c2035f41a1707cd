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

// The message about a field has the name that the page gives it, not that of the request, and leads there.
func TestAMessageNamesTheFieldAsThePageDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, call, location, message, shown string }{
		{"/o/org_1/webhooks", "POST /v1/webhook_endpoints", "body.url", "url is required.",
			`<a href="#url">Address</a>: This is needed.`},
		{"/o/org_1/webhooks", "POST /v1/webhook_endpoints", "body.url", "Must be an address.",
			`<a href="#url">Address</a>: Must be an address.`},
		{"/o/org_1/keys", "POST /v1/organizations/api_keys", "body.name", "name must not be long.",
			`<a href="#name">What it is for</a>: Must not be long.`},
		{"/o/org_1/keys", "POST /v1/organizations/api_keys", "body.expires_at", "Must be in the future.",
			`<a href="#last-day">Last day</a>: Must be in the future.`},
		{"/o/org_1/keys", "POST /v1/organizations/api_keys", "body.metadata", "No.", `Metadata: No.`},
	} {
		form := url.Values{}
		if strings.HasSuffix(c.path, "/keys") {
			form.Set("action", "make")
		}
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/webhook_endpoints": `{}`, "GET /v1/organizations/api_keys": `{}`,
			c.call: `{"status":400,"code":"validation_failed","title":"The request has invalid fields","errors":[` +
				`{"location":"` + c.location + `","message":"` + c.message + `"}]}`,
		}, c.path, form).Body.String()
		require.Contains(t, shown, `<li id="refused-0">`+c.shown+`</li>`)
	}
}

// Two errors about one field are both read with it.
func TestAFieldRefersToAllOfItsErrors(t *testing.T) {
	t.Parallel()
	refused := &problem{Errors: []problemField{{"body.a", "First."}, {"body.b", "No."}, {"body.a", "Second."}}}
	f := text("a", "A", 10, "off")
	f.refusedBy(refused)
	require.Equal(t, "refused-0 refused-2", f.Note)
	require.Equal(t, []fault{{"a", "A", "First."}, {Message: "B: No."}, {"a", "A", "Second."}}, refused.Listed())
}
