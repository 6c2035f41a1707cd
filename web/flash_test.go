package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page after a form shows once that it was carried out.
func TestThePageAfterAFormSaysThatItWasCarriedOut(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/users": `{}`, "GET /v1/organizations/org_1/settings": `{}`,
		"PUT /v1/users/user_1": `{}`, "GET /v1/audit": `{}`, "GET /v1/registrations/regs_1": `{"status":"REGISTERED"}`,
		"PUT /v1/registrations/regs_1": `{}`,
	}
	for path, c := range map[string]struct{ action, says string }{
		"/o/org_1/people":               {"sign_out", "Done."},
		"/o/org_1/registrations/regs_1": {"change", "Saved."},
	} {
		sent := visitedWith(t, answers, path, url.Values{"action": {c.action}, "id": {"user_1"}})
		require.Equal(t, http.StatusSeeOther, sent.Code, path)
		request := httptest.NewRequest(http.MethodGet, "/o/org_1/people", nil)
		for _, cookie := range sent.Result().Cookies() {
			require.True(t, cookie.HttpOnly)
			require.True(t, cookie.Secure)
			request.AddCookie(cookie)
		}
		shown := answeredBy(t, saying(answers), request)
		require.Contains(t, shown.Body.String(), `role="status" tabindex="-1" autofocus>`+c.says+`</p>`)
		require.Len(t, shown.Result().Cookies(), 1)
		require.Negative(t, shown.Result().Cookies()[0].MaxAge, "it is said once")
	}
	require.NotContains(t, visitedWith(t, answers, "/o/org_1/people", nil).Body.String(), "Done.")
	require.Empty(t, visitedWith(t, map[string]string{"GET /v1/session": anAdmin}, "/", nil).Result().Cookies(),
		"a page that leads on is no form")
	live, err := assets.ReadFile("assets/live.js")
	require.NoError(t, err)
	require.Contains(t, string(live), "[role=status]:not(.done, ", "what was said does not stop the page")
}

// A secret that is shown once has the focus, and reloading its page does not create another one.
func TestWhatIsShownOnceIsSeen(t *testing.T) {
	t.Parallel()
	const endpoint = `{"id":"whep_1","status":"ENABLED","secret":"whsec_new"}`
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/organizations/api_keys": `{}`, "GET /v1/webhook_endpoints": `{}`,
		"POST /v1/organizations/api_keys": `{"api_key":"levy_new"}`, "POST /v1/webhook_endpoints": endpoint,
		"GET /v1/users": `{}`, "GET /v1/organizations/org_1/settings": `{}`, "POST /v1/users": `{"sign_in_path":"/sign-in/new"}`,
		"GET /v1/webhook_endpoints/whep_1": `{"status":"ENABLED"}`, "GET /v1/webhook_endpoints/whep_1/deliveries": `{}`,
		"POST /v1/webhook_endpoints/whep_1/rotate_secret": endpoint,
	}
	for path, c := range map[string]struct{ action, shows string }{
		"/o/org_1/keys": {"make", "levy_new"}, "/o/org_1/people": {"invite", "/sign-in/new"},
		"/o/org_1/webhooks": {"", "whsec_new"}, "/o/org_1/webhooks/whep_1": {"rotate", "whsec_new"},
	} {
		shown := visitedWith(t, answers, path, url.Values{"action": {c.action}}).Body.String()
		require.Contains(t, shown, c.shows, path)
		require.Contains(t, shown, `<p role="status" tabindex="-1" autofocus>`, path)
		require.Contains(t, shown, " data-once>", path)
	}
}

// The error of a refused password is at its field.
func TestARefusedPasswordIsSaidAtItsField(t *testing.T) {
	t.Parallel()
	form := url.Values{"password": {"correct horse battery"}, "again": {"something else"}}
	shown := visitedWith(t, nil, "/sign-in/token", form).Body.String()
	require.Contains(t, shown, `role="alert" id="wrong">The two passwords differ.</p>`)
	require.Contains(t, shown, ` autofocus aria-invalid="true" aria-describedby="password-hint wrong">`)
	require.NotContains(t, visitedWith(t, nil, "/sign-in/token", nil).Body.String(), "aria-invalid")
}

// A printed page has no navigation and no buttons.
func TestPagesArePrintedWithoutNavigationAndForms(t *testing.T) {
	t.Parallel()
	styles, err := assets.ReadFile("assets/console.css")
	require.NoError(t, err)
	require.Regexp(t, `@media print \{(?s:.*)\.top, \.menu, \.crumbs a,(?s:.*)main form:not\(\.record\)(?s:.*)display: none`, string(styles))
	for _, path := range []string{"/o/org_1/settings", "/o/org_1/company/3"} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session":             `{"user":{},"organizations":[{"organization_id":"org_1","role":"admin","root":true}]}`,
			"GET /v1/organizations/org_1": `{"id":"org_1"}`, "GET /v1/organizations/org_1/settings": `{}`,
			"GET /v1/onboarding": `{"status":"COMPLETED"}`,
		}, path, nil).Body.String()
		require.NotContains(t, shown, `<form method="post" novalidate>`,
			"%s: its forms are the only place of what was saved", path)
		require.Contains(t, shown, `class="record"`, path)
	}
}
