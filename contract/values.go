package contract

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

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

// Decode reads JSON into a model. Names are compared exactly.
func Decode(raw []byte, model any) error { return json.Unmarshal(raw, model) }

// Encode writes a value the way every answer is written: equal values, equal bytes.
func Encode(value any) ([]byte, error) {
	return json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// EncodeRequest writes the body of a request. A field that was set is written, also to null or to an empty list.
func EncodeRequest(value any) ([]byte, error) {
	return json.Marshal(value, json.Deterministic(true), jsonv1.OmitEmptyWithLegacySemantics(true))
}
