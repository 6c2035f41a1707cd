package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"levy/internal/browser"
	"levy/models"
	"levy/service"
)

// setSession sets the cookie of a session that a request has begun or ended.
func setSession(c *gin.Context, out *service.Outcome) {
	switch {
	case out.SessionBegun != "":
		browser.SetSession(c.Writer, c.Request, out.SessionBegun, models.SessionLongest)
		if out.DeviceKnown != "" {
			http.SetCookie(c.Writer, browser.Device(c.Request, out.DeviceKnown, models.DeviceLasts))
		}
	case out.SessionEnded:
		browser.SetSession(c.Writer, c.Request, "", models.SessionLongest)
	}
}
