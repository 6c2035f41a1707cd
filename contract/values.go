package contract

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Patch is the validated body of a step of the onboarding. It has known fields only. Decoding it into a document merges
// the two: absent fields keep their values, null clears a field.
type Patch = jsontext.Value

// Object is a JSON object without a schema, as it was sent.
type Object = jsontext.Value

// Rows are the validated entries of a list in which each entry has its own result. A refused entry is null.
// They are decoded one by one, so that only a few are in memory in full at a time.
type Rows = []jsontext.Value

// Decode reads JSON into a model. Names are compared exactly.
func Decode(raw []byte, model any) error { return json.Unmarshal(raw, model) }

// formOfAnswers are the options of every answer.
var formOfAnswers = json.JoinOptions(json.Deterministic(true), jsontext.AllowInvalidUTF8(true))

// Encode writes a value in the form of every answer: equal values give equal bytes.
func Encode(value any) ([]byte, error) { return json.Marshal(value, formOfAnswers) }

// EncodeAnswer adds the answer of an operation to a buffer. An estimate is also a page of one: it is encoded once.
func EncodeAnswer(to *bytes.Buffer, value any) error {
	_, estimate := value.(Estimate)
	// guard: clients: an estimate is also a page of one
	if !estimate {
		return json.MarshalWrite(to, value, formOfAnswers)
	}
	to.WriteString(`{"items":[`)
	from := to.Len()
	if err := json.MarshalWrite(to, value, formOfAnswers); err != nil {
		return err
	}
	through := to.Len()
	to.WriteString(`],"total":1,"page":1,"size":1,"pages":1,`)
	to.Grow(through - from) // so that the bytes of the estimate stay where they are
	to.Write(to.Bytes()[from+1 : through])
	return nil
}

// EncodeRequest writes the body of a request. It writes every field that was set, also to null or to an empty list.
func EncodeRequest(value any) ([]byte, error) {
	return json.Marshal(value, json.Deterministic(true), jsonv1.OmitEmptyWithLegacySemantics(true))
}
