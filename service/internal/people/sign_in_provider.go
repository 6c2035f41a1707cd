package people

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
	"levy/service/internal/call"
)

// These are the paths of a sign-in at the OpenID provider. The callback is registered there.
const (
	ProviderPath         = "/oidc/"
	ProviderStartPath    = ProviderPath + "start"
	ProviderCallbackPath = ProviderPath + "callback"
)

const (
	ProviderTime = 10 * time.Minute // time to sign in at the provider
	longestNext  = 1000
)

// ProviderSignIn is stored in the browser during a sign-in at the provider. It ties the callback
// to this browser (state), this sign-in (nonce) and its code (verifier).
type ProviderSignIn struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"`
	Next     string    `json:"next"`
	Ends     time.Time `json:"ends"`
}

// SealSignIn returns the signed value of the cookie.
func (o *Operations) SealSignIn(begun ProviderSignIn) string {
	text, err := json.Marshal(begun)
	if err != nil {
		panic(err) // texts and a time are always encodable
	}
	content := base64.RawURLEncoding.EncodeToString(text)
	return content + "." + base64.RawURLEncoding.EncodeToString(o.keys.Hash("sign-in at the provider "+content))
}

// ReadSignIn reads the value of the cookie. ok is false if Levy did not write it, or if it has expired.
func (o *Operations) ReadSignIn(value string) (begun ProviderSignIn, ok bool) {
	content, seal, _ := strings.Cut(value, ".")
	sent, err := base64.RawURLEncoding.DecodeString(seal)
	if err != nil {
		return begun, false
	}
	for _, hash := range o.keys.Hashes("sign-in at the provider " + content) {
		if hmac.Equal(hash, sent) {
			text, err := base64.RawURLEncoding.DecodeString(content)
			return begun, err == nil && json.Unmarshal(text, &begun) == nil && o.now().Before(begun.Ends)
		}
	}
	return begun, false
}

// BeginSignIn begins a sign-in at the provider that ends at the path next. at is the address of the provider. Errors:
// models.SignInRefusal.
func (o *Operations) BeginSignIn(ctx context.Context, next string) (begun ProviderSignIn, at string, err error) {
	begun = ProviderSignIn{
		State: rand.Text(), Nonce: rand.Text(), Verifier: secret.NewToken(), Next: next, Ends: o.now().Add(ProviderTime),
	}
	if len(begun.Next) > longestNext {
		begun.Next = ""
	}
	at, err = o.deps.Provider.Begin(ctx, begun.State, begun.Nonce, begun.Verifier)
	return begun, at, err
}

// ProviderCallback is the query with which the provider redirects a browser to Levy.
type ProviderCallback struct{ State, Failure, Code string }

// EndSignIn begins the session of a person who returns from the provider. ok means that the sign-in began
// in this browser and has not expired. Errors: models.SignInRefusal.
func (o *Operations) EndSignIn(
	ctx context.Context, begun ProviderSignIn, ok bool, back ProviderCallback,
) (token string, err error) {
	giveBack, wait := o.failures.Try(call.Of(ctx).Address)
	if wait > 0 {
		return "", models.SignInTooMany
	}
	token, err = o.endSignIn(ctx, begun, ok, back)
	if why := models.SignInUnavailable; err == nil || !errors.As(err, &why) || !failedByClient(why) {
		giveBack()
	}
	return token, err
}

// failedByClient reports whether a refusal counts as a failed attempt of the caller's address.
func failedByClient(why models.SignInRefusal) bool {
	return why != models.SignInUnavailable && why != models.SignInDenied
}

func (o *Operations) endSignIn(
	ctx context.Context, begun ProviderSignIn, ok bool, back ProviderCallback,
) (token string, err error) {
	switch {
	case ok && subtle.ConstantTimeCompare([]byte(back.State), []byte(begun.State)) == 1 && back.Failure != "":
		return "", models.SignInDenied
	// guard: sign-in: whoever comes back began in this browser
	case ok && subtle.ConstantTimeCompare([]byte(back.State), []byte(begun.State)) == 1:
		return o.enterByProvider(ctx, back.Code, begun)
	}
	return "", models.SignInTooLate
}

// enterByProvider finds the person of the account and begins a session. Errors: models.SignInRefusal.
func (o *Operations) enterByProvider(ctx context.Context, code string, begun ProviderSignIn) (token string, err error) {
	who, err := o.deps.Provider.Identify(ctx, code, begun.Nonce, begun.Verifier)
	if err != nil {
		return "", err
	}
	requestID := call.Of(ctx).RequestID
	person, err := o.deps.People.UserOfIdentity(ctx, who, requestID)
	if err != nil {
		return "", err
	}
	token = secret.NewToken()
	return token, o.deps.People.BeginSession(ctx, &person, o.SessionHashes(token)[0], requestID)
}

// RefusedSignIn returns the reason of a failed sign-in at the provider.
func (o *Operations) RefusedSignIn(ctx context.Context, err error) models.SignInRefusal {
	why := models.SignInUnavailable
	if !errors.As(err, &why) {
		o.log.ErrorContext(ctx, "sign-in by the provider failed", "error", err.Error())
	} else {
		o.log.InfoContext(ctx, "sign-in by the provider refused", "reason", string(why), "error", err.Error())
	}
	return why
}
