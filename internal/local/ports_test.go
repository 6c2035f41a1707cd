package local

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// With twelve thousand to choose from, two of three hundred would be the same.
func TestAFreePortIsReturnedOnce(t *testing.T) {
	t.Parallel()
	given := map[int]bool{}
	for range 300 {
		port, err := FreePort()
		require.NoError(t, err)
		require.False(t, given[port], "port %d was given twice", port)
		given[port] = true
	}
}
