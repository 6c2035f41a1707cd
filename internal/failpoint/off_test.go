//go:build !chaos

package failpoint

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHitDoesNothingWithoutTheBuildTag(t *testing.T) {
	t.Setenv("LEVY_FAILPOINTS", "a=error")
	require.NoError(t, Hit("a"))
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = Hit("a") }))
}
