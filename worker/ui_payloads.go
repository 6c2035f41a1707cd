package worker

import (
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"levy/workflows"
)

// metadataTyped marks a payload that a person typed in the Temporal UI. It is sealed with the payload, so no one can
// remove it.
const metadataTyped = "entered-by-people"

// uiCodec seals payloads that people typed in the Temporal UI.
type uiCodec struct{ *Codec }

// Encode marks payloads and seals them.
func (c uiCodec) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	marked := make([]*commonpb.Payload, len(payloads))
	for i, payload := range payloads {
		marked[i], _ = proto.Clone(payload).(*commonpb.Payload)
		if marked[i].Metadata == nil {
			marked[i].Metadata = map[string][]byte{}
		}
		marked[i].Metadata[metadataTyped] = []byte("true")
	}
	return c.Codec.Encode(marked)
}

// noUIPayloads is a data converter behind the codec. It refuses payloads that people typed in the Temporal UI, unless
// their value proves the sender: Levy has not written them.
type noUIPayloads struct{ converter.DataConverter }

// FromPayload reads one value. Errors: ErrNotSealed, and those of the converter.
func (n noUIPayloads) FromPayload(payload *commonpb.Payload, to any) error {
	// guard: payloads: what people entered is only read where a proof says who they are
	if payload.GetMetadata()[metadataTyped] != nil && !workflows.FromPeople(to) {
		return ErrNotSealed
	}
	return n.DataConverter.FromPayload(payload, to)
}

// FromPayloads reads values. Errors: as for FromPayload.
func (n noUIPayloads) FromPayloads(payloads *commonpb.Payloads, to ...any) error {
	for i, payload := range payloads.GetPayloads() {
		if i >= len(to) {
			break
		}
		if err := n.FromPayload(payload, to[i]); err != nil {
			return fmt.Errorf("payload %d: %w", i, err)
		}
	}
	return nil
}
