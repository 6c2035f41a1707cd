package service

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"levy/contract"
	"levy/contract/problem"
	"levy/service/internal/call"
)

// WithKey is the session with an idempotency key for its calls.
func (s *Session) WithKey(key string) *Session {
	keyed := *s
	keyed.key = key
	return &keyed
}

// WithFile is the session with a file for the upload of its calls.
func (s *Session) WithFile(file *contract.File) *Session {
	uploading := *s
	uploading.file = file
	return &uploading
}

// call carries out the operation for a caller inside this process. The request is encoded and checked like every other.
func (e endpoint[R, A]) call(ctx context.Context, s *Session, request R, out contract.Stream) (answer A, err error) {
	op := s.service.validator.byID[e.id]
	in, err := e.parts(&request).encode()
	if err != nil {
		return answer, fmt.Errorf("encode request of %s: %w", e.id, err)
	}
	in.Method, in.EscapedPath, in.Stream = op.Method, op.pathFor(in.Path), out
	if s.key != "" {
		in.Keys = []string{s.key}
	}
	end, err := s.receiveFile(ctx, op, in)
	defer end()
	if err != nil {
		return answer, err
	}
	if answer, err = e.run(ctx, s, in); err != nil || in.Out.Replay == nil {
		return answer, err
	}
	if len(in.Out.Replay.Body) == 0 {
		return answer, nil
	}
	return answer, contract.Decode(in.Out.Replay.Body, &answer)
}

// encode writes a request as it would arrive.
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
		if in.Query, err = queryOf(p.params); err != nil {
			return nil, err
		}
	}
	if p.body != nil {
		in.Body, err = contract.Encode(p.body)
	}
	return in, err
}

// queryOf writes the parameters that are set; lists are separated by commas.
func queryOf(params any) (string, error) {
	raw, err := contract.Encode(params)
	if err != nil {
		return "", err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return "", err
	}
	values := url.Values{}
	for name, field := range fields {
		var list []string
		var text string
		switch {
		case json.Unmarshal(field, &list) == nil:
			if len(list) > 0 {
				values.Set(name, strings.Join(list, ","))
			}
		case json.Unmarshal(field, &text) == nil:
			values.Set(name, text)
		default:
			values.Set(name, string(field))
		}
	}
	return values.Encode(), nil
}

// pathFor is the path of the operation with its parameters, escaped.
func (op *Operation) pathFor(path map[string]string) string {
	at := op.Path
	for _, name := range op.pathNames {
		at = strings.Replace(at, "{"+name+"}", url.PathEscape(path[name]), 1)
	}
	return at
}

// receiveFile takes the file of the session for an operation with an upload. end must be called when the operation has
// been carried out. Errors: those of storeUpload.
func (s *Session) receiveFile(ctx context.Context, op *Operation, in *Input) (end func(), err error) {
	end = func() {}
	if !op.hasFile() || s.file == nil {
		return end, nil
	}
	if err := s.AllowFile(ctx, op.ID, in.Path); err != nil {
		return end, err
	}
	if op.Upload {
		return s.service.ReceiveUpload(s.Context(ctx), s.file, op.BodyLimit, in)
	}
	in.Form = func() (*contract.File, *problem.Problem) { return CheckFile(s.file) }
	return end, nil
}
