package worker

import (
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"

	"levy/models"
	"levy/workflows"
)

// Who reaches Temporal but has no master key starts, signals and updates nothing of Levy.
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
	t.Run("what people send from the Temporal UI", func(t *testing.T) {
		t.Parallel()
		var message workflows.FilingMessage
		sent := &commonpb.Payloads{Payloads: []*commonpb.Payload{payload(`{"reason": "END"}`)}}
		require.NoError(t, data.FromPayloads(sent, &message))
		require.Equal(t, "END", message.Reason)
	})
}
