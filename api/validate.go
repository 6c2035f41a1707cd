package api

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"

	"levy/api/openapi"
)

// ValidatorOptions are the parts of the contract that the document leaves to
// the installation.
type ValidatorOptions struct {
	// Sources are values the operator adds to the set of sources.
	Sources []string
	// Category tells whether a product category is known. When nil, every one is.
	Category func(name string) bool
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// Validator checks requests against the contract. It is made once and is safe
// for concurrent use.
type Validator struct {
	options    ValidatorOptions
	contract   *contract
	operations map[string]*operation // by method, a space and Gin's path
	runs       sync.Pool
	large      *room // bytes of large bodies
}

// operation is what the contract says about the requests of one operation.
type operation struct {
	id           string
	params       *parameters
	path         []pathParameter
	body         *schema // nil: a body is not read as JSON
	form         bool    // the body is a form with a file
	upload       bool    // the body is a file, stored while it arrives
	bodyRequired bool
	bodyLimit    int64
	timeout      time.Duration // for the request, and again for the answer
	once         idempotency
}

type pathParameter struct {
	name   string
	prefix string // of the object's ids; "" = an identifier of the client
}

var placeholder = regexp.MustCompile(`\{([^}]+)\}`)

// NewValidator compiles the contract. It fails if the contract says something
// the validator does not check.
func NewValidator(options ValidatorOptions) (*Validator, error) {
	contract, err := loadContract()
	if err != nil {
		return nil, err
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	v := &Validator{options: options, contract: contract, operations: map[string]*operation{}, large: newRoom(largeBodies, largeBodiesOfOne)}
	v.runs.New = func() any { return &run{validator: v} }
	c := &compiler{sources: options.Sources}
	for path, item := range contract.doc.Paths.Map() {
		for method, spec := range item.Operations() {
			op, err := c.operation(method+" "+path, item, spec)
			if err != nil {
				return nil, fmt.Errorf("contract: %w", err)
			}
			v.operations[method+" "+placeholder.ReplaceAllString(path, ":$1")] = op
		}
	}
	return v, nil
}

func (c *compiler) operation(at string, item *openapi3.PathItem, spec *openapi3.Operation) (*operation, error) {
	op := &operation{id: spec.OperationID, bodyLimit: DefaultBodyLimit, timeout: requestTimeout}
	if seconds, ok := spec.Extensions["x-timeout"].(float64); ok {
		op.timeout = time.Duration(seconds) * time.Second
	}
	var err error
	if op.once, err = idempotencyOf(at, spec); err != nil {
		return nil, err
	}
	if op.params, err = c.parameters(at, spec, item.Parameters); err != nil {
		return nil, err
	}
	for _, ref := range append(append(openapi3.Parameters{}, item.Parameters...), spec.Parameters...) {
		if ref.Value.In == openapi3.ParameterInPath {
			prefix, _ := ref.Value.Schema.Value.Extensions["x-id-prefix"].(string)
			op.path = append(op.path, pathParameter{name: ref.Value.Name, prefix: prefix})
		}
	}
	if spec.RequestBody == nil {
		return op, nil
	}
	op.bodyRequired = spec.RequestBody.Value.Required
	if limit, ok := spec.RequestBody.Value.Extensions["x-body-limit"].(float64); ok {
		op.bodyLimit = int64(limit)
	}
	if form := spec.RequestBody.Value.Content["multipart/form-data"]; form != nil {
		if op.form = len(form.Schema.Value.Properties) == 1 && form.Schema.Value.Properties[fileField] != nil; !op.form {
			return nil, fmt.Errorf("%s: a form has one field, %s", at, fileField)
		}
		return op, nil
	}
	if op.upload = spec.RequestBody.Value.Content["text/csv"] != nil; op.upload {
		return op, nil
	}
	media := spec.RequestBody.Value.Content["application/json"]
	if media == nil {
		return nil, fmt.Errorf("%s: no application/json body", at)
	}
	op.body, err = c.schema(at+" body", media.Schema)
	return op, err
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
		r := v.runs.Get().(*run)
		r.reset(v.options.Now())
		if problem := r.request(op, RawBody(c), c.Request.URL.RawQuery, contentTypeMissing(c)); problem != nil {
			v.release(r)
			WriteProblem(c, problem)
			return
		}
		if op.form {
			file, fault := readForm(boundaryOf(c.Request.Header), RawBody(c))
			if fault != nil {
				v.release(r)
				WriteProblem(c, ValidationFailed(*fault))
				return
			}
			callOf(c.Request.Context()).file = file
		}
		for _, p := range op.path {
			if !p.possible(c.Param(p.name)) {
				v.release(r)
				WriteProblem(c, NewProblem(CodeResourceNotFound, ""))
				return
			}
		}
		callOf(c.Request.Context()).refused = r.refused
		openapi.SetInput(c, &openapi.Input{Params: r.params, Body: r.out})
		c.Next()
		v.release(r)
	}
}

// release keeps the buffers for the next request, unless they are large.
func (v *Validator) release(r *run) {
	const large = 1 << 18
	if cap(r.out) <= large && cap(r.tape)*24 <= large {
		r.body, r.raw = nil, nil
		v.runs.Put(r)
	}
}

func (r *run) reset(now time.Time) {
	r.now = now
	r.out, r.params = r.out[:0], r.params[:0]
	r.place, r.faults, r.truncated = r.place[:0], nil, false
	r.refused = nil
}

// request validates the body and the query of one request.
func (r *run) request(op *operation, body []byte, rawQuery string, untyped bool) *Problem {
	hasBody := false
	if op.body != nil {
		if hasBody = op.bodyRequired || len(body) > 0; hasBody {
			if err := r.scan(body, op.body); err != nil {
				return jsonProblem(err, body, untyped)
			}
		}
	}
	r.query(op.params, rawQuery)
	if hasBody {
		r.enter("body")
		r.check(op.body, 0)
		r.leave()
	}
	return r.problem()
}

// problem is what was found to be wrong; nil for nothing.
func (r *run) problem() *Problem {
	if len(r.faults) == 0 {
		return nil
	}
	p := ValidationFailed(r.faults...)
	p.Truncated = r.truncated
	if r.truncated {
		p.Detail = "More than 100 fields are invalid."
	}
	return p
}

// jsonProblem is the answer to a body that is not acceptable JSON. Without a
// Content-Type it is simply not JSON.
func jsonProblem(err error, body []byte, untyped bool) *Problem {
	if untyped && len(body) > 0 {
		return NewProblem(CodeUnsupportedMediaType, "")
	}
	var syntax *syntaxError
	if !errors.As(err, &syntax) {
		return NewProblem(CodeInvalidJSON, "")
	}
	p := NewProblem(CodeInvalidJSON, syntax.position(body))
	if syntax.duplicate {
		return p.At(FieldDuplicateKey, "body", syntax.position(body))
	}
	return p
}

// possible tells whether an object with this identifier can exist at all.
func (p pathParameter) possible(value string) bool {
	if p.prefix == "" {
		return value != "" && utf8.ValidString(value) && strings.IndexByte(value, 0) < 0 && utf8.RuneCountInString(value) <= 255
	}
	suffix, ok := strings.CutPrefix(value, p.prefix+"_")
	if !ok || len(suffix) != 26 || suffix[0] > '7' {
		return false
	}
	for i := 0; i < len(suffix); i++ {
		if strings.IndexByte("0123456789abcdefghjkmnpqrstvwxyz", suffix[i]) < 0 {
			return false
		}
	}
	return true
}
