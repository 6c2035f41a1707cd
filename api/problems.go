package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/service"
)

// writeProblem answers with a problem and ends the request. An unknown code becomes an internal error.
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
	c.Abort()
	raw, err := p.Body(c.Request.URL.EscapedPath(), c.Writer.Header().Get("X-Request-Id"))
	if err != nil {
		_ = c.Error(fmt.Errorf("encode problem: %w", err))
		c.AbortWithStatus(http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", problemType(c.Request.Header))
	header.Set("Content-Length", strconv.Itoa(len(raw)))
	c.Writer.WriteHeader(entry.Status)
	_, _ = c.Writer.Write(raw) // the client has disconnected
}

// problemType returns the media type of a problem. A client that names application/json alone gets that.
func problemType(header http.Header) string {
	if accepts(header, "application/json") && !accepts(header, "application/problem+json") {
		return contentTypeJSON
	}
	return problem.ContentType
}

// fail answers with the problem of an error. An error without a code in the contract is a defect: it is logged,
// and the client gets the request id.
func (s *Server) fail(c *gin.Context, err error) {
	p := service.ProblemOf(c.Request.Context(), err)
	if p == nil {
		s.note(c, slog.LevelError, "internal error", err)
		p = problem.New(problem.CodeInternalError, "")
	} else if problem.StatusOf(p.Code) >= 500 {
		s.note(c, slog.LevelWarn, "request not served", err)
	}
	writeProblem(c, p)
}

// note logs an error of a request.
func (s *Server) note(c *gin.Context, level slog.Level, message string, err error) {
	s.log.LogAttrs(c.Request.Context(), level, message,
		slog.String("request_id", service.Visible(c.Request.Context()).RequestID),
		slog.String("route", c.FullPath()),
		slog.String("error", err.Error()),
	)
}
