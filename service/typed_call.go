package service

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
)

// In returns the session for another organization of the caller. All sessions together count as one call.
func (s *Session) In(ctx context.Context, organizationID string) contract.CallerSession {
	other := s.service.sessionOf(s.who)
	other.visitor, other.limits, other.form, other.outcome = s.visitor, s.limits, s.form, s.outcome
	other.named = organizationID != ""
	other.enterOrganization(ctx, organizationID)
	return other
}

// WithKey returns the session with an idempotency key for its calls.
func (s *Session) WithKey(key string) *Session {
	return s.with(func(s *Session) { s.key = key })
}

// WithForm returns the session for a form. Each write about an organization gets an idempotency key that follows
// from the key of the form and the request. A form may therefore make several calls, and another input is another
// request.
func (s *Session) WithForm(key string) contract.CallerSession {
	return s.with(func(s *Session) { s.form = key })
}

// WithQuery returns the session for a request with a query.
func (s *Session) WithQuery(query string) contract.CallerSession {
	return s.with(func(s *Session) { s.query = &query })
}

// WithBody returns the session for a request with a body in JSON.
func (s *Session) WithBody(json []byte) contract.CallerSession {
	return s.with(func(s *Session) { s.body = json })
}

// WithFile returns the session for an upload.
func (s *Session) WithFile(file *contract.File) contract.CallerSession {
	return s.with(func(s *Session) { s.file = file })
}

func (s *Session) with(set func(*Session)) *Session {
	other := *s
	other.close = func() {}
	set(&other)
	return &other
}

// Outcome returns the parts of the results that are not in the answers of the typed calls.
func (s *Session) Outcome() contract.Outcome {
	s.outcome.mu.Lock()
	defer s.outcome.mu.Unlock()
	return s.outcome.all
}

// sharedOutcome has the results of all calls of a session, which may be carried out at once.
type sharedOutcome struct {
	mu  sync.Mutex
	all contract.Outcome
}

// add adds the results of a call.
func (o *sharedOutcome) add(call *call.Outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all.SessionBegun = cmp.Or(call.SessionBegun, o.all.SessionBegun)
	o.all.DeviceKnown = cmp.Or(call.DeviceKnown, o.all.DeviceKnown)
	o.all.SessionEnded = o.all.SessionEnded || call.SessionEnded
	o.all.Replayed = o.all.Replayed || call.Replay != nil
}

// call carries out the operation for a caller in this process. It encodes and checks the request like every other.
func (e endpoint[R, A]) call(ctx context.Context, s *Session, request R, out contract.Stream) (answer A, err error) {
	op := s.service.validator.byID[e.id]
	if err := s.admits(op); err != nil {
		return answer, err
	}
	parts := e.parts(&request)
	if s.body != nil {
		parts.body = nil // replaced by the body of the session
	}
	in, err := parts.encode()
	if err != nil {
		return answer, fmt.Errorf("encode request of %s: %w", e.id, err)
	}
	in.Method, in.EscapedPath, in.Stream = op.Method, op.pathFor(in.Path), out
	if s.query != nil {
		in.Query = *s.query
	}
	if s.body != nil {
		in.Body = s.body
	}
	if err := op.boundBody(in.Body); err != nil {
		return answer, err
	}
	if key := s.keyFor(op, in); key != "" {
		in.Keys = []string{key}
	}
	end, err := s.receiveFile(ctx, op, in)
	defer end()
	if err != nil {
		return answer, err
	}
	if answer, err = e.run(ctx, s, in); err != nil {
		return answer, err
	}
	s.outcome.add(in.Out)
	switch {
	case in.Out.Replay != nil:
		if len(in.Out.Replay.Body) > 0 {
			err = contract.Decode(in.Out.Replay.Body, &answer)
		}
	case in.Out.Parts != nil:
		err = s.readParts(ctx, in.Out.Parts, &answer)
	}
	return answer, err
}

// keyFor returns the idempotency key of a call; empty for none.
func (s *Session) keyFor(op *Operation, in *Input) string {
	if s.form == "" || !s.named || op.once == onceIgnored {
		return s.key
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s?%s\x00%s", s.form, op.Method, in.EscapedPath, in.Query, in.Body))
	return hex.EncodeToString(sum[:])
}

// readParts adds the items to a page, which HTTP writes part by part.
func (s *Session) readParts(ctx context.Context, parts PartWriter, answer any) error {
	shell, err := contract.Encode(answer)
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(shell, []byte("]")) // the items are the first list of an answer
	whole := bytes.NewBuffer(bytes.Clone(before))
	to := bufio.NewWriter(whole)
	if err := parts(s.Context(ctx), to); err != nil {
		return err
	}
	_ = to.Flush() // memory never fails
	whole.WriteByte(']')
	whole.Write(after)
	return contract.Decode(whole.Bytes(), answer)
}

// encode returns a request in the form in which it would arrive.
func (p requestParts) encode() (*Input, error) {
	in := &Input{Out: &call.Outcome{}}
	if p.path != nil {
		in.Path = make(map[string]string, len(p.path))
		for name, value := range p.path {
			in.Path[name] = *value
		}
	}
	var err error
	if p.params != nil {
		if in.Query, err = contract.EncodeQuery(p.params); err != nil {
			return nil, err
		}
	}
	if p.body != nil {
		in.Body, err = contract.EncodeRequest(p.body)
	}
	return in, err
}

// pathFor returns the path of the operation with its escaped parameters.
func (op *Operation) pathFor(path map[string]string) string {
	at := op.Path
	for _, name := range op.pathNames {
		at = strings.Replace(at, "{"+name+"}", url.PathEscape(path[name]), 1)
	}
	return at
}

// receiveFile adds the file of the session to an operation with an upload. The caller calls end after the operation.
// Errors: those of StoreUpload, *problem.Problem for a session without a file.
func (s *Session) receiveFile(ctx context.Context, op *Operation, in *Input) (end func(), err error) {
	end = func() {}
	if !op.hasFile() {
		return end, nil
	}
	if err := s.AllowFile(ctx, op.ID, in.Path); err != nil {
		return end, err
	}
	if s.file == nil {
		return end, problem.New(problem.CodeUnsupportedMediaType, "")
	}
	if op.Upload {
		return s.service.ReceiveUpload(s.Context(ctx), s.file, op.BodyLimit, in)
	}
	end, ok := s.service.documents.TryAcquire(s.call.Partner(), s.call.Scope.OrganizationID, op.BodyLimit)
	if !ok {
		return func() {}, problem.New(problem.CodeServiceUnavailable, "Too many large bodies are under way.")
	}
	file := *s.file
	content, err := io.ReadAll(io.LimitReader(s.file.Content, op.BodyLimit+1))
	if err != nil {
		return end, problem.New(problem.CodeInvalidJSON, "The body could not be read to its end.")
	}
	file.Content = bytes.NewBuffer(content)
	sum := sha256.Sum256(content)
	in.Body = fmt.Appendf(nil, "%s\x00%s\x00%x", file.Name, file.Type, sum) // an idempotency key is bound to it
	in.Form = func() (*contract.File, *problem.Problem) {
		if len(content) == 0 {
			return RefusedForm(models.FieldMissing, FileField, "file is required.")
		}
		return CheckFile(&file)
	}
	return end, op.boundBody(content)
}

// boundBody checks the size of a body against the limit of the operation. Errors: *problem.Problem.
func (op *Operation) boundBody(body []byte) error {
	if int64(len(body)) > op.BodyLimit {
		return problem.New(problem.CodePayloadTooLarge, "").With("limit_bytes", op.BodyLimit)
	}
	return nil
}
