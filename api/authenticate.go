package api

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/internal/browser"
	"levy/service"
)

// authenticate finds the caller of a request by its key, else by the session or the onboarding link of a browser.
// Errors: models.ErrUnauthenticated, *problem.Problem, models.ErrUnavailable.
func (s *Server) authenticate(c *gin.Context) (service.Caller, error) {
	ctx := c.Request.Context()
	if _, sent := c.Request.Header["X-Api-Key"]; !sent {
		if token, ok := browser.SessionOf(c.Request); ok {
			who, err := s.service.CallerBySession(ctx, peerOf(c), token)
			return who, cmp.Or(err, refuseOtherSites(c.Request, "With a session, only a page of this service may change "+
				"something: the request says that it comes from elsewhere, or not where from."))
		}
		if cookie, err := c.Request.Cookie(browser.LinkCookie); err == nil {
			who, err := s.service.CallerByLink(ctx, peerOf(c), cookie.Value)
			return who, cmp.Or(err, refuseOtherSites(c.Request,
				"With the link of an onboarding, only a page of this service may change something."))
		}
	}
	return s.service.CallerByKey(ctx, peerOf(c), keyOf(c))
}

// keyOf returns the submitted key; empty for none and for several.
func keyOf(c *gin.Context) string {
	values := c.Request.Header.Values("X-Api-Key")
	if len(values) != 1 {
		return ""
	}
	return values[0]
}

// organizationOf returns the submitted organization in the form of Enter: empty for no header, blank
// for a header without a value.
func organizationOf(c *gin.Context) string {
	values := c.Request.Header.Values("X-Organization-Id")
	if len(values) == 1 && values[0] == "" {
		return " "
	}
	return strings.Join(values, ",")
}

// refuseOtherSites refuses a change that a cookie authenticates and another site sends. Errors: *problem.Problem.
func refuseOtherSites(r *http.Request, detail string) error {
	if !browser.Changes(r) || browser.SameOrigin(r) {
		return nil
	}
	return problem.New(problem.CodeForbiddenForKey, detail)
}

// refuseSignInOfOtherSites refuses a sign-in that another site sends in a visitor's name. Errors: *problem.Problem.
func refuseSignInOfOtherSites(r *http.Request) error {
	fromPage := r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Origin") != ""
	if fromPage && !browser.SameOrigin(r) {
		return problem.New(problem.CodeForbiddenForKey, "Only a page of this service may sign in.")
	}
	return nil
}

// peerOf returns the origin of a request.
func peerOf(c *gin.Context) service.Peer {
	return service.Peer{
		Address: peerAddress(c), Port: peerPort(c), RequestID: c.Writer.Header().Get("X-Request-Id"),
		Device: browser.DeviceOf(c.Request), UserAgent: c.Request.UserAgent(),
	}
}

// peerAddress returns the address of the peer: that of the connection, or the one that trusted proxies report.
func peerAddress(c *gin.Context) string {
	if addr := c.ClientIP(); addr != "" {
		return net.JoinHostPort(addr, "0")
	}
	return c.Request.RemoteAddr
}

// peerPort returns the port of the peer; 0 where trusted proxies report its address, because they report no port.
func peerPort(c *gin.Context) int {
	at, err := netip.ParseAddrPort(c.Request.RemoteAddr)
	// guard: connections: the port of a proxy is not that of the client
	if err != nil || c.ClientIP() != c.RemoteIP() {
		return 0
	}
	return int(at.Port())
}

// notePeer records the peer of a mounted handler.
func notePeer(c *gin.Context) { service.NotePeer(c.Request.Context(), peerOf(c)) }
