package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/service"
)

// logAccess logs one line per request, without submitted text: the pattern of the route instead of the path,
// and no query, header or body.
func (s *Server) logAccess(c *gin.Context) {
	start := s.now()
	c.Next()
	call := service.Visible(c.Request.Context())
	took := s.now().Sub(start)
	if s.observe != nil {
		s.observe(knownMethod(c.Request.Method), c.FullPath(), c.Writer.Status(), took)
	}
	level := slog.LevelInfo
	if c.Writer.Status() >= http.StatusInternalServerError {
		level = slog.LevelWarn
	}
	s.log.LogAttrs(c.Request.Context(), level, "request",
		slog.String("method", knownMethod(c.Request.Method)),
		slog.String("route", c.FullPath()),
		slog.Int("status", c.Writer.Status()),
		slog.Duration("duration", took),
		slog.String("request_id", call.RequestID),
		slog.String("organization_id", call.OrganizationID),
		slog.String("api_key_id", call.APIKeyID),
		slog.String("user_id", call.UserID),
	)
}

// knownMethod returns a method of HTTP for the log, or "other" for an invented one.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete,
		http.MethodHead, http.MethodOptions, http.MethodPatch:
		return method
	}
	return "other"
}

// recover turns a panic into an internal error. The stack is logged.
func (s *Server) recover(c *gin.Context) {
	defer func() {
		reason := recover()
		if reason == nil {
			return
		}
		if reason == http.ErrAbortHandler { //nolint:errorlint // the exact value is the protocol of net/http
			panic(reason)
		}
		s.log.LogAttrs(c.Request.Context(), slog.LevelError, "panic in handler",
			slog.String("request_id", service.Visible(c.Request.Context()).RequestID),
			slog.String("route", c.FullPath()),
			slog.String("reason", fmt.Sprint(reason)),
			slog.String("stack", string(debug.Stack())),
		)
		if c.Writer.Written() {
			c.Abort()
			return
		}
		writeProblem(c, problem.New(problem.CodeInternalError, ""))
	}()
	c.Next()
}
