package service

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"levy/contract"
	"levy/contract/validate"
)

// operations are the operations of the contract by id, and the checker of their requests. They are compiled once.
// They are safe for concurrent use.
type operations struct {
	checker *validate.Checker
	byID    map[string]*Operation
}

// Operation describes one operation of the contract and its requests.
type Operation struct {
	ID        string
	Method    string
	Path      string // with its parameters, such as /v1/products/{product_id}
	Rule      accessRule
	Request   *validate.Request
	pathNames []string // parameters of the path, in order
	Form      bool     // the body is a form with a file
	Upload    bool     // the body is a file, stored while it arrives
	Stream    bool     // the answer is written piece by piece
	empty     bool     // the answer has no body
	Status    int      // of the documented success
	BodyLimit int64
	Timeout   time.Duration // of the request, and again of the answer
	once      idempotency
	fixed     []string // immutable fields of the record, which this change does not read
}

// hasFile reports whether the body is a file, or a form with one.
func (op *Operation) hasFile() bool { return op.Form || op.Upload }

// DefaultBodyLimit is the largest body in bytes, unless the contract gives an operation another one (x-body-limit).
const DefaultBodyLimit int64 = 1 << 20

// compileOperations compiles the contract. Errors: a constraint that the checker does not support,
// or an operation without an access rule.
func compileOperations(o validate.Options) (*operations, error) {
	document, err := validate.ReadDocument(contract.JSON)
	if err != nil {
		return nil, err
	}
	all := &operations{checker: validate.New(o), byID: map[string]*Operation{}}
	for path, item := range document.Paths {
		for method, spec := range item.Operations() {
			op, err := all.compile(method+" "+path, item, spec)
			if err != nil {
				return nil, fmt.Errorf("contract: %w", err)
			}
			if parent := document.Paths[path[:strings.LastIndexByte(path, '/')]]; method == "PUT" && parent != nil {
				op.fixed = validate.Fixed(parent.Post, spec)
			}
			op.Method, op.Path, op.pathNames = method, path, pathNames(path)
			all.byID[op.ID] = op
		}
	}
	return all, nil
}

// pathNames returns the names of the parameters of a path such as /v1/products/{product_id}.
func pathNames(path string) (names []string) {
	for segment := range strings.SplitSeq(path, "/") {
		if name, found := strings.CutPrefix(segment, "{"); found {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

func (all *operations) compile(at string, item *validate.PathItem, spec *validate.Operation) (*Operation, error) {
	op := &Operation{
		ID: spec.ID, BodyLimit: DefaultBodyLimit, Timeout: RequestTimeout, Stream: spec.Stream, Rule: accessRules[spec.ID],
	}
	if err := op.Rule.check(); err != nil {
		return nil, fmt.Errorf("access rule of operation %s: %w", op.ID, err)
	}
	op.Status, op.empty = success(spec)
	if spec.Timeout != 0 {
		op.Timeout = time.Duration(spec.Timeout) * time.Second
	}
	var err error
	if op.once, err = idempotencyOf(at, spec); err != nil {
		return nil, err
	}
	if op.Request, err = all.checker.Compile(at, item, spec); err != nil {
		return nil, err
	}
	if spec.RequestBody == nil {
		return op, nil
	}
	op.BodyLimit = cmp.Or(spec.RequestBody.Limit, op.BodyLimit)
	if form := spec.RequestBody.Content["multipart/form-data"]; form != nil {
		if op.Form = len(form.Schema.Properties) == 1 && form.Schema.Properties[FileField] != nil; !op.Form {
			return nil, fmt.Errorf("%s: a form has one field, %s", at, FileField)
		}
	}
	op.Upload = spec.RequestBody.Content["text/csv"] != nil
	if !op.hasFile() && !op.Request.HasBody() {
		return nil, fmt.Errorf("%s: no application/json body", at)
	}
	return op, nil
}

// success returns the status of the documented success of an operation. empty means that its answer has no body.
func success(spec *validate.Operation) (status int, empty bool) {
	for code, body := range spec.Responses {
		if strings.HasPrefix(code, "2") {
			_, _ = fmt.Sscan(code, &status)
			return status, len(body.Content) == 0
		}
	}
	return 200, true
}
