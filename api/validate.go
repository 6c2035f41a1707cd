package api

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"levy/api/limit"
	"levy/api/openapi"
	"levy/contract/problem"
	"levy/contract/validate"
)

// Validator checks requests against the contract. It is made once and is safe
// for concurrent use.
type Validator struct {
	checker    *validate.Checker
	now        func() time.Time
	operations map[string]*operation // by method, a space and Gin's path
	large      *limit.TenantQuota    // bytes of large bodies
}

// operation is what the contract says about the requests of one operation.
type operation struct {
	id        string
	request   *validate.Request
	form      bool // the body is a form with a file
	upload    bool // the body is a file, stored while it arrives
	bodyLimit int64
	timeout   time.Duration // for the request, and again for the answer
	once      idempotency
	fixed     []string // fields of the record that its creation decided and that this change does not read
}

var placeholder = regexp.MustCompile(`\{([^}]+)\}`)

// newValidator compiles the contract. It fails if the contract says something
// the validator does not check.
func newValidator(o validate.Options, now func() time.Time) (*Validator, error) {
	contract, err := loadContract()
	if err != nil {
		return nil, err
	}
	v := &Validator{
		checker: validate.New(o), now: now, operations: map[string]*operation{},
		large: limit.NewTenantQuota(largeBodies, largeBodiesOfOne),
	}
	for path, item := range contract.Paths {
		for method, spec := range item.Operations() {
			op, err := v.compile(method+" "+path, item, spec)
			if err != nil {
				return nil, fmt.Errorf("contract: %w", err)
			}
			if parent := contract.Paths[path[:strings.LastIndexByte(path, '/')]]; method == http.MethodPut && parent != nil {
				op.fixed = validate.Fixed(parent.Post, spec)
			}
			v.operations[method+" "+placeholder.ReplaceAllString(path, ":$1")] = op
		}
	}
	return v, nil
}

func (v *Validator) compile(at string, item *validate.PathItem, spec *validate.Operation) (*operation, error) {
	op := &operation{id: spec.ID, bodyLimit: defaultBodyLimit, timeout: requestTimeout}
	if spec.Timeout != 0 {
		op.timeout = time.Duration(spec.Timeout) * time.Second
	}
	var err error
	if op.once, err = idempotencyOf(at, spec); err != nil {
		return nil, err
	}
	if op.request, err = v.checker.Compile(at, item, spec); err != nil {
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
	if !op.form && !op.upload && !op.request.HasBody() {
		return nil, fmt.Errorf("%s: no application/json body", at)
	}
	return op, nil
}

// operationOf is the operation of a request, nil for a path outside the contract.
func (v *Validator) operationOf(c *gin.Context) *operation {
	return v.operations[c.Request.Method+" "+c.FullPath()]
}

// Middleware validates a request: JSON first, then all fields and parameters
// together. On a fault it answers the problem and ends the request; else the
// handler of the route finds the validated request (openapi.Input). It must run
// after ReadBody. Paths outside the contract pass through.
func (v *Validator) Middleware() gin.HandlerFunc {
	return func(c *gin.Context) {
		op := v.operationOf(c)
		if op == nil {
			c.Next()
			return
		}
		run := v.checker.Begin(v.now())
		if refusal := v.accept(c, op, run); refusal != nil {
			v.checker.End(run)
			writeProblem(c, refusal)
			return
		}
		openapi.SetInput(c, &openapi.Input{Params: run.Params(), Body: run.Body()})
		c.Next()
		v.checker.End(run)
	}
}

// pathOf are the values in the path of a request, by their names.
func pathOf(c *gin.Context) map[string]string {
	path := make(map[string]string, len(c.Params))
	for _, p := range c.Params {
		path[p.Key] = p.Value
	}
	return path
}

// accept notes what a request is made of, or says why it is refused.
func (v *Validator) accept(c *gin.Context, op *operation, run *validate.Run) *problem.Problem {
	call := callOf(c.Request.Context())
	possible := op.request.Possible(c.Param)
	if possible {
		call.path = pathOf(c)
	}
	refusal := run.Check(c.Request.Context(), op.request, rawBody(c), c.Request.URL.RawQuery, contentTypeMissing(c))
	if fields := run.Ignored(); fields != "" {
		c.Header(headerIgnored, fields)
	}
	announce(c.Writer.Header(), run.Deprecated())
	if refusal != nil {
		return refusal
	}
	if op.form {
		file, refusal := readForm(boundaryOf(c.Request.Header), rawBody(c))
		if refusal != nil {
			return refusal
		}
		call.file = file
	}
	if !possible {
		return problem.New(problem.CodeResourceNotFound, "")
	}
	call.refused = run.Refused()
	return nil
}
