package worker

import (
	"errors"
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"

	"levy/workflows"
)

// ErrNotSealed refuses a payload that Levy has not written: it came in clear text, or a person typed it in the Temporal
// UI. Access to Temporal is enough to send one, but only a master key can seal one.
var ErrNotSealed = errors.New("payload is not one that Levy has written and encrypted: only Levy itself may send it")

// sealedOnly is a data converter that reads only sealed payloads. It also reads values that people send from the
// Temporal UI, because these prove their sender.
type sealedOnly struct{ converter.DataConverter }

// WithSerializationContext returns the converter for the payloads of one workflow.
func (s sealedOnly) WithSerializationContext(of converter.SerializationContext) converter.DataConverter {
	return sealedOnly{converter.WithDataConverterSerializationContext(s.DataConverter, of)}
}

// FromPayload reads one value. Errors: ErrNotSealed, and those of the converter.
func (s sealedOnly) FromPayload(payload *commonpb.Payload, to any) error {
	if !mayRead(payload, to) {
		return ErrNotSealed
	}
	return s.DataConverter.FromPayload(payload, to)
}

// FromPayloads reads values. Errors: as for FromPayload.
func (s sealedOnly) FromPayloads(payloads *commonpb.Payloads, to ...any) error {
	for i, payload := range payloads.GetPayloads() {
		if i < len(to) && !mayRead(payload, to[i]) {
			return fmt.Errorf("payload %d: %w", i, ErrNotSealed)
		}
	}
	return s.DataConverter.FromPayloads(payloads, to...)
}

// mayRead reports whether a payload is sealed, or becomes a value that people send.
func mayRead(payload *commonpb.Payload, to any) bool {
	return payload == nil || workflows.FromPeople(to) ||
		string(payload.GetMetadata()[metadataEncoding]) == encodingEncrypted
}
