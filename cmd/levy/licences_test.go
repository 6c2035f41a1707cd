package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program prints the licences of what it is made of. They need no settings, and little of its size.
func TestTheProgramPrintsItsLicences(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"licences"}, nil, &out, io.Discard))
	for _, part := range []string{
		"Go and its standard library (BSD-3-Clause)", "\ngoogle.golang.org/grpc v", "Apache License", "Tax content",
	} {
		require.Contains(t, out.String(), part)
	}
	require.Less(t, len(notices), 300_000)
}
