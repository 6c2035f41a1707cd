package api

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"levy/service"
)

// Route is the route of an operation of the contract.
type Route struct {
	Method    string // HTTP method
	Path      string // in Gin's notation, such as /v1/products/:product_id
	Operation string // operationId of the contract
}

// ContractRoutes lists the routes of the contract in its order.
func ContractRoutes() []Route { return routes }

// headerIgnored is the header with the names of ignored fields of the body.
const headerIgnored = "Levy-Ignored-Fields"

// serveOperation reads a request, carries out its operation and writes the answer. The order of the checks is that
// of the contract: caller, quota, organization, media type and size of the body, then those of the operation.
func (s *Server) serveOperation(c *gin.Context, op *service.Operation) {
	who, err := s.callerOf(c, op)
	if err != nil {
		s.fail(c, err)
		return
	}
	session, err := s.service.Enter(c.Request.Context(), who, op.ID, organizationOf(c))
	defer session.Close() //nolint:staticcheck // Enter returns a session with an error, too: it has the limits
	c.Request = c.Request.WithContext(session.Context(c.Request.Context()))
	writeLimits(c.Writer.Header(), session.Limits())
	if err != nil {
		s.fail(c, err)
		return
	}
	in := &service.Input{
		Method: c.Request.Method, EscapedPath: c.Request.URL.EscapedPath(), Path: pathOf(c), Query: c.Request.URL.RawQuery,
		Untyped: contentTypeMissing(c), Keys: c.Request.Header["Idempotency-Key"], Out: &service.Outcome{},
	}
	allowArrival(c, op.Timeout)
	if err := session.AllowFile(c.Request.Context(), op.ID, in.Path); err != nil {
		s.fail(c, err)
		return
	}
	done, err := s.readInput(c, op, in)
	defer done()
	if err != nil {
		s.fail(c, err)
		return
	}
	if op.Stream {
		out := s.newStream(c, http.StatusOK)
		defer out.End()
		in.Stream = out
		_, err := session.Serve(c.Request.Context(), op.ID, in)
		s.endStream(c, out, err)
		return
	}
	allowAnswer(c, op.Timeout, len(in.Body) > 0)
	answer, err := session.Serve(c.Request.Context(), op.ID, in)
	s.writeAnswer(c, op, in.Out, answer, err)
}

// callerOf authenticates the caller of an operation. It returns a visitor for an operation that needs no caller.
func (s *Server) callerOf(c *gin.Context, op *service.Operation) (service.Caller, error) {
	switch {
	case op.Rule.Public:
		return service.Visitor(peerOf(c)), nil
	case op.Rule.SignIn:
		return service.Visitor(peerOf(c)), refuseSignInOfOtherSites(c.Request)
	}
	return s.authenticate(c)
}

func pathOf(c *gin.Context) map[string]string {
	if len(c.Params) == 0 {
		return nil
	}
	path := make(map[string]string, len(c.Params))
	for _, p := range c.Params {
		path[p.Key] = p.Value
	}
	return path
}

// writeAnswer writes the answer of an operation or its error, and the headers of its outcome.
func (s *Server) writeAnswer(c *gin.Context, op *service.Operation, out *service.Outcome, answer any, err error) {
	header := c.Writer.Header()
	if out.Replay != nil {
		header.Set("Idempotency-Replayed", "true")
		writeRaw(c, out.Replay.Status, out.Replay.Body)
		return
	}
	if out.Ignored != "" {
		header.Set(headerIgnored, out.Ignored)
	}
	announce(header, out.Deprecated)
	if err != nil {
		s.fail(c, err)
		return
	}
	setSession(c, out)
	if out.Total != nil {
		header.Set("X-Total-Count", strconv.FormatInt(*out.Total, 10))
	}
	if out.Next != nil {
		header.Set("X-Next-Cursor", *out.Next)
	}
	switch {
	case out.Parts != nil:
		s.answerInParts(c, op.Status, answer, out.Parts)
	case out.Encoded != nil:
		writeRaw(c, op.Status, out.Encoded)
	default:
		writeJSON(c, op.Status, answer)
	}
}

// writeRaw writes encoded JSON, or an answer without a body if it is empty.
func writeRaw(c *gin.Context, status int, body []byte) {
	if len(body) == 0 {
		c.Status(status)
		c.Writer.WriteHeaderNow()
		return
	}
	c.Writer.Header().Set("Content-Type", contentTypeJSON)
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(body) // the client has disconnected
}
