package api

import (
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/pace"
	"levy/service"
	"levy/service/limit"
)

// largeBodies are the bytes of bodies above service.DefaultBodyLimit in memory. The number of calls bounds smaller
// bodies.
var largeBodies = limit.Sizes{Total: 96 << 20, Partner: 64 << 20, Alone: 80 << 20, Organization: 20 << 20}

// errBusy means that other bodies use up the quota.
var errBusy = errors.New("too many large bodies are under way")

// readInput reads the body of an operation. It checks content type and encoding and reads up to the limit.
// The caller calls done after the request. Errors: *problem.Problem, and those of the records.
func (s *Server) readInput(c *gin.Context, op *service.Operation, in *service.Input) (done func(), err error) {
	done = func() {}
	if op.Upload {
		return s.receive(c, op.BodyLimit, in)
	}
	boundary := boundaryOf(c.Request.Header)
	if op.Form {
		in.Form = func() (*contract.File, *problem.Problem) { return readForm(boundary, in.Body) }
	}
	if !op.Request.HasBody() && !op.Form || c.Request.Body == nil || c.Request.Body == http.NoBody {
		return done, nil
	}
	if !acceptableEncoding(c.Request.Header) || op.Form && boundary == "" ||
		!op.Form && !acceptableMedia(c.Request.Header) {
		return done, problem.New(problem.CodeUnsupportedMediaType, "")
	}
	if in.Body, done, err = s.readBody(c.Request, s.paced(c, op.Timeout), op.BodyLimit); err != nil {
		return done, readProblem(err, op.BodyLimit)
	}
	return done, nil
}

// paced returns the body of a request, which arrives at the least rate if it is large. A smaller one has the time of one
// window, as the connection says.
func (s *Server) paced(c *gin.Context, window time.Duration) io.Reader {
	if size := c.Request.ContentLength; size >= 0 && size <= pace.Bytes(window) {
		return c.Request.Body
	}
	control := http.NewResponseController(c.Writer)
	return pace.NewReader(c.Request.Body, control, window, service.AnsweringTime, s.now)
}

// readBody reads the body of a request from a reader. A large body counts for the organization and its partner until release. A body
// without an announced size counts with the full limit once it turns out to be large.
func (s *Server) readBody(
	r *http.Request, from io.Reader, most int64,
) (body []byte, release func(), err error) {
	who := service.Visible(r.Context())
	size, nothing := r.ContentLength, func() {}
	switch {
	case size > most:
		return nil, nothing, errTooLarge
	case size < 0:
		body, err = readAll(nil, from, min(most, service.DefaultBodyLimit))
		if !errors.Is(err, errTooLarge) || most <= service.DefaultBodyLimit {
			return body, nothing, err
		}
		size = most
	}
	release = nothing
	if size > service.DefaultBodyLimit {
		var ok bool
		if release, ok = s.bodies.TryAcquire(who.Partner, who.OrganizationID, size); !ok {
			return nil, nothing, errBusy
		}
	}
	if body == nil {
		body = make([]byte, 0, size+1) // one byte more finds the end without growing
	}
	body, err = readAll(body, from, most)
	return body, release, err
}

var errTooLarge = errors.New("body too large")

// readAll reads the rest of a body after its beginning. Errors: errTooLarge for a body above the limit, those
// of the reader.
func readAll(body []byte, from io.Reader, limit int64) ([]byte, error) {
	for {
		if len(body) == cap(body) {
			body = slices.Grow(body, max(4096, len(body)/4))
		}
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return body, errTooLarge
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, err
		}
	}
}

// readProblem returns the problem of an error of readBody.
func readProblem(err error, limit int64) *problem.Problem {
	var timeout net.Error
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errTooLarge), errors.As(err, &tooLarge):
		return problem.New(problem.CodePayloadTooLarge, "").With("limit_bytes", limit)
	case errors.Is(err, errBusy):
		return problem.New(problem.CodeServiceUnavailable, "Too many large bodies are under way.")
	case errors.As(err, &timeout) && timeout.Timeout():
		return problem.New(problem.CodeRequestTimeout, "")
	default:
		return problem.New(problem.CodeInvalidJSON, "The body could not be read to its end.")
	}
}

// acceptableEncoding reports whether a body is not compressed.
func acceptableEncoding(h http.Header) bool {
	for _, encoding := range h.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return false
		}
	}
	return true
}

// acceptableMedia reports whether a body may be JSON in UTF-8. Without a type the body itself decides.
func acceptableMedia(h http.Header) bool {
	types := h.Values("Content-Type")
	switch {
	case len(types) == 0:
		return true
	case len(types) > 1:
		return false
	case types[0] == "application/json" || types[0] == "":
		return true
	}
	media, params, err := mime.ParseMediaType(types[0])
	if err != nil || media != "application/json" {
		return false
	}
	charset, given := params["charset"]
	return !given || strings.EqualFold(charset, "utf-8")
}

func contentTypeMissing(c *gin.Context) bool { return c.Request.Header.Get("Content-Type") == "" }
