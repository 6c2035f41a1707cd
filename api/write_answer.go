package api

import (
	"fmt"

	"levy/contract"
	"levy/contract/problem"

	"github.com/gin-gonic/gin"
)

// contentTypeJSON is the media type of all answers except problems.
const contentTypeJSON = "application/json; charset=utf-8"

// writeJSON writes a value as the answer. Empty lists are [], never null. A nil value means an answer without a body.
func writeJSON(c *gin.Context, status int, value any) {
	if value == nil {
		c.Status(status)
		c.Writer.WriteHeaderNow()
		return
	}
	raw, err := contract.EncodeAnswer(value)
	if err != nil {
		_ = c.Error(fmt.Errorf("encode answer: %w", err))
		writeProblem(c, problem.New(problem.CodeInternalError, ""))
		return
	}
	c.Writer.Header().Set("Content-Type", contentTypeJSON)
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(raw) // the client has disconnected
}
