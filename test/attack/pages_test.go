package attack_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// markup is what somebody stores who would like a page to run it: in a text, out of an attribute, as an address.
const markup = `<img src=x onerror=alert(1)><script>alert(1)</script>" autofocus onfocus=alert(1) ` +
	`x='javascript:alert(1)`

// browser is a browser of somebody: it keeps the cookie of a session, and says which site a request comes from.
type browser struct {
	b            *attackRun
	http         *http.Client
	cookie       string
	organization string
}

// shown is an answer to a browser.
type shown struct {
	status int
	header http.Header
	body   string
}

const (
	form     = "application/x-www-form-urlencoded"
	ofAPI    = "application/json"
	password = "correct horse battery staple"
)

// send sends a request; site is what the browser says of where it comes from, empty for one that says nothing.
func (v *browser) send(method, target, contentType, body, site string) shown {
	v.b.Helper()
	request, err := http.NewRequestWithContext(v.b.Context(), method, v.b.attacker.url+target, strings.NewReader(body))
	require.NoError(v.b, err)
	request.Header.Set("x-organization-id", v.organization)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	switch {
	case strings.HasPrefix(site, "http"):
		request.Header.Set("Origin", site)
	case site != "":
		request.Header.Set("Sec-Fetch-Site", site)
	}
	if v.cookie != "" {
		request.Header.Set("Cookie", "levy_session="+v.cookie)
	}
	response, err := v.http.Do(request)
	require.NoError(v.b, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(v.b, err)
	v.b.saw(fmt.Sprint(response.StatusCode))
	for _, cookie := range response.Cookies() {
		if cookie.Name == "levy_session" {
			require.True(v.b, cookie.HttpOnly && cookie.SameSite == http.SameSiteLaxMode)
			v.cookie = cookie.Value
		}
	}
	return shown{response.StatusCode, response.Header, string(content)}
}

// newBrowser is one that nobody has signed in with.
func (b *attackRun) newBrowser() *browser {
	client := *b.attacker.http
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &browser{b: b, http: &client, organization: b.attacker.organization}
}

// hostilePages: no other site changes anything by the session of a visitor, nor shows a page in a frame of its own; a
// session is nobody else's; and what somebody stores is text on every page.
func hostilePages(b *attackRun) {
	lines := strings.Fields(string(b.bed.Run("user", "invite", "eve@example.com", "--name", markup, "--organization",
		b.attacker.organization, "--role", "admin")))
	v := b.newBrowser()
	v.cookie = "chosen-by-somebody-else"
	set := url.Values{"password": {password}, "again": {password}}.Encode()
	link := lines[len(lines)-1]
	require.Equal(b, http.StatusForbidden, v.send("POST", link, form, set, "cross-site").status,
		"another site signs nobody in")
	require.Equal(b, "chosen-by-somebody-else", v.cookie)
	require.Equal(b, http.StatusSeeOther, v.send("POST", link, form, set, "same-origin").status)
	require.NotEqual(b, "chosen-by-somebody-else", v.cookie, "who signs in gets a session that nobody has known")

	v.storeMarkup()
	v.isAskedByOthers()
	v.staysWithItsPerson()
	b.only("200", "202", "303", "400", "401", "403", "404", "410")
}

// storeMarkup stores it wherever a text is kept, and reads every page.
func (v *browser) storeMarkup() {
	v.b.Helper()
	api := func(method, target, body string) string {
		v.b.Helper()
		answer := v.send(method, target, ofAPI, body, "same-origin")
		require.Less(v.b, answer.status, 300, "%s %s: %s", method, target, answer.body)
		_, id, _ := strings.Cut(answer.body, `"id":"`)
		id, _, _ = strings.Cut(id, `"`)
		return id
	}
	quoted := encoded(markup)
	api("POST", "/v1/customers", `{"external_id":`+quoted+`,"name":`+quoted+`}`)
	product := api("POST", "/v1/products",
		`{"external_id":`+quoted+`,"name":`+quoted+`,"product_category":"PHYSICAL","product_subcategory":"PHYSICAL_GENERAL"}`)
	sale := api("POST", sales, strings.Replace(saleBody("MARKUP", 1), `"MARKUP"`, quoted, 1))
	api("PUT", "/v1/session/views",
		`{"list":"transactions","name":"<b onclick=alert(1)>",`+
			`"query":"search_query=%3Cimg+src%3Dx+onerror%3Dalert%281%29%3E"}`)
	own := "/o/" + v.organization
	pages := []string{
		"/exceptions", "/filings", "/filings/calendar", "/clients", "/account",
		"/sign-in?next=" + url.QueryEscape(markup), "/join", "/onboarding", "/nowhere",
		"/search?q=" + url.QueryEscape(markup), own + "/transactions?search_query=" + url.QueryEscape(markup),
		own + "/transactions/" + sale,
		own + "/products/" + product, own + "/products/" + product + "/states",
	}
	for _, list := range []string{
		"filings", "transactions", "nexus", "nexus/simulate", "registrations", "imports", "products", "exemptions",
		"rates", "keys", "people", "webhooks",
		"estimate", "settings",
	} {
		pages = append(pages, own+"/"+list)
	}
	kept := 0
	for _, page := range pages {
		answer := v.send("GET", page, "", "", "same-origin")
		for _, raw := range []string{"<img src=x", "<script>", `" autofocus`, "<b onclick", `href="javascript:`} {
			require.NotContains(v.b, answer.body, raw, page)
		}
		if strings.Contains(answer.body, "&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;") {
			kept++
		}
		if page == "/nowhere" {
			continue // an answer of the API
		}
		policy := answer.header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'", "form-action 'self'",
			"base-uri 'none'", "require-trusted-types-for 'script'"} {
			require.Contains(v.b, policy, part, page)
		}
		require.NotContains(v.b, policy, "unsafe", page)
		require.Equal(v.b, "nosniff", answer.header.Get("X-Content-Type-Options"), page)
		require.Equal(v.b, "same-origin", answer.header.Get("Cross-Origin-Opener-Policy"), page)
		require.Equal(v.b, "no-store", answer.header.Get("Cache-Control"), page)
	}
	require.Greater(v.b, kept, 20, "of these pages show it, as text")
}

