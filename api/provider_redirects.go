package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/gin-gonic/gin"

	"levy/internal/browser"
	"levy/models"
	"levy/service"
)

// signInPage is the page to sign in, which also displays the reason of a failed sign-in.
const signInPage = "/sign-in"

// providerCookie is the cookie of a sign-in at the provider.
const providerCookie = "levy_oidc"

// beginAtProvider redirects a browser to the provider.
func (s *Server) beginAtProvider(c *gin.Context) {
	notePeer(c)
	ctx, cancel := context.WithTimeout(c.Request.Context(), responseTimeout)
	defer cancel()
	begun, at, err := s.service.BeginSignIn(ctx, c.Query("next"), c.Query("again") != "")
	if err != nil {
		s.refuseFromProvider(c, begun, err)
		return
	}
	keepSignIn(c, s.service.SealSignIn(begun), int(service.ProviderTime/time.Second))
	forward(c, at)
}

// keepSignIn sets the cookie. An age below zero deletes it.
func keepSignIn(c *gin.Context, value string, age int) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: providerCookie, Value: value, Path: service.ProviderPath, HttpOnly: true, Secure: browser.Secure(c.Request),
		SameSite: http.SameSiteLaxMode, MaxAge: age,
	})
}

// ownPath reports whether an address is a path of this service. Browsers read a backslash as a slash,
// and drop control characters before they look for a host.
func ownPath(next string) bool {
	return strings.HasPrefix(next, "/") && !strings.HasPrefix(next, "//") && !strings.Contains(next, `\`) &&
		!strings.ContainsFunc(next, unicode.IsControl)
}

// forward redirects a browser. Its parameters are neither stored nor passed on.
func forward(c *gin.Context, to string) {
	c.Header("Cache-Control", "no-store")
	c.Header("Referrer-Policy", "no-referrer")
	c.Redirect(http.StatusSeeOther, to)
}

// returnFromProvider begins the session of a person who returns from the provider.
func (s *Server) returnFromProvider(c *gin.Context) {
	notePeer(c)
	ctx, cancel := context.WithTimeout(c.Request.Context(), responseTimeout)
	defer cancel()
	var begun service.ProviderSignIn
	ok := false
	if cookie, err := c.Request.Cookie(providerCookie); err == nil {
		begun, ok = s.service.ReadSignIn(cookie.Value)
	}
	keepSignIn(c, "", -1) // a code is valid once
	back := service.ProviderCallback{State: c.Query("state"), Failure: c.Query("error"), Code: c.Query("code")}
	back.Session, _ = browser.SessionOf(c.Request)
	token, err := s.service.EndSignIn(ctx, begun, ok, back)
	if err != nil {
		s.refuseFromProvider(c, begun, err)
		return
	}
	if token != "" {
		browser.SetSession(c.Writer, c.Request, token, models.SessionLongest)
	}
	next := begun.Next
	if !ownPath(next) {
		next = "/"
	}
	forward(c, next)
}

// refuseFromProvider redirects to the page to sign in with the reason of the failure.
func (s *Server) refuseFromProvider(c *gin.Context, begun service.ProviderSignIn, err error) {
	why := s.service.RefusedSignIn(c.Request.Context(), err)
	forward(c, signInPage+"?"+url.Values{"refused": {string(why)}, "next": {begun.Next}}.Encode())
}
