package content

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoad(t *testing.T) {
	c, err := Load()
	require.NoError(t, err)
	require.Equal(t, "2026.07.1", c.Version())
}
