package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/api/oidc/oidctest"
	"levy/models"
)

// atProvider is a browser that signs in at the provider; it keeps cookies.
type atProvider struct {
	t        *testing.T
	p        *apiProcess
	provider *oidctest.Provider
	cookies  map[string]*http.Cookie
}

func (b *atProvider) open(target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, http.NoBody)
	r.RemoteAddr = elsewhere
	r.Header.Set("Sec-Fetch-Site", "cross-site") // as after the provider
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	b.p.server.Handler().ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if b.cookies[c.Name] = c; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return w
}

// begin goes to the provider, signs in there, and returns where the browser is sent back to.
func (b *atProvider) begin(next string) string {
	b.t.Helper()
	w := b.open("/oidc/start?next=" + url.QueryEscape(next))
	require.Equal(b.t, http.StatusSeeOther, w.Code)
	return b.provider.SignIn(w.Header().Get("Location")).RequestURI()
}

// People sign in at the provider if they were invited, with the account of their first sign-in.
func TestPeopleSignInAtTheProvider(t *testing.T) { //nolint:paralleltest // openParts sets the logger of the process
	provider := oidctest.New(t)
	p := newAPIProcess(t, func(c *Config) {
		c.OIDCIssuer, c.OIDCClientID, c.OIDCClientSecret = provider.URL, oidctest.ClientID, oidctest.Secret
		c.OIDCRedirectURL, c.OIDCDomains = "https://levy.example.com/oidc/callback", []string{"example.com"}
		require.NoError(t, c.validateProvider())
	})
	s, hasher, err := openForKeys(t.Context(), p.parts.cfg)
	require.NoError(t, err)
	defer s.Close()
	invite := func(email string) {
		_, err := userInviteCmd{Email: email, Name: email, Staff: "operator"}.invite(t.Context(), s, hasher)
		require.NoError(t, err)
	}
	browser := func() *atProvider { return &atProvider{t, p, provider, map[string]*http.Cookie{}} }
	refused := func(b *atProvider, target, why string) {
		t.Helper()
		to, err := url.Parse(b.open(target).Header().Get("Location"))
		require.NoError(t, err)
		require.Equal(t, "/sign-in", to.Path)
		require.Equal(t, why, to.Query().Get("refused"))
		require.Empty(t, b.cookies, "no session")
		require.Contains(t, b.open(to.RequestURI()).Body.String(), `role="alert"`, "the page says so in words")
	}

	for _, why := range []models.SignInRefusal{
		models.SignInTooLate, models.SignInDenied, models.SignInUnavailable, models.SignInUntrusted, models.SignInUnverified,
		models.SignInElsewhere, models.SignInUnknown, models.SignInDisabled, models.SignInOtherOne, models.SignInTooMany,
	} {
		require.Contains(t, browser().open("/sign-in?refused="+string(why)).Body.String(), `role="alert"`,
			"%s has words", why)
	}
	b := browser()
	refused(b, b.begin(""), "unknown")
	invite("ADA@example.com")
	require.Equal(t, http.StatusForbidden,
		p.visitor(t).send("POST", "/v1/session", "", signInBody("ada@example.com", password)).Code)

	b = browser()
	back := b.begin("/o/org_x/filings")
	require.True(t, b.cookies["levy_oidc"].HttpOnly && b.cookies["levy_oidc"].Secure)
	refused(browser(), back, "too_late") // another browser
	w := b.open(back)
	require.Equal(t, "/o/org_x/filings", w.Header().Get("Location"))
	require.Equal(t, http.SameSiteLaxMode, b.cookies["levy_session"].SameSite)
	require.Contains(t, b.open("/v1/session").Body.String(), `"staff_role":"operator"`)
	again := browser()
	refused(again, back, "too_late") // its cookie is gone

	b = browser()
	b.begin("")
	refused(b, "/oidc/callback?code=x&state=other", "too_late")
	b = browser()
	state, err := url.Parse(b.begin(""))
	require.NoError(t, err)
	refused(b, "/oidc/callback?error=access_denied&state="+state.Query().Get("state"), "denied")
	for _, next := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, "/\t/evil.example"} {
		b = browser()
		require.Equal(t, "/", b.open(b.begin(next)).Header().Get("Location"), next)
	}

	// The e-mail address alone no longer identifies the person, and the account still does after its address changed.
	provider.Subject = "account-2"
	b = browser()
	refused(b, b.begin(""), "other_account")
	provider.Subject, provider.Email = "account-1", "ada.lovelace@example.com"
	b = browser()
	require.Equal(t, "/", b.open(b.begin("")).Header().Get("Location"))

	db, err := pgx.Connect(t.Context(), p.parts.cfg.DatabaseURL.Reveal())
	require.NoError(t, err)
	defer func() { _ = db.Close(t.Context()) }()
	var ins int
	require.NoError(t, db.QueryRow(t.Context(),
		"SELECT count(*) FROM audit WHERE action = 'sign_in' AND user_name = 'ADA@example.com'").Scan(&ins))
	require.Equal(t, 6, ins, "every sign-in is in the trail")

	// Another link admits another account; a disabled person cannot sign in with any.
	invite("ada@example.com")
	require.Equal(t, http.StatusOK, b.open("/v1/session").Code, "until somebody has come by it")
	provider.Subject, provider.Email = "account-2", "ada@example.com"
	old := b
	b = browser()
	require.Equal(t, "/", b.open(b.begin("")).Header().Get("Location"))
	require.Equal(t, http.StatusUnauthorized, old.open("/v1/session").Code, "who ends the sessions of the old one")
	_, err = db.Exec(t.Context(), "UPDATE users SET status = 'DISABLED'")
	require.NoError(t, err)
	b = browser()
	refused(b, b.begin(""), "disabled")

	// An invalid answer of the provider is refused; when the provider is down, the page says so.
	provider.Claims = func(claims map[string]any) { claims["nonce"] = "other" }
	b = browser()
	refused(b, b.begin(""), "untrusted")
	provider.Claims, provider.Email, provider.Subject = nil, "eve@evil.example", "account-3"
	b = browser()
	refused(b, b.begin(""), "domain")
	b = browser()
	back = b.begin("")
	provider.Close()
	refused(b, back, "unavailable")
}
