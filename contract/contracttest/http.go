package contracttest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"levy/contract"
)

// OverHTTP returns a session whose operations are answered by a handler, as requests of the contract.
// refuse returns the error for an answer that is a problem.
func OverHTTP(handler http.Handler, refuse func(status int, problem []byte) error) *Session {
	s := NewSession(nil)
	s.Answer = func(ctx context.Context, call *Call, into any) error {
		request, err := call.request(ctx)
		if err != nil {
			return err
		}
		answer := &recorder{header: http.Header{}, status: http.StatusOK, stream: call.Stream}
		handler.ServeHTTP(answer, request)
		if answer.status >= http.StatusBadRequest {
			return refuse(answer.status, answer.body.Bytes())
		}
		s.ChangeOutcome(func(outcome *contract.Outcome) {
			outcome.Replayed = outcome.Replayed || answer.header.Get("Idempotency-Replayed") != ""
			for _, cookie := range (&http.Response{Header: answer.header}).Cookies() {
				if strings.HasSuffix(cookie.Name, "levy_session") {
					outcome.SessionBegun, outcome.SessionEnded = cookie.Value, cookie.MaxAge < 0
				}
			}
		})
		if into == nil || answer.body.Len() == 0 {
			return nil
		}
		// An example may refer to another one and replace some of its members.
		return json.Unmarshal(answer.body.Bytes(), into, jsontext.AllowDuplicateNames(true))
	}
	return s
}

// request is a call as a client would send it.
func (c *Call) request(ctx context.Context) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if c.Body != nil {
		body = bytes.NewReader(c.Body)
	}
	target := c.Path
	if c.Query != "" {
		target += "?" + c.Query
	}
	r, err := http.NewRequestWithContext(ctx, c.Method, target, body)
	if err != nil {
		return nil, err
	}
	r.RequestURI = target
	if c.Body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.File != nil {
		r.Body, r.ContentLength = io.NopCloser(c.File.Content), -1
		r.Header.Set("Content-Type", c.File.Type)
	}
	if c.Organization != "" {
		r.Header.Set("x-organization-id", c.Organization)
	}
	if c.Form != "" && c.Method != http.MethodGet && c.Organization != "" {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s\x00%s", c.Form, c.Method, target, c.Body))
		r.Header.Set("Idempotency-Key", hex.EncodeToString(sum[:]))
	}
	return r, nil
}

// recorder is a ResponseWriter that stores an answer, or passes it to a stream unless it is a problem.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
	stream contract.Stream
	begun  bool
}

func (r *recorder) Header() http.Header    { return r.header }
func (r *recorder) WriteHeader(status int) { r.status = status }

func (r *recorder) Write(part []byte) (int, error) {
	if r.stream == nil || r.status >= http.StatusBadRequest {
		return r.body.Write(part)
	}
	if !r.begun {
		r.begun = true
		_, named, _ := mime.ParseMediaType(r.header.Get("Content-Disposition"))
		r.stream.Begin(contract.Content{Type: r.header.Get("Content-Type"), Name: named["filename"]})
	}
	return r.stream.Write(part)
}

func (r *recorder) Flush() {
	if r.begun {
		r.stream.Flush()
	}
}
