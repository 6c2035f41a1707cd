package api

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"levy/service"
)

// allowArrival extends the time in which a long request may arrive, and the time for the answer to a request
// with a body.
func allowArrival(c *gin.Context, limit time.Duration) {
	// A writer of a test has no deadlines.
	control := http.NewResponseController(c.Writer)
	if limit > RequestTimeout {
		_ = control.SetReadDeadline(time.Now().Add(limit))
	}
	if c.Request.ContentLength != 0 {
		_ = control.SetWriteDeadline(time.Now().Add(limit + service.AnsweringTime))
	}
}

// allowAnswer starts the time of the answer, because the request has arrived.
func allowAnswer(c *gin.Context, limit time.Duration, hasBody bool) {
	if hasBody || limit > responseTimeout {
		// A writer of a test has no deadlines.
		_ = http.NewResponseController(c.Writer).SetWriteDeadline(time.Now().Add(limit))
	}
}