// isAskedByOthers sends what other sites can have a browser send: with the cookie, and with what it says of where it
// comes from.
func (v *browser) isAskedByOthers() {
	v.b.Helper()
	own := "/o/" + v.organization
	const product = `{"external_id":"FORGED","name":"Forged","product_category":"PHYSICAL",` +
		`"product_subcategory":"PHYSICAL_GENERAL"}`
	for _, site := range []string{"cross-site", "same-site", "none", "", "https://evil.example", "null"} {
		for _, request := range [][4]string{
			{"POST", "/v1/products", ofAPI, product}, {"POST", "/v1/products", "text/plain", product},
			{"PUT", "/v1/session/views", ofAPI, `{"list":"clients","name":"FORGED","query":""}`},
			{"DELETE", "/v1/session", "", ""},
			{"POST", own + "/products", form, "external_id=FORGED&name=Forged&kind=PHYSICAL%2FPHYSICAL_GENERAL"},
			{"POST", own + "/people", form, "action=invite&email=mallory%40example.com&name=Mallory&role=admin"},
			{"POST", own + "/settings", form, "action=settings&prefer_collected_tax_amounts=true"},
			{"POST", "/account", form, "action=begin"}, {"POST", "/sign-out", form, ""},
		} {
			answer := v.send(request[0], request[1], request[2], request[3], site)
			require.Equal(v.b, http.StatusForbidden, answer.status, "%s %s from %q: %s", request[0], request[1], site,
				answer.body)
		}
	}
	for table, where := range map[string]string{"products": "external_id = 'FORGED'",
		"users": "email = 'mallory@example.com'", "saved_views": "name = 'FORGED'"} {
		require.Zero(v.b, v.b.bed.Count("SELECT count(*) FROM "+table+" WHERE "+where), table)
	}
	require.Equal(v.b, http.StatusOK, v.send("GET", "/v1/session", "", "", "same-origin").status,
		"who was asked is signed in still")
}

// staysWithItsPerson: a session is neither guessed, nor a key, nor of another organization, nor there once it was
// ended.
func (v *browser) staysWithItsPerson() {
	v.b.Helper()
	good := v.cookie
	for _, guessed := range []string{v.b.attacker.key, good[:len(good)-1], good + "a", strings.Repeat("a", 4000),
		"levy_session", "0"} {
		other := v.b.newBrowser()
		other.cookie = guessed
		require.Equal(v.b, http.StatusUnauthorized, other.send("GET", "/v1/session", "", "", "same-origin").status)
		require.Equal(v.b, http.StatusSeeOther, other.send("GET", "/exceptions", "", "", "same-origin").status)
	}
	answer, err := v.b.attacker.send(v.b.Context(), http.MethodGet, "/v1/products", "", "X-API-KEY", good)
	require.NoError(v.b, err)
	require.Equal(v.b, http.StatusUnauthorized, answer.Status, "a session is no key")
	strange := *v
	strange.organization = v.b.victim.organization
	require.Equal(v.b, http.StatusNotFound, strange.send("GET", "/v1/products", "", "", "same-origin").status)
	for _, page := range []string{"products", "people", "transactions", "settings"} {
		shown := v.send("GET", "/o/"+v.b.victim.organization+"/"+page, "", "", "same-origin")
		require.Contains(v.b, []int{http.StatusNotFound, http.StatusForbidden}, shown.status, page)
	}
	for _, next := range []string{"https://evil.example", "//evil.example", `/\evil.example`, "/\t/evil.example",
		"javascript:alert(1)"} {
		enter := url.Values{"email": {"eve@example.com"}, "password": {password}, "next": {next}}.Encode()
		require.Equal(v.b, "/", v.b.newBrowser().send("POST", "/sign-in", form, enter,
			"same-origin").header.Get("Location"), next)
	}
	require.Equal(v.b, http.StatusSeeOther, v.send("POST", "/sign-out", form, "", "same-origin").status)
	v.cookie = good
	require.Equal(v.b, http.StatusUnauthorized, v.send("GET", "/v1/session", "", "", "same-origin").status,
		"who kept the cookie has nothing")
	require.False(v.b, slices.Contains(strings.Fields(v.b.bed.API.Log()), good))
}
