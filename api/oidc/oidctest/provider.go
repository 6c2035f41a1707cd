// Package oidctest has an OpenID provider for tests, with discovery, authorization codes with PKCE and signed tokens.
// Tests can make its answers wrong.
package oidctest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
)

// ClientID and Secret belong to the only client.
const (
	ClientID = "levy"
	Secret   = "secret of the client"
)

// Provider is a provider at which one person is signed in.
type Provider struct {
	*httptest.Server
	t *testing.T

	mu sync.Mutex
	// Subject and Email are the account of the signed-in person.
	Subject, Email string
	// SignedInAt is when the person signed in; zero if the provider does not say. A person who is asked to sign in
	// again does so now.
	SignedInAt time.Time
	// Claims changes the claims of the next tokens; nil for no change.
	Claims func(map[string]any)
	// Signs signs the next tokens; nil means the published key.
	Signs jose.Signer
	// Fails is the status of the next answers for codes; 0 means success.
	Fails int
	key   *ecdsa.PrivateKey
	codes map[string]url.Values // the request of each unused code
}

// New starts a provider that ends with the test.
func New(t *testing.T) *Provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	p := &Provider{t: t, Subject: "account-1", Email: "ada@example.com", key: key, codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		p.answer(w, map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"jwks_uri":                 p.URL + "/keys",
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
			"id_token_signing_alg_values_supported": []string{"ES256"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		p.answer(w,
			jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

// Signer signs tokens with another key under the name of the published one.
func Signer(t *testing.T, algorithm jose.SignatureAlgorithm, key any) jose.Signer {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: jose.JSONWebKey{Key: key, KeyID: "1"}}, nil)
	require.NoError(t, err)
	return signer
}

// SignIn signs the person in and returns the address of the redirect.
func (p *Provider) SignIn(at string) *url.URL {
	p.t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, at, http.NoBody)
	require.NoError(p.t, err)
	answer, err := client.Do(r)
	require.NoError(p.t, err)
	require.NoError(p.t, answer.Body.Close())
	require.Equal(p.t, http.StatusFound, answer.StatusCode)
	back, err := answer.Location()
	require.NoError(p.t, err)
	return back
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	if asked.Get("client_id") != ClientID || asked.Get("response_type") != "code" ||
		asked.Get("code_challenge_method") != "S256" {
		http.Error(w, "not a request of the client", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.mu.Lock()
	p.codes[code] = asked
	p.mu.Unlock()
	http.Redirect(w, r, asked.Get("redirect_uri")+"?"+url.Values{"code": {code},
		"state": {asked.Get("state")}}.Encode(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked, known := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	id, secret, _ := r.BasicAuth()
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	switch {
	case p.Fails != 0:
		w.WriteHeader(p.Fails)
	case id != ClientID || secret != url.QueryEscape(Secret):
		w.WriteHeader(http.StatusUnauthorized)
	case !known, asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(challenge[:]),
		asked.Get("redirect_uri") != r.PostFormValue("redirect_uri"):
		w.WriteHeader(http.StatusBadRequest)
	default:
		p.answer(w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": p.sign(asked)})
	}
}

func (p *Provider) sign(asked url.Values) string {
	claims := map[string]any{
		"iss": p.URL, "aud": ClientID, "sub": p.Subject, "nonce": asked.Get("nonce"), "email": p.Email, "email_verified": true,
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	}
	if asked.Get("prompt") == "login" && asked.Get("max_age") == "0" {
		p.SignedInAt = time.Now()
	}
	if !p.SignedInAt.IsZero() {
		claims["auth_time"] = p.SignedInAt.Unix()
	}
	if p.Claims != nil {
		p.Claims(claims)
	}
	text, err := json.Marshal(claims)
	require.NoError(p.t, err)
	signer := p.Signs
	if signer == nil {
		signer = Signer(p.t, jose.ES256, p.key)
	}
	signed, err := signer.Sign(text)
	require.NoError(p.t, err)
	token, err := signed.CompactSerialize()
	require.NoError(p.t, err)
	return token
}

func (p *Provider) answer(w http.ResponseWriter, content any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(content) // the client has disconnected
}
