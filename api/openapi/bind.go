// Package openapi holds the Go side of the contract in ../openapi.yaml: the
// models, the interface of the handlers and their routes. Everything but this
// file is generated.
package openapi

import (
	"errors"
	"fmt"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Route is one operation of the contract on a router.
type Route struct {
	Method    string // HTTP method
	Path      string // in Gin's notation, such as /v1/products/:product_id
	Operation string // operationId of the contract
	Stream    bool   // the operation writes its answer while it reads it
	Handler   gin.HandlerFunc
}

// Patch is the body of a step of the onboarding as it was validated: known fields
// only. Decoding it into a document merges the two: what is absent stays, null
// clears.
type Patch = jsontext.Value

// Object is a JSON object without a schema, as it was sent.
type Object = jsontext.Value

// Rows are the entries of a list that stand alone, as they were validated; null in
// place of one that was refused. They are decoded one by one, so that only a few are
// held in full at a time.
type Rows = []jsontext.Value

// Input is a request that passed validation, in canonical JSON: known fields
// only, exact names, defaults filled in, numbers as plain decimal strings.
// Binding reads it instead of the raw request, so that what a handler gets is
// what was validated.
type Input struct {
	Params []byte // object of the query parameters
	Body   []byte // object of the body; empty when there is none
}

// ErrNotValidated is the answer for a route that no validator has passed.
var ErrNotValidated = errors.New("openapi: request was not validated")

type inputKey struct{}

// SetInput hands a validated request to the handler of the route. The bytes
// must stay unchanged until that handler has returned.
func SetInput(c *gin.Context, input *Input) { c.Set(inputKey{}, input) }

// inputOf is the validated request; nil when no validator has passed it.
func inputOf(c *gin.Context) *Input {
	value, _ := c.Get(inputKey{})
	input, _ := value.(*Input)
	return input
}

// bind decodes the validated request. Names are compared exactly.
func bind(c *gin.Context, params, body any) error {
	input := inputOf(c)
	if input == nil {
		return ErrNotValidated
	}
	if params != nil && len(input.Params) > 0 {
		if err := Decode(input.Params, params); err != nil {
			return fmt.Errorf("openapi: bind parameters: %w", err)
		}
	}
	if body != nil && len(input.Body) > 0 {
		if err := Decode(input.Body, body); err != nil {
			return fmt.Errorf("openapi: bind body: %w", err)
		}
	}
	return nil
}

// Decode reads JSON into a model. Names are compared exactly.
func Decode(raw []byte, model any) error { return json.Unmarshal(raw, model) }
