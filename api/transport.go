package api

import (
	"strings"

	"github.com/gin-gonic/gin"

	"levy/internal/browser"
)

// strictTransport tells browsers for a year to come back by TLS alone: RFC 6797.
const strictTransport = "max-age=31536000"

// requireTLS sets Strict-Transport-Security on answers to requests that came by TLS, also by that of a proxy. On the same
// machine there is no TLS.
func requireTLS(c *gin.Context) {
	byTLS := c.Request.TLS != nil || strings.EqualFold(c.GetHeader("X-Forwarded-Proto"), "https")
	// guard: cookies: browsers come back by TLS
	if byTLS && browser.Secure(c.Request) {
		c.Header("Strict-Transport-Security", strictTransport)
	}
}
