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

// SessionCookie carries the session of a person.
const SessionCookie = "levy_session"

// linkCookie carries the token of a link of an onboarding.
const linkCookie = "levy_onboarding"

// sessionCookie is the cookie of a session; an empty token deletes it.
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

// setSession writes the cookie of a session that a request has begun or ended.
func setSession(c *gin.Context, out *service.Outcome) {
	switch {
	case out.SessionBegun != "":
		http.SetCookie(c.Writer, sessionCookie(c.Request, out.SessionBegun))
	case out.SessionEnded:
		http.SetCookie(c.Writer, sessionCookie(c.Request, ""))
	}
}

// secureCookies reports whether the cookies of an answer need TLS: everywhere but on the machine itself.
func secureCookies(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	address, err := netip.ParseAddr(host)
	return host != "localhost" && (err != nil || !address.IsLoopback())
}

func safeMethod(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// sameOrigin reports whether a request says that it comes from a page of this service: by the
// metadata that browsers send, or where they send none, by its origin.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && origin.Host == r.Host
}
