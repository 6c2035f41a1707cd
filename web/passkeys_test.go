package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Passkeys need a script, and the page says so to browsers without one. Where the installation has none, no page offers
// them, and that of the own sign-in says why.
func TestPagesOfferPasskeysWhereThereAreSome(t *testing.T) {
	t.Parallel()
	const hidden, without = ` data-passkey="sign_in" hidden>`, "<noscript><p class=\"quiet\">Passkeys need JavaScript"
	answers := map[string]string{"GET /v1/session/passkey_challenge": `{"token":"t","options":{}}`,
		"GET /v1/session": `{"user":{"id":"user_1","name":"Ada"},"organizations":[]}`,
		"GET /v1/session/passkeys": `{"items":[{"id":"AAAA","name":"<b>Laptop</b>","created_at":"2026-01-02T03:04:05Z"}],` +
			`"registration":{"token":"t","options":{}}}`}
	page := visitedWith(t, answers, "/sign-in", nil).Body.String()
	require.Contains(t, page, hidden)
	require.Contains(t, page, without)
	require.Contains(t, page, `<input id="password"`, "passwords go on working")
	account := visitedWith(t, answers, "/account", nil).Body.String()
	require.Contains(t, account, "&lt;b&gt;Laptop&lt;/b&gt;")
	require.Contains(t, account, ` data-passkey="registration" hidden>`)

	answers["GET /v1/session/passkey_challenge"] = `{"unavailable":"No address."}`
	answers["GET /v1/session/passkeys"] = `{"items":[],"registration":{"unavailable":"No address."}}`
	require.NotContains(t, visitedWith(t, answers, "/sign-in", nil).Body.String(), "passkey")
	account = visitedWith(t, answers, "/account", nil).Body.String()
	require.Contains(t, account, "There are no passkeys here. No address.")
	require.NotContains(t, account, "data-passkey")
}

// The answer of a browser goes to the service as it is: to sign in, after a password, as a proof, and to be added.
func TestFormsPassPasskeysOn(t *testing.T) {
	t.Parallel()
	const answer = `{"credential":{"id":"AAAA","response":{"n":1.10}},"token":"of the page"}`
	form := func(more ...string) url.Values {
		values := url.Values{"passkey": {`{"id":"AAAA","response":{"n":1.10}}`}, "passkey_token": {"of the page"}}
		for i := 0; i < len(more); i += 2 {
			values.Set(more[i], more[i+1])
		}
		return values
	}
	answers := map[string]string{"GET /v1/session": anAdmin, "POST /v1/session": anAdmin, "POST /v1/session/proof": anAdmin,
		"PUT /v1/session/passkeys": `{}`, "GET /v1/session/passkeys": `{}`, "GET /v1/session/passkey_challenge": `{}`}
	for _, c := range []struct {
		path, body string
		form       url.Values
	}{
		{"/sign-in", `{"passkey":` + answer + `}`, form()},
		{"/sign-in", `{"challenge":"c","passkey":` + answer + `}`, form("challenge", "c")},
		{"/account", `{"name":"Laptop","passkey":` + answer + `}`, form("action", "add_passkey", "name", "Laptop")},
		{"/account", `{"passkey":` + answer + `}`, form(sealedField, "action=remove_passkey&id=AAAA")},
	} {
		_, sent := bodiesSent(t, answers, c.path, c.form)
		require.NotEmpty(t, sent, c.body)
		require.JSONEq(t, c.body, sent[0])
		require.Contains(t, sent[0], "1.10", "numbers stay as they are")
	}
	_, sent := bodiesSent(t, answers, "/sign-in", url.Values{"passkey": {"no JSON"}, "passkey_token": {"t"}})
	require.JSONEq(t, `{"passkey":{"token":"t"}}`, sent[0], "the service refuses it")
}

// A refused password leaves its form open.
func TestARefusedPasswordLeavesItsFormOpen(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/session/passkeys": `{}`,
		"PUT /v1/session/password": `{"status":400,"code":"invalid","errors":[{"location":"body.password","message":"Too short."}]}`}
	page, _ := bodiesSent(t, answers, "/account", url.Values{"action": {"password"}, "password": {"short"}, "again": {"short"}})
	require.Contains(t, page, "Too short.")
	require.Contains(t, page, "<details open><summary>Change your password")
}

// bodiesSent answers a form from a fake, and returns the page and the bodies of the calls that change something.
func bodiesSent(t *testing.T, answers map[string]string, path string, form url.Values) (page string, bodies []string) {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answered := answeredBy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			body, _ := io.ReadAll(r.Body) // what is missing is not as expected
			bodies = append(bodies, string(body))
		}
		saying(answers).ServeHTTP(w, r)
	}), request)
	return answered.Body.String(), bodies
}

// The maker of a link learns which passkeys it will end, and the opener which it has ended.
func TestPagesSayWhichPasskeysALinkEnds(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/users": `{}`, "GET /v1/organizations/org_1/settings": `{}`,
		"GET /v1/session/passkey_challenge": `{}`,
		"PUT /v1/users/user_2":              `{"name":"Zoe","passkeys":2,"sign_in_path":"/sign-in/new"}`}
	form := url.Values{"action": {"link"}, "id": {"user_2"}}
	page := visitedWith(t, answers, "/o/org_1/people", form).Body.String()
	require.Contains(t, page, "Opening it ends the 2 passkeys of the person.")
	answers["PUT /v1/users/user_2"] = `{"name":"Zoe","passkeys":1,"sign_in_path":"/sign-in/new"}`
	require.Contains(t, visitedWith(t, answers, "/o/org_1/people", form).Body.String(), "ends the passkey of the person.")
	answers["PUT /v1/users/user_2"] = `{"name":"Zoe","passkeys":0,"sign_in_path":"/sign-in/new"}`
	require.NotContains(t, visitedWith(t, answers, "/o/org_1/people", form).Body.String(), "Opening it ends")

	password := url.Values{"password": {"long enough 123"}, "again": {"long enough 123"}}
	for answer, message := range map[string]string{anAdmin: "", `{"passkeys_ended":1,` + anAdmin[1:]: "passkeys"} {
		answers["POST /v1/session"] = answer
		cookies := visitedWith(t, answers, "/sign-in/token", password).Result().Cookies()
		at := slices.IndexFunc(cookies, func(c *http.Cookie) bool { return c.Name == flashCookie })
		require.Equal(t, message != "", at >= 0, answer)
		if at >= 0 {
			require.Equal(t, message, cookies[at].Value)
		}
	}
}
