package worker

import (
	"bytes"
	"io"
	"net/http"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/encoding/protojson"

	"levy/models"
	"levy/workflows"
)

// KeepProof keeps whose a proof is before it is attached to what that person has entered.
type KeepProof func(proof models.Proof) error

// attachProof puts the proof of the caller of an encode request into what is to be sealed, where that is the
// argument of an Update which needs one. The Temporal UI sends one payload for each Update. A body that cannot be
// read is left to who answers the request. Errors: those of keep, with which nothing may be sealed.
func (c *Codec) attachProof(r *http.Request, keep KeepProof) error {
	body, readErr := io.ReadAll(r.Body)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), errorReader{readErr}))
	var sent commonpb.Payloads
	if payload := onlyJSON(body, readErr, &sent); payload != nil {
		content, with, wants := workflows.WantsProof(payload.GetData())
		if !wants {
			return nil
		}
		text, proof := models.AttachProof(content, c.now())
		if err := keep(proof); err != nil {
			return err
		}
		payload.Data = with(text)
		proven, err := protojson.Marshal(&sent)
		if err != nil {
			return err
		}
		r.Body = io.NopCloser(bytes.NewReader(proven))
	}
	return nil
}

// onlyJSON reads a body and returns its payload, if it is the only one and JSON.
func onlyJSON(body []byte, readErr error, sent *commonpb.Payloads) *commonpb.Payload {
	if readErr != nil || protojson.Unmarshal(body, sent) != nil || len(sent.GetPayloads()) != 1 {
		return nil
	}
	payload := sent.GetPayloads()[0]
	if string(payload.GetMetadata()[metadataEncoding]) != converter.MetadataEncodingJSON {
		return nil
	}
	return payload
}

// errorReader ends with an error, or as a body does.
type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	return 0, io.EOF
}
