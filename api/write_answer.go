package api

import (
	"fmt"

	"levy/contract"
	"levy/contract/problem"

	"github.com/gin-gonic/gin"
)

// contentTypeJSON is the media type of every answer but problems.
const contentTypeJSON = "application/json; charset=utf-8"

// writeJSON answers with a value. Empty lists are [], never null. A nil value
// answers without a body.
func writeJSON(c *gin.Context, status int, value any) {
	if value == nil {
		c.Status(status)
		c.Writer.WriteHeaderNow()
		return
	}
	raw, err := contract.Encode(value)
	if err != nil {
		_ = c.Error(fmt.Errorf("encode answer: %w", err))
		writeProblem(c, problem.New(problem.CodeInternalError, ""))
		return
	}
	c.Writer.Header().Set("Content-Type", contentTypeJSON)
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(raw) // the client has disconnected
}
