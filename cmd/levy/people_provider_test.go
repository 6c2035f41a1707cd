package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

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
	return b.returns("/oidc/start?next=" + url.QueryEscape(next))
}

// returns goes to the provider from a path, and returns where the browser is sent back to.
func (b *atProvider) returns(start string) string {
	b.t.Helper()
	w := b.open(start)
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
		models.SignInNotAgain, models.SignInOtherPerson,
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
	require.Equal(t, http.SameSiteLaxMode, b.cookies["__Host-levy_session"].SameSite)
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

// Where people sign in at the provider, they prove their sessions there: it asks them again, and says when that was.
func TestASessionIsProvenAtTheProvider(t *testing.T) { //nolint:paralleltest // openParts sets the logger of the process
	provider := oidctest.New(t)
	p := newAPIProcess(t, func(c *Config) {
		c.OIDCIssuer, c.OIDCClientID, c.OIDCClientSecret = provider.URL, oidctest.ClientID, oidctest.Secret
		c.OIDCRedirectURL = "https://levy.example.com/oidc/callback"
		require.NoError(t, c.validateProvider())
	})
	s, hasher, err := openForKeys(t.Context(), p.parts.cfg)
	require.NoError(t, err)
	defer s.Close()
	for _, email := range []string{"ada@example.com", "zoe@example.com"} {
		_, err := userInviteCmd{Email: email, Name: email, Staff: "operator"}.invite(t.Context(), s, hasher)
		require.NoError(t, err)
	}
	b := &atProvider{t, p, provider, map[string]*http.Cookie{}}
	invites := func(name string) string {
		v := p.visitor(t)
		v.cookie = b.cookies["__Host-levy_session"]
		answer := v.send("POST", "/v1/users", "", `{"email":"`+name+`@example.com","name":"Vi","staff_role":"auditor"}`)
		return strconv.Itoa(answer.Code) + " " + codeIn(t, answer)
	}
	again := func() string { return b.open(b.returns("/oidc/start?again=1&next=/account")).Header().Get("Location") }

	// The provider has signed her in before, or says nothing of it: then the session begins unproven.
	for _, at := range []time.Time{{}, time.Now().Add(-time.Hour)} {
		provider.SignedInAt = at
		require.Equal(t, "/", b.open(b.begin("")).Header().Get("Location"))
		require.Equal(t, "403 step_up_required", invites("vi"))
	}
	provider.Claims = func(claims map[string]any) { claims["auth_time"] = time.Now().Add(-2 * time.Minute).Unix() }
	require.Contains(t, again(), "refused=not_again", "it has not asked her")
	provider.Claims = func(claims map[string]any) { delete(claims, "auth_time") }
	require.Contains(t, again(), "refused=not_again", "it does not say so")
	provider.Claims, provider.Subject, provider.Email = nil, "account-2", "zoe@example.com"
	require.Contains(t, again(), "refused=other_person")
	require.Equal(t, "403 step_up_required", invites("vi"))

	provider.Subject, provider.Email = "account-1", "ada@example.com"
	session := b.cookies["__Host-levy_session"].Value
	require.Equal(t, "/account", again())
	require.Equal(t, session, b.cookies["__Host-levy_session"].Value, "no other session begins")
	require.Equal(t, "200 ", invites("vi"))
}

// The cookie of a sign-in and its returned address bring nobody in twice.
func TestAStateOfTheProviderIsUsedOnce(t *testing.T) { //nolint:paralleltest // openParts sets the logger of the process
	provider := oidctest.New(t)
	p := newAPIProcess(t, func(c *Config) {
		c.OIDCIssuer, c.OIDCClientID, c.OIDCClientSecret = provider.URL, oidctest.ClientID, oidctest.Secret
		c.OIDCRedirectURL = "https://levy.example.com/oidc/callback"
		require.NoError(t, c.validateProvider())
	})
	b := &atProvider{t, p, provider, map[string]*http.Cookie{}}
	state, err := url.Parse(b.begin(""))
	require.NoError(t, err)
	kept := b.cookies["levy_oidc"]
	for _, why := range []string{"denied", "too_late", "too_late"} {
		b.cookies["levy_oidc"] = kept
		to := b.open("/oidc/callback?error=access_denied&state=" + state.Query().Get("state")).Header().Get("Location")
		require.Contains(t, to, "refused="+why)
	}
}
