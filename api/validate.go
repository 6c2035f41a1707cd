package api

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"levy/contract"
	"levy/contract/validate"
)

// operations are the operations of the contract by id, and the checker of their requests. They are compiled once and are
// safe for concurrent use.
type operations struct {
	checker *validate.Checker
	byID    map[string]*operation
}

// operation is what the contract says about the requests of one operation.
type operation struct {
	id        string
	method    string
	path      string // with its parameters, such as /v1/products/{product_id}
	rule      accessRule
	request   *validate.Request
	pathNames []string // parameters of the path, in order
	form      bool     // the body is a form with a file
	upload    bool     // the body is a file, stored while it arrives
	stream    bool     // the answer is written piece by piece
	empty     bool     // the answer has no body
	status    int      // of the documented success
	bodyLimit int64
	timeout   time.Duration // for the request, and again for the answer
	once      idempotency
	fixed     []string // fields of the record that its creation decided and that this change does not read
}

// hasFile reports whether the body is a file, or a form with one.
func (op *operation) hasFile() bool { return op.form || op.upload }

// defaultBodyLimit is the largest body in bytes, unless the contract gives an operation another one (x-body-limit).
const defaultBodyLimit int64 = 1 << 20

// compileOperations compiles the contract. Errors: the contract says something that the checker does not check, or has an
// operation without an access rule.
func compileOperations(o validate.Options) (*operations, error) {
	document, err := validate.ReadDocument(contract.JSON)
	if err != nil {
		return nil, err
	}
	all := &operations{checker: validate.New(o), byID: map[string]*operation{}}
	for path, item := range document.Paths {
		for method, spec := range item.Operations() {
			op, err := all.compile(method+" "+path, item, spec)
			if err != nil {
				return nil, fmt.Errorf("contract: %w", err)
			}
			if parent := document.Paths[path[:strings.LastIndexByte(path, '/')]]; method == "PUT" && parent != nil {
				op.fixed = validate.Fixed(parent.Post, spec)
			}
			op.method, op.path, op.pathNames = method, path, pathNames(path)
			all.byID[op.id] = op
		}
	}
	return all, nil
}

// pathNames are the names of the parameters of a path such as /v1/products/{product_id}.
func pathNames(path string) (names []string) {
	for segment := range strings.SplitSeq(path, "/") {
		if name, found := strings.CutPrefix(segment, "{"); found {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

func (all *operations) compile(at string, item *validate.PathItem, spec *validate.Operation) (*operation, error) {
	op := &operation{
		id: spec.ID, bodyLimit: defaultBodyLimit, timeout: requestTimeout, stream: spec.Stream, rule: accessRules[spec.ID],
	}
	if err := op.rule.check(); err != nil {
		return nil, fmt.Errorf("access rule of operation %s: %w", op.id, err)
	}
	op.status, op.empty = success(spec)
	if spec.Timeout != 0 {
		op.timeout = time.Duration(spec.Timeout) * time.Second
	}
	var err error
	if op.once, err = idempotencyOf(at, spec); err != nil {
		return nil, err
	}
	if op.request, err = all.checker.Compile(at, item, spec); err != nil {
		return nil, err
	}
	if spec.RequestBody == nil {
		return op, nil
	}
	op.bodyLimit = cmp.Or(spec.RequestBody.Limit, op.bodyLimit)
	if form := spec.RequestBody.Content["multipart/form-data"]; form != nil {
		if op.form = len(form.Schema.Properties) == 1 && form.Schema.Properties[fileField] != nil; !op.form {
			return nil, fmt.Errorf("%s: a form has one field, %s", at, fileField)
		}
	}
	op.upload = spec.RequestBody.Content["text/csv"] != nil
	if !op.hasFile() && !op.request.HasBody() {
		return nil, fmt.Errorf("%s: no application/json body", at)
	}
	return op, nil
}

// success is the status of the documented success of an operation. empty: its answer has no body.
func success(spec *validate.Operation) (status int, empty bool) {
	for code, body := range spec.Responses {
		if strings.HasPrefix(code, "2") {
			_, _ = fmt.Sscan(code, &status)
			return status, len(body.Content) == 0
		}
	}
	return 200, true
}
