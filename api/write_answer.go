package api

import (
	"bytes"
	"fmt"
	"sync"

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
	raw := answers.Get().(*bytes.Buffer)
	defer releaseAnswer(raw)
	if err := contract.EncodeAnswer(raw, value); err != nil {
		_ = c.Error(fmt.Errorf("encode answer: %w", err))
		writeProblem(c, problem.New(problem.CodeInternalError, ""))
		return
	}
	c.Writer.Header().Set("Content-Type", contentTypeJSON)
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(raw.Bytes()) // the client has disconnected
}

// answers are buffers of answers that were written.
var answers = sync.Pool{New: func() any { return &bytes.Buffer{} }}

// releaseAnswer returns a buffer. One that has grown large would keep its memory for small answers.
func releaseAnswer(raw *bytes.Buffer) {
	if raw.Cap() <= 64<<10 {
		raw.Reset()
		answers.Put(raw)
	}
}
