package workflows

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"go.temporal.io/sdk/workflow"

	"levy/models"
)

// WantsProof reports whether JSON is the argument of an Update that needs a proof and has none. content is what the
// proof has to confirm. with returns the argument with a proof: see models.AttachProof. The JSON does not tell the
// Update.
func WantsProof(argument []byte) (content string, with func(proof string) []byte, ok bool) {
	var filing FilingMessage
	if reads(argument, &filing) && filing.Proof == "" && filing.unknown == "" {
		return filing.content(), func(proof string) []byte {
			filing.Proof = proof
			return encoded(filing)
		}, true
	}
	var confirmation ConfirmationInput // it always has an organization_id, which no filing has
	if reads(argument, &confirmation) && confirmation.Proof == "" && confirmation.unknown == "" {
		return confirmation.content(), func(proof string) []byte {
			confirmation.Proof = proof
			return encoded(confirmation)
		}, true
	}
	return "", nil, false
}

// FromPeople reports whether to, a pointer, takes the argument of an Update that people send and that says by
// its proof who did.
func FromPeople(to any) bool {
	switch to.(type) {
	case *FilingMessage, *ConfirmationInput:
		return true
	}
	return false
}

// statement is what a proof signs: what is sent to which workflow.
func statement(workflowID, update, content string) string {
	return workflowID + "\n" + update + "\n" + content
}

// proven refuses an Update whose proof is not of it. Whether the operator whose proof it is may do so, the
// database knows: it is asked with the change.
func proven(ctx workflow.Context, update, text, content string) error {
	proof, err := models.ReadProof(text)
	switch {
	case err != nil:
	case proof.Attached():
		err = proof.CheckAttached(content, workflow.Now(ctx))
	default:
		err = proof.Check(statement(workflow.GetInfo(ctx).WorkflowExecution.ID, update, content), workflow.Now(ctx))
	}
	if err != nil {
		return invalidInput(err.Error())
	}
	return nil
}

// readArguments reads the JSON of an Update. It returns the name of the first member that the argument does not have; ""
// if there is none. The known members are read nevertheless.
func readArguments(raw []byte, to any) (unknown string, err error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err = decoder.Decode(to); err == nil {
		return "", nil
	}
	_, name, found := strings.Cut(err.Error(), `unknown field "`)
	if !found {
		return "", err
	}
	return strings.TrimSuffix(name, `"`), json.Unmarshal(raw, to)
}

// unknownArgument refuses an Update with an argument that it does not have.
func unknownArgument(name, known string) error {
	return invalidInput("there is no argument " + strconv.Quote(name) + ": the arguments are " + known)
}

// reads reports whether JSON is one object that a message can be read from.
func reads(argument []byte, message any) bool {
	if !bytes.HasPrefix(bytes.TrimLeft(argument, " \t\r\n"), []byte("{")) {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(argument))
	if decoder.Decode(message) != nil {
		return false
	}
	_, err := decoder.Token()
	return errors.Is(err, io.EOF)
}

// encoded is the JSON of a message, always the same bytes.
func encoded(message any) []byte {
	// The message has only texts and booleans, in the order of the struct.
	content, err := json.Marshal(message) //workflowcheck:ignore
	if err != nil {
		panic(err) // it has nothing else
	}
	return content
}
