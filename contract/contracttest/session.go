// Package contracttest fakes the operations of the contract for tests of their callers, such as pages.
package contracttest

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"levy/contract"
)

// Call is a call of an operation.
type Call struct {
	Operation    string // its id in the contract
	Method, Path string // the path has its parameters, escaped
	Query        string
	Body         []byte // in JSON; nil for none
	Organization string // see contract.CallerSession
	Form         string
	File         *contract.File
	Stream       contract.Stream // nil for an operation without one

	params, body any
}

// Answer answers a call. It sets the value to which into points, unless into is nil. It returns the refusal of the
// call.
type Answer func(ctx context.Context, call *Call, into any) error

// Session is a contract.CallerSession whose operations are answered by one function.
type Session struct {
	Answer
	organization, form string
	query              *string
	typed              []byte
	file               *contract.File
	outcome            *outcome
}

var _ contract.CallerSession = (*Session)(nil)

// NewSession returns a session whose operations are answered by a function.
func NewSession(answer Answer) *Session {
	return &Session{Answer: answer, outcome: &outcome{}}
}

// In returns the session for an organization. It never refuses. Like that of the service, it has no query, body or file.
func (s *Session) In(_ context.Context, organizationID string) contract.CallerSession {
	return s.with(func(s *Session) {
		s.organization = organizationID
		s.query, s.typed, s.file = nil, nil, nil
	})
}

// WithForm returns the session for a form.
func (s *Session) WithForm(key string) contract.CallerSession {
	return s.with(func(s *Session) { s.form = key })
}

// WithQuery returns the session for a request with a query.
func (s *Session) WithQuery(query string) contract.CallerSession {
	return s.with(func(s *Session) { s.query = &query })
}

// WithBody returns the session for a request with a body.
func (s *Session) WithBody(json []byte) contract.CallerSession {
	return s.with(func(s *Session) { s.typed = json })
}

// WithFile returns the session for an upload.
func (s *Session) WithFile(file *contract.File) contract.CallerSession {
	return s.with(func(s *Session) { s.file = file })
}

func (s *Session) with(set func(*Session)) *Session {
	other := *s
	set(&other)
	return &other
}

// Outcome returns the results as ChangeOutcome left them.
func (s *Session) Outcome() contract.Outcome {
	s.outcome.mu.Lock()
	defer s.outcome.mu.Unlock()
	return s.outcome.all
}

// ChangeOutcome changes the results of the operations that are not in their answers. A caller may call operations at once.
func (s *Session) ChangeOutcome(change func(*contract.Outcome)) {
	s.outcome.mu.Lock()
	defer s.outcome.mu.Unlock()
	change(&s.outcome.all)
}

type outcome struct {
	mu  sync.Mutex
	all contract.Outcome
}

// Context returns the context of a request.
func (s *Session) Context(ctx context.Context) context.Context { return ctx }

// Close does nothing.
func (s *Session) Close() {}

func (s *Session) call(ctx context.Context, call *Call, into any) (err error) {
	call.Organization, call.Form, call.File = s.organization, s.form, s.file
	if call.params != nil {
		if call.Query, err = contract.EncodeQuery(call.params); err != nil {
			return err
		}
	}
	if call.body != nil && s.typed == nil {
		if call.Body, err = contract.EncodeRequest(call.body); err != nil {
			return err
		}
	}
	if s.query != nil {
		call.Query = *s.query
	}
	if s.typed != nil {
		call.Body = s.typed
	}
	return s.Answer(ctx, call, into)
}

// path fills the parameters of a path.
func path(pattern string, params ...any) string {
	var b strings.Builder
	for _, param := range params {
		before, rest, _ := strings.Cut(pattern, "{")
		_, pattern, _ = strings.Cut(rest, "}")
		b.WriteString(before + url.PathEscape(fmt.Sprint(param)))
	}
	return b.String() + pattern
}
