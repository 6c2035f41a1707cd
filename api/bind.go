package api

import (
	"errors"
	"fmt"

	"github.com/gin-gonic/gin"

	"levy/contract"
)

// Route is one operation of the contract on a router.
type Route struct {
	Method    string // HTTP method
	Path      string // in Gin's notation, such as /v1/products/:product_id
	Operation string // operationId of the contract
	Stream    bool   // the operation writes its answer while it reads it
	Handler   gin.HandlerFunc
}

// validated is a request that passed validation, in canonical JSON: known fields
// only, exact names, defaults filled in, numbers as plain decimal strings.
// Binding reads it instead of the raw request, so that what an operation gets is
// what was validated.
type validated struct {
	params []byte // object of the query parameters
	body   []byte // object of the body; empty when there is none
}

// errNotValidated is the answer for a route that no validator has passed.
var errNotValidated = errors.New("the request was not validated")

type validatedKey struct{}

// setValidated hands a validated request to the handler of the route. The bytes
// must stay unchanged until that handler has returned.
func setValidated(c *gin.Context, input *validated) { c.Set(validatedKey{}, input) }

// validatedOf is the validated request; nil when no validator has passed it.
func validatedOf(c *gin.Context) *validated {
	value, _ := c.Get(validatedKey{})
	input, _ := value.(*validated)
	return input
}

// bind decodes the validated request. Names are compared exactly.
func bind(c *gin.Context, params, body any) error {
	input := validatedOf(c)
	if input == nil {
		return errNotValidated
	}
	if params != nil && len(input.params) > 0 {
		if err := contract.Decode(input.params, params); err != nil {
			return fmt.Errorf("bind parameters: %w", err)
		}
	}
	if body != nil && len(input.body) > 0 {
		if err := contract.Decode(input.body, body); err != nil {
			return fmt.Errorf("bind body: %w", err)
		}
	}
	return nil
}
