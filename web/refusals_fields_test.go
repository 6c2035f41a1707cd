package web

import (
	"net/http"
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

// A view that is renamed to nothing keeps its name, and the page says what to type.
func TestAViewIsNotRenamedToNothing(t *testing.T) {
	t.Parallel()
	form := url.Values{"list": {"clients"}, "action": {"rename"}, "name": {"A view"}, "new_name": {" "}, "query": {"query=x"}}
	answered := visitedWith(t, map[string]string{
		"GET /v1/session":     `{"user":{},"organizations":[{"organization_id":"org_1","role":"admin","root":true}]}`,
		"GET /v1/onboardings": `{}`, "GET /v1/session/views": `{}`, "PUT /v1/session/views": `{}`,
	}, "/views", form)
	require.Equal(t, http.StatusBadRequest, answered.Code)
	require.Contains(t, answered.Body.String(), "Type the new name, then rename the view.")
}

// Where a page was found, the search does not say that there is nothing.
func TestASearchThatFindsAPageFindsSomething(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/search": `{}`}
	shown := visitedWith(t, answers, "/search?q=webhooks", nil).Body.String()
	require.Contains(t, shown, "No record was found for “webhooks”.")
	shown = visitedWith(t, answers, "/search?q=zzzz", nil).Body.String()
	require.Contains(t, shown, "Nothing was found for “zzzz”.")
}

// The page that signs in says in words what is missing.
func TestTheSignInNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{
		"GET /v1/session/passkey_challenge": `{"unavailable":"none"}`,
		"POST /v1/session": `{"status":400,"code":"validation_failed","title":"The request has invalid fields","errors":[` +
			`{"location":"body.password","message":"password is required."}]}`,
	}, "/sign-in", url.Values{"email": {""}, "password": {""}}).Body.String()
	require.Contains(t, shown, "Password is required.")
	require.NotContains(t, shown, "password is required.")
}
