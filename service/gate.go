package service

import (
	"context"
	"fmt"
	"strings"

	"levy/contract"
	"levy/contract/problem"
	"levy/service/internal/call"
)

// Input is a request as it arrived. The gate validates it and binds the idempotency key to it.
type Input struct {
	Method      string
	EscapedPath string // as submitted: an idempotency key is bound to it
	Path        map[string]string
	Query       string
	Body        []byte
	Untyped     bool     // the body came without a media type
	Keys        []string // values of Idempotency-Key; nil for none
	Stream      contract.Stream
	upload      *call.StoredUpload
	Form        func() (*contract.File, *problem.Problem) // reads the file of a form out of the body
	Out         *call.Outcome
}

// Key returns the idempotency key, or an empty text if the request has none.
func (in *Input) Key() string { return strings.Join(in.Keys, ",") }

// endpoint is an operation of the contract, with its request and its answer.
type endpoint[R, A any] struct {
	id    string
	parts func(*R) requestParts
	do    func(o contract.Operations, ctx context.Context, request R, out contract.Stream) (A, error)
}

// requestParts are pointers to the fields of a request.
type requestParts struct {
	path         map[string]*string
	params, body any // nil for none
}

// run checks a request and carries out its operation. The order is: deadline, slot of concurrency, order of writes,
// idempotency key, contract, access, audit of reads. Errors: *problem.Problem, and those of the operation.
func (e endpoint[R, A]) run(ctx context.Context, s *Session, in *Input) (answer A, err error) {
	op := s.service.validator.byID[e.id]
	if err := s.admits(op); err != nil {
		return answer, err
	}
	c := s.call
	c.Outcome, c.Upload = in.Out, in.upload
	ctx = s.within(ctx, &c)
	if !op.Stream { // a stream bounds itself
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, op.Timeout-AnsweringTime)
		defer cancel()
	}
	endReading, err := s.service.acquireSlot(ctx, &c, op, len(in.Body))
	if err != nil {
		return answer, err
	}
	defer endReading()
	release, err := s.service.orderWrites(ctx, &c, op, in)
	if err != nil {
		return answer, err
	}
	defer release()
	return once(ctx, s, op, in, func(ctx context.Context) (answer A, err error) {
		defer func() { s.service.recordRefusal(ctx, op, err) }()
		var request R
		end, err := s.service.Validate(ctx, op, in, e.parts(&request))
		defer end()
		if err != nil {
			return answer, err
		}
		if op.once != onceIgnored {
			endReading()
		}
		if err := s.service.allow(ctx, op, in.Path, &request); err != nil {
			return answer, err
		}
		if err := s.service.auditRead(ctx, op, in); err != nil {
			return answer, err
		}
		if answer, err = e.do(s.service.operations, ctx, request, in.Stream); err == nil {
			reportImmutable(in, op, answer)
		}
		return answer, err
	})
}

// serve carries out the operation for a door that passes the request on as it arrived.
// The answer is nil if the operation has none.
func (e endpoint[R, A]) serve(ctx context.Context, s *Session, in *Input) (any, error) {
	answer, err := e.run(ctx, s, in)
	if _, empty := any(answer).(none); empty || err != nil {
		return nil, err
	}
	return answer, nil
}

// as returns the operation under the id of another path.
func (e endpoint[R, A]) as(alias string) endpoint[R, A] {
	e.id = alias
	return e
}

// none is the answer of an operation whose answers have no body.
type none struct{}

// withoutAnswer, withAnswer and streaming adapt operations to one signature.
func withoutAnswer[R any](
	do func(contract.Operations, context.Context, R) error,
) func(contract.Operations, context.Context, R, contract.Stream) (none, error) {
	return func(o contract.Operations, ctx context.Context, request R, _ contract.Stream) (none, error) {
		return none{}, do(o, ctx, request)
	}
}

func withAnswer[R, A any](
	do func(contract.Operations, context.Context, R) (A, error),
) func(contract.Operations, context.Context, R, contract.Stream) (A, error) {
	return func(o contract.Operations, ctx context.Context, request R, _ contract.Stream) (A, error) {
		return do(o, ctx, request)
	}
}

func streaming[R any](
	do func(contract.Operations, context.Context, R, contract.Stream) error,
) func(contract.Operations, context.Context, R, contract.Stream) (none, error) {
	return func(o contract.Operations, ctx context.Context, request R, out contract.Stream) (none, error) {
		return none{}, do(o, ctx, request, out)
	}
}

// Validate checks all fields and parameters of an input against the contract and decodes them into the parts of the
// request. The caller calls end when it no longer uses the request. Errors: *problem.Problem.
func (s *Service) Validate(ctx context.Context, op *Operation, in *Input, into requestParts) (end func(), err error) {
	c := call.Of(ctx)
	run := s.validator.checker.Begin(s.now())
	end = func() { s.validator.checker.End(run) }
	possible := op.Request.Possible(func(name string) string { return in.Path[name] })
	if possible {
		c.Path = in.Path
	}
	refusal := run.Check(ctx, op.Request, in.Body, in.Query, in.Untyped)
	in.Out.Ignored = run.Ignored()
	in.Out.Deprecated = append([]string(nil), run.Deprecated()...)
	if refusal == nil && op.Form {
		if in.Form == nil {
			refusal = problem.New(problem.CodeUnsupportedMediaType, "")
		} else {
			c.File, refusal = in.Form()
		}
	}
	switch {
	case refusal != nil:
		return end, refusal
	case !possible:
		return end, problem.New(problem.CodeResourceNotFound, "")
	}
	c.Refused = run.Refused()
	return end, into.decode(in.Path, run.Params(), run.Body())
}

// decode fills the request with the validated input: only known fields, with the defaults of the contract.
func (p requestParts) decode(path map[string]string, params, body []byte) error {
	for name, field := range p.path {
		*field = path[name]
	}
	if p.params != nil && len(params) > 0 {
		if err := contract.Decode(params, p.params); err != nil {
			return fmt.Errorf("decode parameters: %w", err)
		}
	}
	if p.body != nil && len(body) > 0 {
		if err := contract.Decode(body, p.body); err != nil {
			return fmt.Errorf("decode body: %w", err)
		}
	}
	return nil
}

// checkQuery checks a query of an operation against the contract. It returns nil if the contract accepts the query.
func (s *Service) checkQuery(ctx context.Context, operation, query string) *problem.Problem {
	run := s.validator.checker.Begin(s.now())
	defer s.validator.checker.End(run)
	return run.Check(ctx, s.validator.byID[operation].Request, nil, query, false)
}
