// Package oidc lets people sign in at an OpenID provider: OpenID Connect Core 1.0, authorization code flow (section
// 3.1) with PKCE (RFC 7636).
package oidc

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	coreos "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"levy/models"
)

// timeout bounds one call of the provider.
const timeout = 10 * time.Second

// Config identifies the provider, and Levy at the provider.
type Config struct {
	Issuer       string // address of the provider; its discovery document is below it
	ClientID     string
	ClientSecret string
	RedirectURL  string // of this installation, as registered at the provider
	// Domains are the domains of accepted e-mail addresses; none means all.
	Domains []string
}

// Provider is an OpenID provider. It reads addresses and keys at the first sign-in, so an installation starts
// while its provider is down.
type Provider struct {
	config Config
	http   *http.Client
	mu     sync.Mutex
	known  *discovered
}

type discovered struct {
	login    oauth2.Config
	verifier *coreos.IDTokenVerifier
}

// New returns the provider of a configuration.
func New(config Config) *Provider {
	return &Provider{config: config, http: &http.Client{Timeout: timeout}}
}

// Begin returns the address of the provider for a sign-in. again asks people who are signed in there to sign in again:
// the provider must then say when they did (section 3.1.2.1). Errors: models.SignInUnavailable.
func (p *Provider) Begin(ctx context.Context, state, nonce, verifier string, again bool) (string, error) {
	d, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{coreos.Nonce(nonce), oauth2.S256ChallengeOption(verifier)}
	if again {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return d.login.AuthCodeURL(state, options...), nil
}

// Identify exchanges the code of a returning person for an identity. Errors: models.SignInRefusal with its cause.
func (p *Provider) Identify(ctx context.Context, code, nonce, verifier string) (models.Identity, error) {
	d, err := p.discover(ctx)
	if err != nil {
		return models.Identity{}, err
	}
	ctx = coreos.ClientContext(ctx, p.http)
	tokens, err := d.login.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if answered, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		// The text of the error may contain anything, because it repeats the answer of the provider.
		cause := fmt.Errorf("status %d: %q", answered.Response.StatusCode, answered.ErrorCode)
		return models.Identity{}, refusal(models.SignInUntrusted, cause)
	}
	if err != nil {
		return models.Identity{}, refusal(models.SignInUnavailable, err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	token, err := d.verifier.Verify(ctx, raw) // issuer, audience, time, signature
	if err != nil {
		return models.Identity{}, refusal(models.SignInUntrusted, err)
	}
	// guard: sign-in: the token is the answer to this sign-in, and not one of another
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1 {
		return models.Identity{}, refusal(models.SignInUntrusted, errors.New("another nonce"))
	}
	return p.identity(token)
}

func (p *Provider) identity(token *coreos.IDToken) (models.Identity, error) {
	var claims struct {
		Email      string  `json:"email"`
		Verified   boolean `json:"email_verified"`
		SignedInAt int64   `json:"auth_time"`
	}
	if err := token.Claims(&claims); err != nil {
		return models.Identity{}, refusal(models.SignInUntrusted, err)
	}
	if claims.Email == "" || !bool(claims.Verified) {
		return models.Identity{}, refusal(models.SignInUnverified, nil)
	}
	_, domain, _ := strings.Cut(claims.Email, "@")
	// guard: sign-in: letters that look alike make another domain
	allowed := func(d string) bool { return models.SameAddress(d, domain) }
	if len(p.config.Domains) > 0 && !slices.ContainsFunc(p.config.Domains, allowed) {
		return models.Identity{}, refusal(models.SignInElsewhere, nil)
	}
	who := models.Identity{Issuer: token.Issuer, Subject: token.Subject, Email: claims.Email}
	if claims.SignedInAt > 0 {
		who.SignedInAt = time.Unix(claims.SignedInAt, 0)
	}
	return who, nil
}

// boolean is a claim that some providers write as a text.
type boolean bool

// UnmarshalJSON reads true and "true"; everything else is false.
func (b *boolean) UnmarshalJSON(text []byte) error {
	*b = boolean(string(bytes.Trim(text, `"`)) == "true")
	return nil
}

// discover reads the discovery document once. Keys are read again when the provider signs with another one.
func (p *Provider) discover(ctx context.Context) (*discovered, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known != nil {
		return p.known, nil
	}
	provider, err := coreos.NewProvider(coreos.ClientContext(context.WithoutCancel(ctx), p.http), p.config.Issuer)
	if err != nil {
		return nil, refusal(models.SignInUnavailable, err)
	}
	p.known = &discovered{
		login: oauth2.Config{
			ClientID: p.config.ClientID, ClientSecret: p.config.ClientSecret, RedirectURL: p.config.RedirectURL,
			Endpoint: provider.Endpoint(), Scopes: []string{coreos.ScopeOpenID, "email", "profile"},
		},
		verifier: provider.Verifier(&coreos.Config{ClientID: p.config.ClientID}),
	}
	return p.known, nil
}

func refusal(why models.SignInRefusal, cause error) error { return errors.Join(why, cause) }
