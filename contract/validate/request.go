package validate

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"levy/contract/problem"
	"levy/models"
)

// Request checks the requests of one operation.
type Request struct {
	params       *parameters
	path         []pathParameter
	body         *schema // nil: the body is not read as JSON
	bodyRequired bool
}

type pathParameter struct {
	name   string
	prefix string // of the ids of the object; "": an identifier of the client
}

// Compile prepares the checks of an operation. at names the operation in errors. It returns an error if the document
// has a rule that would not be checked.
func (c *Checker) Compile(at string, item *PathItem, spec *Operation) (*Request, error) {
	r, compile := &Request{}, &compiler{sources: c.options.Sources, checks: c.options.Checks, choices: c.choices}
	var err error
	if r.params, err = compile.parameters(at, spec, item.Parameters); err != nil {
		return nil, err
	}
	for _, p := range slices.Concat(item.Parameters, spec.Parameters) {
		if p.In != "path" {
			continue
		}
		part := pathParameter{name: p.Name}
		if p.Schema.IDPrefix != nil {
			part.prefix = *p.Schema.IDPrefix
		}
		r.path = append(r.path, part)
	}
	if spec.RequestBody == nil || spec.RequestBody.Content["application/json"] == nil {
		return r, nil
	}
	r.bodyRequired = spec.RequestBody.Required
	if r.body, err = compile.schema(at+" body", spec.RequestBody.Content["application/json"].Schema); err != nil {
		return nil, err
	}
	r.body.acceptFieldsOf(recordOf(spec))
	return r, nil
}

// recordOf returns the schema of the answer of a successful operation; for a list of records, that of one record.
// It returns nil for an answer without JSON.
func recordOf(spec *Operation) *Schema {
	for status, response := range spec.Responses {
		media := response.Content["application/json"]
		if !strings.HasPrefix(status, "2") || media == nil {
			continue
		}
		if items := media.Schema.Items; items != nil {
			return items
		}
		return media.Schema
	}
	return nil
}

// HasBody reports whether requests may have a JSON body.
func (r *Request) HasBody() bool { return r.body != nil }

// Possible reports whether objects with the identifiers in a path can exist.
func (r *Request) Possible(path func(name string) string) bool {
	for _, p := range r.path {
		if !p.isPossible(path(p.name)) {
			return false
		}
	}
	return true
}

// isPossible reports whether an object with this identifier can exist.
func (p pathParameter) isPossible(value string) bool {
	if p.prefix == "" {
		return value != "" && utf8.ValidString(value) && strings.IndexByte(value, 0) < 0 &&
			utf8.RuneCountInString(value) <= 255
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

// Check checks the body and the query of one request: first the JSON, then all fields and parameters together.
// untyped means that the client did not send the type of the body. ctx is that of the request.
func (v *Run) Check(
	ctx context.Context, r *Request, body []byte, rawQuery string, untyped bool,
) *problem.Problem {
	v.ctx = ctx
	hasBody := false
	if r.body != nil {
		if hasBody = r.bodyRequired || len(body) > 0; hasBody {
			if err := v.scan(body, r.body); err != nil {
				return jsonProblem(err, body, untyped)
			}
		}
	}
	before := len(v.faults)
	v.query(r.params, rawQuery)
	nameParameters(v.faults[before:])
	if hasBody {
		v.checkAll(r.body, 0)
	}
	return v.problem()
}

// Body returns the checked body in canonical form. The result is valid until End.
func (v *Run) Body() []byte { return v.out }

// Params returns the checked query parameters in canonical form, as one JSON object. The result is valid until End.
func (v *Run) Params() []byte { return v.params }

// Refused returns the refused entries of a list in which each entry has its own result.
func (v *Run) Refused() []RefusedRow { return v.refused }

// problem returns the answer with the faults found, or nil if there are none.
func (v *Run) problem() *problem.Problem {
	if len(v.faults) == 0 {
		return nil
	}
	p := problem.ValidationFailed(v.faults...)
	p.Truncated = v.truncated
	if v.truncated {
		p.Detail = "More than 100 fields are invalid."
	}
	return p
}

// jsonProblem returns the answer to a body that is not acceptable JSON. If the body has no Content-Type and is not
// JSON, the answer is that its type is not supported.
func jsonProblem(err error, body []byte, untyped bool) *problem.Problem {
	if untyped && len(body) > 0 && !json.Valid(body) {
		return problem.New(problem.CodeUnsupportedMediaType, "")
	}
	var syntax *syntaxError
	if !errors.As(err, &syntax) {
		return problem.New(problem.CodeInvalidJSON, "")
	}
	p := problem.New(problem.CodeInvalidJSON, syntax.position(body))
	if syntax.duplicate {
		return p.At(models.Fault{Code: models.FieldDuplicateKey, Message: syntax.position(body)})
	}
	return p
}
