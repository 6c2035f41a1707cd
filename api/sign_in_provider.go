package api

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/gin-gonic/gin"

	"levy/internal/secret"
	"levy/models"
)

// Paths of signing in by the OpenID provider. The second one is registered there.
const (
	ProviderPath         = "/oidc/"
	providerStartPath    = ProviderPath + "start"
	ProviderCallbackPath = ProviderPath + "callback"
)

// signInPage shows why somebody was not let in.
const signInPage = "/sign-in"

// IdentityProvider is the OpenID provider at which people sign in.
type IdentityProvider interface {
	// Begin is the address where somebody signs in. Errors: models.SignInRefusal.
	Begin(ctx context.Context, state, nonce, verifier string) (string, error)
	// Identify says who has come back with a code. Errors: models.SignInRefusal.
	Identify(ctx context.Context, code, nonce, verifier string) (models.Identity, error)
}

const (
	providerCookie = "levy_oidc"
	providerTime   = 10 * time.Minute // to sign in at the provider
	longestNext    = 1000
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

// readSignIn reads the cookie; false for one that is not ours, or over.
func (s *Server) readSignIn(r *http.Request) (begun providerSignIn, ok bool) {
	cookie, err := r.Cookie(providerCookie)
	if err != nil {
		return begun, false
	}
	content, seal, _ := strings.Cut(cookie.Value, ".")
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

// beginAtProvider sends a browser to the provider.
func (s *Server) beginAtProvider(c *gin.Context) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), responseTimeout)
	defer cancel()
	begun := providerSignIn{
		State: rand.Text(), Nonce: rand.Text(), Verifier: secret.NewToken(),
		Next: c.Query("next"), Ends: s.now().Add(providerTime),
	}
	if len(begun.Next) > longestNext {
		begun.Next = ""
	}
	at, err := s.deps.Provider.Begin(ctx, begun.State, begun.Nonce, begun.Verifier)
	if err != nil {
		s.refuseFromProvider(c, begun, err)
		return
	}
	s.keepSignIn(c, s.sealSignIn(begun), int(providerTime/time.Second))
	forward(c, at)
}

// keepSignIn sets the cookie; an age below zero deletes it.
func (s *Server) keepSignIn(c *gin.Context, value string, age int) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: providerCookie, Value: value, Path: ProviderPath, HttpOnly: true, Secure: s.callerOf(c).secure,
		SameSite: http.SameSiteLaxMode, MaxAge: age,
	})
}

// ownPath reports whether an address is a path of this service. Browsers read a backslash as a slash, and leave control
// characters out before they look for a host.
func ownPath(next string) bool {
	return strings.HasPrefix(next, "/") && !strings.HasPrefix(next, "//") && !strings.Contains(next, `\`) &&
		!strings.ContainsFunc(next, unicode.IsControl)
}

// forward sends a browser elsewhere; its parameters are neither kept nor passed on.
func forward(c *gin.Context, to string) {
	c.Header("Cache-Control", "no-store")
	c.Header("Referrer-Policy", "no-referrer")
	c.Redirect(http.StatusSeeOther, to)
}

// comeFromProvider begins the session of a person that comes back from the provider.
func (s *Server) comeFromProvider(c *gin.Context) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), responseTimeout)
	defer cancel()
	begun, ok := s.readSignIn(c.Request)
	s.keepSignIn(c, "", -1) // a code is for one try
	token, err := "", error(models.SignInTooLate)
	switch {
	case s.failures.Wait(s.peer(c)) > 0:
		err = models.SignInTooMany
	case ok && subtle.ConstantTimeCompare([]byte(c.Query("state")), []byte(begun.State)) == 1 && c.Query("error") != "":
		err = models.SignInDenied
	// guard: sign-in: whoever comes back began in this browser
	case ok && subtle.ConstantTimeCompare([]byte(c.Query("state")), []byte(begun.State)) == 1:
		token, err = s.enterByProvider(ctx, c.Query("code"), begun)
	}
	if err != nil {
		s.refuseFromProvider(c, begun, err)
		return
	}
	http.SetCookie(c.Writer, cookieOf(s.callerOf(c), token))
	next := begun.Next
	if !ownPath(next) {
		next = "/"
	}
	forward(c, next)
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

// refuseFromProvider shows the page to sign in, which says why that did not work.
func (s *Server) refuseFromProvider(c *gin.Context, begun providerSignIn, err error) {
	why := models.SignInUnavailable
	if !errors.As(err, &why) {
		s.log.ErrorContext(c.Request.Context(), "sign-in by the provider failed", "error", err.Error())
	} else {
		s.log.InfoContext(c.Request.Context(), "sign-in by the provider refused", "reason", string(why), "error", err.Error())
	}
	if why != models.SignInUnavailable && why != models.SignInDenied && why != models.SignInTooMany {
		s.failures.Add(s.peer(c))
	}
	forward(c, signInPage+"?"+url.Values{"refused": {string(why)}, "next": {begun.Next}}.Encode())
}
