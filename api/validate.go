package api

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"levy/api/limit"
	"levy/contract"
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

// idempotency is how an operation deals with an Idempotency-Key.
type idempotency uint8

const (
	onceIgnored          idempotency = iota // it reads only, or writes nothing
	onceTransactional                       // the answer is committed with the effect
	onceNonTransactional                    // the effect is committed elsewhere
)

func idempotencyOf(at string, spec *validate.Operation) (idempotency, error) {
	declared := slices.ContainsFunc(
		spec.Parameters, func(p *validate.Parameter) bool { return p.Name == "Idempotency-Key" },
	)
	switch kind := spec.Idempotency; {
	case !declared && (kind == "none" || strings.HasPrefix(at, "GET ")):
		return onceIgnored, nil
	case declared && kind == "apart":
		return onceNonTransactional, nil
	case declared && kind == "":
		return onceTransactional, nil
	}
	return 0, fmt.Errorf("%s: a write takes the header Idempotency-Key, anything else does not", at)
}

var placeholder = regexp.MustCompile(`\{([^}]+)\}`)

// loadContract reads the contract, once for the process.
var loadContract = sync.OnceValues(func() (*validate.Document, error) {
	document, err := validate.ReadDocument(contract.JSON)
	if err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	return document, nil
})

// newValidator compiles the contract. It fails if the contract says something
// the validator does not check.
func newValidator(o validate.Options, now func() time.Time) (*Validator, error) {
	document, err := loadContract()
	if err != nil {
		return nil, err
	}
	v := &Validator{
		checker: validate.New(o), now: now, operations: map[string]*operation{},
		large: limit.NewTenantQuota(largeBodies, largeBodiesOfOne),
	}
	for path, item := range document.Paths {
		for method, spec := range item.Operations() {
			op, err := v.compile(method+" "+path, item, spec)
			if err != nil {
				return nil, fmt.Errorf("contract: %w", err)
			}
			if parent := document.Paths[path[:strings.LastIndexByte(path, '/')]]; method == "PUT" && parent != nil {
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
