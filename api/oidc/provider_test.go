package oidc

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"net/http"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"levy/api/oidc/oidctest"
	"levy/models"
)

const callback = "https://levy.example.com/oidc/callback"

func of(p *oidctest.Provider, domains ...string) *Provider {
	return New(Config{
		Issuer: p.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.Secret, RedirectURL: callback, Domains: domains,
	})
}

// The provider identifies the person if its token is valid, recent and for this sign-in.
func TestIdentify(t *testing.T) {
	t.Parallel()
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	claim := func(name string, value any) func(*oidctest.Provider) {
		return func(p *oidctest.Provider) {
			p.Claims = func(claims map[string]any) { claims[name] = value }
		}
	}
	for name, c := range map[string]struct {
		prepare func(*oidctest.Provider)
		domains []string
		refused models.SignInRefusal
	}{
		"the person":           {},
		"of an allowed domain": {domains: []string{"other.example", "EXAMPLE.com"}},
		"verified, as a text":  {prepare: claim("email_verified", "true")},
		"of a domain that looks alike": {prepare: claim("email", "ada@\u212aim.example"), domains: []string{"kim.example"},
			refused: models.SignInElsewhere},
		"of another domain": {domains: []string{"ample.com"}, refused: models.SignInElsewhere},
		"of a longer domain": {prepare: claim("email", "ada@example.com.evil.example"),
			domains: []string{"example.com"}, refused: models.SignInElsewhere},
		"an address that is not verified":     {prepare: claim("email_verified", false), refused: models.SignInUnverified},
		"an address of which nothing is said": {prepare: claim("email_verified", nil), refused: models.SignInUnverified},
		"no address":                          {prepare: claim("email", ""), refused: models.SignInUnverified},
		"a token for another sign-in":         {prepare: claim("nonce", "other"), refused: models.SignInUntrusted},
		"a token without a nonce":             {prepare: claim("nonce", ""), refused: models.SignInUntrusted},
		"a token for another client":          {prepare: claim("aud", "other"), refused: models.SignInUntrusted},
		"a token of another issuer":           {prepare: claim("iss", "https://evil.example"), refused: models.SignInUntrusted},
		"a token that has expired": {prepare: claim("exp", time.Now().Add(-time.Hour).Unix()),
			refused: models.SignInUntrusted},
		"a token by another key": {
			prepare: func(p *oidctest.Provider) { p.Signs = oidctest.Signer(t, jose.ES256, stranger) },
			refused: models.SignInUntrusted,
		},
		"a token signed with the client's secret": {
			prepare: func(p *oidctest.Provider) {
				p.Signs = oidctest.Signer(t, jose.HS256, []byte(oidctest.Secret+oidctest.Secret))
			}, refused: models.SignInUntrusted,
		},
		"a provider that refuses": {
			prepare: func(p *oidctest.Provider) { p.Fails = http.StatusBadRequest }, refused: models.SignInUntrusted,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := oidctest.New(t)
			if c.prepare != nil {
				c.prepare(p)
			}
			provider := of(p, c.domains...)
			at, err := provider.Begin(t.Context(), "state", "nonce", "verifier-of-the-code-of-43-characters-at-least", false)
			require.NoError(t, err)
			back := p.SignIn(at).Query()
			require.Equal(t, "state", back.Get("state"))
			who, err := provider.Identify(t.Context(), back.Get("code"), "nonce",
				"verifier-of-the-code-of-43-characters-at-least")
			if c.refused != "" {
				require.ErrorIs(t, err, c.refused)
				require.NotContains(t, err.Error(), "ada@", "logs name no person")
				return
			}
			require.NoError(t, err)
			require.Equal(t, models.Identity{Issuer: p.URL, Subject: "account-1", Email: "ada@example.com"}, who)
			_, err = provider.Identify(t.Context(), back.Get("code"), "nonce", "verifier-of-the-code-of-43-characters-at-least")
			require.ErrorIs(t, err, models.SignInUntrusted, "a code is valid once")
		})
	}
}

// The provider asks a person to sign in again, and says when that was.
func TestAPersonIsAskedToSignInAgain(t *testing.T) {
	t.Parallel()
	const verifier = "verifier-of-the-code-of-43-characters-at-least"
	p := oidctest.New(t)
	provider := of(p)
	for _, again := range []bool{false, true} {
		at, err := provider.Begin(t.Context(), "state", "nonce", verifier, again)
		require.NoError(t, err)
		who, err := provider.Identify(t.Context(), p.SignIn(at).Query().Get("code"), "nonce", verifier)
		require.NoError(t, err)
		require.Equal(t, again, !who.SignedInAt.IsZero())
	}
}

// A stolen code, such as one from a log, cannot be used without its verifier.
func TestACodeIsUselessWithoutItsVerifier(t *testing.T) {
	t.Parallel()
	p := oidctest.New(t)
	provider := of(p)
	at, err := provider.Begin(t.Context(), "state", "nonce", "verifier-of-the-code-of-43-characters-at-least", false)
	require.NoError(t, err)
	_, err = provider.Identify(t.Context(), p.SignIn(at).Query().Get("code"), "nonce",
		"another-verifier-of-43-characters-at-the-least")
	require.ErrorIs(t, err, models.SignInUntrusted)
}

// A provider that is down is called again at the next sign-in.
func TestAProviderThatIsDownIsAskedAgain(t *testing.T) {
	t.Parallel()
	p := oidctest.New(t)
	provider := of(p)
	served := p.Config.Handler
	p.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
	})
	_, err := provider.Begin(t.Context(), "state", "nonce", "verifier", false)
	require.ErrorIs(t, err, models.SignInUnavailable)
	p.Config.Handler = served
	_, err = provider.Begin(t.Context(), "state", "nonce", "verifier", false)
	require.NoError(t, err)
}
