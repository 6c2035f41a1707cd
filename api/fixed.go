package api

import (
	"bytes"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"levy/contract"
)

// headerIgnored names the fields of a body that were not read.
const headerIgnored = "Levy-Ignored-Fields"

// nameFixed names, as ignored, the fields of a change that the record was created with and keeps, where the client sent
// another value than the record shows: a change without effect must not look as if it had been made.
func (s *Server) nameFixed(c *gin.Context, answer any) {
	op := s.validator.operationOf(c)
	if op == nil || op.fixed == nil {
		return
	}
	sent := membersOf(rawBody(c), op.fixed)
	if len(sent) == 0 {
		return
	}
	raw, err := contract.Encode(answer)
	if err != nil {
		return // the answer itself will be refused
	}
	shown := membersOf(raw, op.fixed)
	var names []string
	if before := c.Writer.Header().Get(headerIgnored); before != "" {
		names = append(names, before)
	}
	for _, name := range op.fixed {
		if value, ok := sent[name]; ok && !bytes.Equal(value, shown[name]) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		c.Header(headerIgnored, strings.Join(names, ", "))
	}
}

// membersOf are the members of an object that have one of the names, in the form in which equal values have equal
// bytes. Null and an empty text count as not sent. What is no object has none.
func membersOf(object []byte, names []string) map[string]jsontext.Value {
	var all map[string]jsontext.Value
	if len(object) == 0 || json.Unmarshal(object, &all, jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	found := map[string]jsontext.Value{}
	for _, name := range names {
		value, ok := all[name]
		if !ok || string(value) == "null" || string(value) == `""` {
			continue
		}
		_ = value.Canonicalize() // a number beyond every limit stays as it was sent
		found[name] = value
	}
	return found
}
