package worker

import (
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"levy/models"
	"levy/workflows"
)

// An attacker who reaches Temporal without a master key can start, signal and update nothing of Levy.
func TestPayloadsInClearTextAreRefused(t *testing.T) {
	t.Parallel()
	codec := codecWith(t, map[string][]byte{"k1": key(1)}, "k1")
	plain := converter.GetDefaultDataConverter()
	data := dataConverter(codec)
	for name, value := range map[string]any{
		"the start of a run": workflows.FileReturnInput{FilingID: "file_1"}, "a step": models.StepSubmission{Step: 8},
		"the end of an onboarding": workflows.CancelInput{Reason: "END"}, "a text": "text",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			forged, err := plain.ToPayloads(value)
			require.NoError(t, err)
			var step models.StepSubmission
			require.ErrorIs(t, data.FromPayloads(forged, &step), ErrNotSealed)
			require.ErrorIs(t, data.FromPayload(forged.GetPayloads()[0], &step), ErrNotSealed)
			other := codecWith(t, map[string][]byte{"k1": key(2)}, "k1")
			sealed, err := dataConverter(other).ToPayload(value)
			require.NoError(t, err)
			require.ErrorIs(t, data.FromPayload(sealed, &step), ErrUndecodable)
		})
	}
	t.Run("what Levy sealed", func(t *testing.T) {
		t.Parallel()
		sealed, err := data.ToPayloads(models.StepSubmission{Step: 8})
		require.NoError(t, err)
		var step models.StepSubmission
		require.NoError(t, data.FromPayloads(sealed, &step))
		require.Equal(t, 8, step.Step)
		require.NoError(t, data.FromPayloads(nil))
	})
	t.Run("what people had sealed is read where a proof says who they are, and nowhere else", func(t *testing.T) {
		t.Parallel()
		sent := payload(`{"reason": "END", "user_name": "Ann"}`)
		ui, err := uiCodec{codec}.Encode([]*commonpb.Payload{sent})
		require.NoError(t, err)
		require.True(t, proto.Equal(payload(string(sent.GetData())), sent), "it is not changed itself")
		of := converter.WithDataConverterSerializationContext(data,
			converter.WorkflowSerializationContext{WorkflowID: "onboarding/org_1"})
		var cancel workflows.CancelInput
		require.ErrorIs(t, of.FromPayload(ui[0], &cancel), ErrNotSealed)
		require.ErrorIs(t, of.FromPayloads(&commonpb.Payloads{Payloads: ui}, &cancel), ErrNotSealed)
		var confirmation workflows.ConfirmationInput
		require.NoError(t, of.FromPayload(ui[0], &confirmation))
		require.Equal(t, "END", confirmation.Reason)
		require.NoError(t, of.FromPayloads(&commonpb.Payloads{Payloads: ui}, &confirmation))
		require.NoError(t, of.FromPayloads(&commonpb.Payloads{Payloads: ui}))
	})
	t.Run("what people send from the Temporal UI", func(t *testing.T) {
		t.Parallel()
		var message workflows.FilingMessage
		sent := &commonpb.Payloads{Payloads: []*commonpb.Payload{payload(`{"reason": "END"}`)}}
		require.NoError(t, data.FromPayloads(sent, &message))
		require.Equal(t, "END", message.Reason)
	})
}
