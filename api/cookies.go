package api

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"levy/models"
	"levy/service"
)

// SessionCookie is the cookie with the session of a person.
const SessionCookie = "levy_session"

// linkCookie is the cookie with the token of an onboarding link.
const linkCookie = "levy_onboarding"

// sessionCookie returns the cookie of a session. An empty token deletes it.
func sessionCookie(r *http.Request, token string) *http.Cookie {
	cookie := &http.Cookie{
		Name: SessionCookie, Value: token, Path: "/", HttpOnly: true, Secure: secureCookies(r), SameSite: http.SameSiteLaxMode,
		MaxAge: int(models.SessionLongest / time.Second),
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	return cookie
}

// setSession sets the cookie of a session that a request has begun or ended.
func setSession(c *gin.Context, out *service.Outcome) {
	switch {
	case out.SessionBegun != "":
		http.SetCookie(c.Writer, sessionCookie(c.Request, out.SessionBegun))
	case out.SessionEnded:
		http.SetCookie(c.Writer, sessionCookie(c.Request, ""))
	}
}

// secureCookies reports whether the cookies of an answer need TLS. They need it unless the client is
// on the same machine.
func secureCookies(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	address, err := netip.ParseAddr(host)
	return host != "localhost" && (err != nil || !address.IsLoopback())
}

// safeMethod reports whether a method changes nothing.
func safeMethod(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// sameOrigin reports whether a request comes from a page of this service: by the metadata of the browser, else
// by its origin.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && origin.Host == r.Host
}
