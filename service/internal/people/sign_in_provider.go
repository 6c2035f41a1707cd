package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
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
	// Again means that the person is signed in, and proves who uses the session.
	Again bool `json:"again,omitempty"`
}

// providerPurpose is what the cookie of a sign-in is for.
const providerPurpose = "sign-in at the provider"

// SealSignIn returns the signed value of the cookie.
func (o *Operations) SealSignIn(begun ProviderSignIn) string { return o.seal(providerPurpose, begun) }

// ReadSignIn reads the value of the cookie. ok is false if Levy did not write it, or if it has expired.
func (o *Operations) ReadSignIn(value string) (begun ProviderSignIn, ok bool) {
	ok = o.unseal(providerPurpose, value, &begun) && o.now().Before(begun.Ends)
	return begun, ok
}

// BeginSignIn begins a sign-in at the provider that ends at the path next. again proves who uses the session of the
// browser. at is the address of the provider. Errors: models.SignInRefusal.
func (o *Operations) BeginSignIn(
	ctx context.Context, next string, again bool,
) (begun ProviderSignIn, at string, err error) {
	begun = ProviderSignIn{
		State: rand.Text(), Nonce: rand.Text(), Verifier: secret.NewToken(), Next: next, Ends: o.now().Add(ProviderTime),
		Again: again,
	}
	if len(begun.Next) > longestNext {
		begun.Next = ""
	}
	at, err = o.deps.Provider.Begin(ctx, begun.State, begun.Nonce, begun.Verifier, again)
	return begun, at, err
}

// ProviderCallback is the query with which the provider redirects a browser to Levy.
type ProviderCallback struct {
	State, Failure, Code string
	Session              string // token of the session of the browser; empty for none
}

// EndSignIn begins the session of a person who returns from the provider. ok means that the sign-in began
// in this browser and has not expired. token is that of the session; empty if the session of the browser goes on.
// Errors: models.SignInRefusal.
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
	// guard: sign-in: a person who comes back began in this browser
	if !ok || subtle.ConstantTimeCompare([]byte(back.State), []byte(begun.State)) != 1 {
		return "", models.SignInTooLate
	}
	hash := sha256.Sum256([]byte(begun.State)) // it is random, and needs no key
	first, err := o.deps.People.UseSignIn(ctx, hash[:], begun.Ends)
	if err != nil {
		return "", err
	}
	// guard: sign-in: a state comes back once
	if !first {
		return "", models.SignInTooLate
	}
	if back.Failure != "" {
		return "", models.SignInDenied
	}
	return o.enterByProvider(ctx, back, begun)
}

// enterByProvider finds the person of the account and begins a session, or proves that of the browser. Errors:
// models.SignInRefusal.
func (o *Operations) enterByProvider(
	ctx context.Context, back ProviderCallback, begun ProviderSignIn,
) (token string, err error) {
	who, err := o.deps.Provider.Identify(ctx, back.Code, begun.Nonce, begun.Verifier)
	if err != nil {
		return "", err
	}
	requestID := call.Of(ctx).RequestID
	person, err := o.deps.People.UserOfIdentity(ctx, who, requestID)
	if err != nil {
		return "", err
	}
	if begun.Again {
		if err := o.proveByProvider(ctx, &person, who, back.Session, begun); !errors.Is(err, models.ErrNotFound) {
			return "", err
		} // else the session has ended meanwhile
	}
	by := models.SignInProof{Kinds: []models.ProofKind{models.ProofProvider}}
	if !who.SignedInAt.IsZero() {
		by.Age = new(max(0, o.now().Sub(who.SignedInAt)))
	}
	token = secret.NewSession()
	return token, o.deps.People.BeginSession(ctx, &person, o.SessionHashes(token)[0], by, requestID)
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
