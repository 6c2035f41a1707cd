package main

import (
	"errors"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
)

// The error names the setting to correct, not the message of gRPC.
func TestWhyTemporalCannotBeUsedIsSaidInASentence(t *testing.T) {
	t.Parallel()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	away := serviceerror.NewUnavailable("no children to pick from")
	c := Config{TemporalAddress: "127.0.0.1:1", TemporalNamespace: "ours"}
	said := c.explainTemporal(t.Context(), away)
	require.EqualError(t, said, "Temporal does not answer at the address of LEVY_TEMPORAL_ADDRESS: "+
		"dial tcp 127.0.0.1:1: connect: connection refused")
	require.True(t, unanswered(said), "a server that starts is asked again")
	require.EqualError(t, c.explainTemporal(t.Context(), serviceerror.NewNamespaceNotFound("ours")),
		"Temporal has no namespace ours: correct LEVY_TEMPORAL_NAMESPACE, or create it")
	require.EqualError(t, c.explainTemporal(t.Context(), serviceerror.NewPermissionDenied("Request unauthorized.", "")),
		"Temporal does not allow this in the namespace ours: its API key or certificate may need the right to "+
			"read, write and describe (DescribeNamespace) it: Request unauthorized.")
	refused := errors.New("the Update was refused")
	require.Equal(t, refused, c.explainTemporal(t.Context(), refused))
	c.TemporalAddress = server.Addr().String()
	busy := serviceerror.NewResourceExhausted(enumspb.RESOURCE_EXHAUSTED_CAUSE_RPS_LIMIT, "too many calls")
	require.Equal(t, busy, c.explainTemporal(t.Context(), busy))
	require.EqualError(t, c.explainTemporal(t.Context(), away), "what listens at "+c.TemporalAddress+
		" does not answer as Temporal does: is LEVY_TEMPORAL_TLS right? no children to pick from")
}
