package api

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"levy/internal/secret"
	"levy/models"
)

// Paths of signing in by the OpenID provider. The second one is registered there.
const (
	ProviderPath         = "/oidc/"
	providerStartPath    = ProviderPath + "start"
	ProviderCallbackPath = ProviderPath + "callback"
)

// IdentityProvider is the OpenID provider at which people sign in.
type IdentityProvider interface {
	// Begin is the address where somebody signs in. Errors: models.SignInRefusal.
	Begin(ctx context.Context, state, nonce, verifier string) (string, error)
	// Identify says who has come back with a code. Errors: models.SignInRefusal.
	Identify(ctx context.Context, code, nonce, verifier string) (models.Identity, error)
}

const (
	providerTime = 10 * time.Minute // to sign in at the provider
	longestNext  = 1000
)

// providerSignIn is what the browser keeps while somebody is at the provider: it ties what comes back to
// the browser that began (state), to this sign-in (nonce) and to its code (verifier).
type providerSignIn struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"`
	Next     string    `json:"next"`
	Ends     time.Time `json:"ends"`
}

// sealSignIn makes the value of the cookie, which nobody else can make.
func (s *Server) sealSignIn(begun providerSignIn) string {
	text, err := json.Marshal(begun)
	if err != nil {
		panic(err) // it has texts and a time only
	}
	content := base64.RawURLEncoding.EncodeToString(text)
	return content + "." + base64.RawURLEncoding.EncodeToString(s.keys.Hash("sign-in at the provider "+content))
}

// readSignIn reads the value of the cookie; false for one that is not ours, or over.
func (s *Server) readSignIn(value string) (begun providerSignIn, ok bool) {
	content, seal, _ := strings.Cut(value, ".")
	sent, err := base64.RawURLEncoding.DecodeString(seal)
	if err != nil {
		return begun, false
	}
	for _, hash := range s.keys.Hashes("sign-in at the provider " + content) {
		if hmac.Equal(hash, sent) {
			text, err := base64.RawURLEncoding.DecodeString(content)
			return begun, err == nil && json.Unmarshal(text, &begun) == nil && s.now().Before(begun.Ends)
		}
	}
	return begun, false
}

// beginSignIn begins a sign-in at the provider, which leads to next in the end. at is the address of the provider.
// Errors: models.SignInRefusal.
func (s *Server) beginSignIn(ctx context.Context, next string) (begun providerSignIn, at string, err error) {
	begun = providerSignIn{
		State: rand.Text(), Nonce: rand.Text(), Verifier: secret.NewToken(), Next: next, Ends: s.now().Add(providerTime),
	}
	if len(begun.Next) > longestNext {
		begun.Next = ""
	}
	at, err = s.deps.Provider.Begin(ctx, begun.State, begun.Nonce, begun.Verifier)
	return begun, at, err
}

// comeBack is what the provider lets a browser bring back.
type comeBack struct{ state, failure, code string }

// endSignIn begins the session of a person that comes back from the provider. ok: the sign-in began in this browser and
// is not over. Errors: models.SignInRefusal.
func (s *Server) endSignIn(
	ctx context.Context, begun providerSignIn, ok bool, back comeBack,
) (token string, err error) {
	switch {
	case s.failures.Wait(callOf(ctx).address) > 0:
		return "", models.SignInTooMany
	case ok && subtle.ConstantTimeCompare([]byte(back.state), []byte(begun.State)) == 1 && back.failure != "":
		return "", models.SignInDenied
	// guard: sign-in: whoever comes back began in this browser
	case ok && subtle.ConstantTimeCompare([]byte(back.state), []byte(begun.State)) == 1:
		return s.enterByProvider(ctx, back.code, begun)
	}
	return "", models.SignInTooLate
}

// enterByProvider finds whose the account is and begins a session. Errors: models.SignInRefusal.
func (s *Server) enterByProvider(ctx context.Context, code string, begun providerSignIn) (token string, err error) {
	who, err := s.deps.Provider.Identify(ctx, code, begun.Nonce, begun.Verifier)
	if err != nil {
		return "", err
	}
	requestID := callOf(ctx).requestID
	person, err := s.deps.People.UserOfIdentity(ctx, who, requestID)
	if err != nil {
		return "", err
	}
	token = secret.NewToken()
	return token, s.deps.People.BeginSession(ctx, &person, s.sessionHashes(token)[0], requestID)
}

// refusedSignIn is why a sign-in at the provider failed, which its address is charged with unless it had no part in it.
func (s *Server) refusedSignIn(ctx context.Context, err error) models.SignInRefusal {
	why := models.SignInUnavailable
	if !errors.As(err, &why) {
		s.log.ErrorContext(ctx, "sign-in by the provider failed", "error", err.Error())
	} else {
		s.log.InfoContext(ctx, "sign-in by the provider refused", "reason", string(why), "error", err.Error())
	}
	if why != models.SignInUnavailable && why != models.SignInDenied && why != models.SignInTooMany {
		s.failures.Add(callOf(ctx).address)
	}
	return why
}
