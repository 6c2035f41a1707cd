package main

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/workflows"
)

// An operator signs the argument of the named Update for the named workflow.
func TestAnOperatorSignsTheNamedUpdateOfTheNamedWorkflow(t *testing.T) {
	t.Parallel()
	const filing, organization = "file_01jx4m9a2bfqv8m1x0c5t7hkde", "org_01jx4m9a2bfqv8m1x0c5t7hkde"
	env := []string{"LEVY_OPERATOR_KEY=" + secret.NewAPIKey(secret.KindOperator)}
	sign := func(out io.Writer, args ...string) error {
		return run(t.Context(), append([]string{"operator", "sign"}, args...), env, out, io.Discard)
	}
	signs := func(text, statement string) {
		t.Helper()
		proof, err := models.ReadProof(text)
		require.NoError(t, err)
		require.NoError(t, proof.Check(statement, time.Now()))
	}
	var out bytes.Buffer
	require.NoError(t, sign(&out, "skip", filing, "--reason", "END"))
	var message workflows.FilingMessage
	require.NoError(t, json.Unmarshal(out.Bytes(), &message))
	require.Equal(t, "END", message.Reason)
	signs(message.Proof, message.Statement(workflows.FilingID(filing), workflows.SkipUpdate))

	out.Reset()
	require.NoError(t, sign(&out, "confirm_cancellation", organization, "--reason", "END"))
	var confirmation workflows.ConfirmationInput
	require.NoError(t, json.Unmarshal(out.Bytes(), &confirmation))
	require.Equal(t, []string{organization, "END"}, []string{confirmation.OrganizationID, confirmation.Reason})
	signs(confirmation.Proof, confirmation.Statement(workflows.OnboardingID(organization),
		workflows.ConfirmCancellationUpdate))

	require.ErrorContains(t, sign(io.Discard, "skip", organization), "not the id of a filing")
	require.ErrorContains(t, sign(io.Discard, "confirm_cancellation", filing), "not the id of an organization")
	require.ErrorContains(t, sign(io.Discard, "confirm_cancellation", organization, "--until", "2026-01-31"),
		"are of filings")
}
