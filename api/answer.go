package api

import (
	"fmt"

	"levy/contract/problem"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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
	raw, err := encode(value)
	if err != nil {
		_ = c.Error(fmt.Errorf("encode answer: %w", err))
		writeProblem(c, problem.New(problem.CodeInternalError, ""))
		return
	}
	c.Writer.Header().Set("Content-Type", contentTypeJSON)
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(raw) // the client has disconnected
}

// encode writes a value the way every answer is written: equal values, equal bytes.
func encode(value any) ([]byte, error) {
	return json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}
