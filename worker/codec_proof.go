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

// KeepProof stores the owner of a proof before it is attached to data that this person typed in the Temporal UI.
type KeepProof func(proof models.Proof) error

// attachProof adds a proof of the caller to the body of an encode request, if it is the argument of an Update that
// needs one. The Temporal UI sends one payload for each Update. attachProof leaves a body that it cannot read to the
// handler. Errors: those of keep; nothing may be sealed then.
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

// onlyJSON reads a body and returns its payload, or nil unless it has exactly one, of JSON.
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

// errorReader returns its error, or io.EOF if it has none.
type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	return 0, io.EOF
}
