package api

import (
	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/contract/validate"
)

// operationOf is the operation of a request, nil for a path outside the contract.
func (v *Validator) operationOf(c *gin.Context) *operation {
	return v.operations[c.Request.Method+" "+c.FullPath()]
}

// Middleware validates a request: JSON first, then all fields and parameters
// together. On a fault it answers the problem and ends the request; else the
// handler of the route finds the validated request (contract.Input). It must run
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
		setValidated(c, &validated{params: run.Params(), body: run.Body()})
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
