package service

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"levy/contract"
)

// reportImmutable lists as ignored each immutable field whose submitted value differs from that in the answer.
// Otherwise a client would believe that its change had an effect.
func reportImmutable(in *Input, op *Operation, answer any) {
	if op.fixed == nil {
		return
	}
	submitted := membersOf(in.Body, op.fixed)
	if len(submitted) == 0 {
		return
	}
	raw, err := contract.Encode(answer)
	if err != nil {
		return // the writer of the answer reports the same error
	}
	answered := membersOf(raw, op.fixed)
	var names []string
	if in.Out.Ignored != "" {
		names = append(names, in.Out.Ignored)
	}
	for _, name := range op.fixed {
		if value, ok := submitted[name]; ok && !bytes.Equal(value, answered[name]) {
			names = append(names, name)
		}
	}
	in.Out.Ignored = strings.Join(names, ", ")
}

// membersOf returns the members of a JSON object that have one of the names. Equal values have equal bytes. Null and an
// empty text count as absent. A value that is no object has no members.
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
		_ = value.Canonicalize() // a number beyond all limits stays as submitted
		found[name] = value
	}
	return found
}
