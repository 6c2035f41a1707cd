package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
)

// problemKey is the key under which writeProblem leaves the problem in the context of the request.
type problemKey struct{}

// problemOf is the problem with which a request was answered, nil for none.
func problemOf(c *gin.Context) *problem.Problem {
	value, _ := c.Get(problemKey{})
	written, _ := value.(*problem.Problem)
	return written
}

// writeProblem answers with a problem and ends the request. An unknown code is answered as an internal error.
func writeProblem(c *gin.Context, p *problem.Problem) {
	entry, known := problem.Table[p.Code]
	if !known {
		p = &problem.Problem{Code: problem.CodeInternalError}
		entry = problem.Table[problem.CodeInternalError]
	}
	header := c.Writer.Header()
	if after := max(p.RetryAfter, entry.RetryAfter); after > 0 {
		header.Set("Retry-After", strconv.Itoa(after))
	}
	if entry.Status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", `ApiKey realm="levy"`)
	}
	if entry.Close {
		header.Set("Connection", "close")
	}
	c.Set(problemKey{}, p)
	c.Abort()
	raw, err := p.Body(c.Request.URL.EscapedPath(), c.Writer.Header().Get("X-Request-Id"))
	if err != nil {
		_ = c.Error(fmt.Errorf("encode problem: %w", err))
		c.AbortWithStatus(http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", problem.ContentType)
	header.Set("Content-Length", strconv.Itoa(len(raw)))
	c.Writer.WriteHeader(entry.Status)
	_, _ = c.Writer.Write(raw) // the client has disconnected
}

// afterRefusal lets the step of an onboarding remember why a call was refused.
func (s *Server) afterRefusal(step int, rule accessRule) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Next()
		if err := s.rememberRefusal(c.Request.Context(), step, rule, problemOf(c)); err != nil {
			s.note(c, slog.LevelWarn, "refusal of a step not noted", err)
		}
	}
}
