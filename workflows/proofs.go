package workflows

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// WantsProof reports whether JSON is the argument of an Update that needs a proof and has none, what of it the
// proof is to be about, and how the argument reads with one: see models.AttachProof. Which Update it is the JSON
// does not say.
func WantsProof(argument []byte) (content string, with func(proof string) []byte, ok bool) {
	var filing FilingMessage
	if !reads(argument, &filing) || filing.Proof != "" {
		return "", nil, false
	}
	return filing.content(), func(proof string) []byte {
		filing.Proof = proof
		return encoded(filing)
	}, true
}

// reads reports whether JSON is an object with no other members than a message has.
func reads(argument []byte, message any) bool {
	if !bytes.HasPrefix(bytes.TrimLeft(argument, " \t\r\n"), []byte("{")) {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(argument))
	decoder.DisallowUnknownFields()
	if decoder.Decode(message) != nil {
		return false
	}
	_, err := decoder.Token()
	return errors.Is(err, io.EOF)
}

// encoded is the JSON of a message, always the same bytes.
func encoded(message any) []byte {
	// What is encoded are texts and booleans, in the order of the struct.
	content, err := json.Marshal(message) //workflowcheck:ignore
	if err != nil {
		panic(err) // it has nothing else
	}
	return content
}
