package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/models"
	"levy/service"
)

// AnsweringTime is the end of the time for an answer that is reserved to report that the work took too long.
const AnsweringTime = 2 * time.Second

// identify sets the request id and the headers of every answer.
func (s *Server) identify(c *gin.Context) {
	id := c.Request.Header.Get("X-Request-Id")
	if !acceptableRequestID(id) {
		id = models.NewID(models.PrefixRequest)
	}
	header := c.Writer.Header()
	header.Set("X-Request-Id", id)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if s.service.Draining() {
		header.Set("Connection", "close") // the next request goes to another process
	}
	if len(c.Request.TransferEncoding) > 0 || !c.Request.ProtoAtLeast(1, 1) {
		// A chunked request may have had a length in addition, which net/http drops. A proxy that used
		// that length would read what follows as another request. Of a request of HTTP/1.0 net/http drops the chunks
		// themselves.
		header.Set("Connection", "close")
	}
	c.Request = c.Request.WithContext(service.Begin(c.Request.Context(), id))
}

// acceptableRequestID reports whether a submitted request id may be used.
func acceptableRequestID(id string) bool {
	if len(id) < 1 || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		switch b := id[i]; {
		case b >= 'A' && b <= 'Z', b >= 'a' && b <= 'z', b >= '0' && b <= '9', b == '.', b == '_', b == '-':
		default:
			return false
		}
	}
	return true
}

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

// allowArrival extends the time in which a long request may arrive, and the time for the answer to a request
// with a body.
func allowArrival(c *gin.Context, limit time.Duration) {
	// A writer of a test has no deadlines.
	control := http.NewResponseController(c.Writer)
	if limit > RequestTimeout {
		_ = control.SetReadDeadline(time.Now().Add(limit))
	}
	if c.Request.ContentLength != 0 {
		_ = control.SetWriteDeadline(time.Now().Add(limit + AnsweringTime))
	}
}

// allowAnswer starts the time of the answer, because the request has arrived.
func allowAnswer(c *gin.Context, limit time.Duration, hasBody bool) {
	if hasBody || limit > responseTimeout {
		// A writer of a test has no deadlines.
		_ = http.NewResponseController(c.Writer).SetWriteDeadline(time.Now().Add(limit))
	}
}

// timed adds Server-Timing to every answer. No answer waits for the rest of its request.
func timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Err() != nil {
			panic(http.ErrAbortHandler) // the stream was reset before it was served
		}
		r, body := trackBody(r)
		next.ServeHTTP(&timedWriter{ResponseWriter: w, start: time.Now(), body: body}, r)
	})
}

type timedWriter struct {
	http.ResponseWriter
	start time.Time
	body  *requestBody
}

func (w *timedWriter) WriteHeader(status int) {
	ms := float64(time.Since(w.start).Microseconds()) / 1000
	w.Header().Set("Server-Timing", "app;dur="+strconv.FormatFloat(ms, 'f', -1, 64))
	w.body.drain(w.ResponseWriter)
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap gives http.ResponseController access to the connection.
func (w *timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends the written part of the answer.
func (w *timedWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }
