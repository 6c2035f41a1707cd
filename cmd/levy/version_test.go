package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Programs with different code never share a name, and one program keeps its own.
func TestBuildIDsDifferForDifferentPrograms(t *testing.T) {
	t.Parallel()
	program := func(content string) func() (string, error) {
		path := filepath.Join(t.TempDir(), "levy")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return func() (string, error) { return path, nil }
	}
	name := func(set, version, content string) string {
		id, err := buildID(set, version, program(content))
		require.NoError(t, err)
		return id
	}
	require.Equal(t, "v1.4.0", name("", "v1.4.0", "a"))
	for _, version := range []string{"development", "container", "v1.4.0-3-g4db6fe9", "v1.4.0-dirty", "4db6fe9"} {
		first, again := name("", version, "a"), name("", version, "a")
		require.Equal(t, first, again)
		require.NotEqual(t, first, name("", version, "b"))
		require.Contains(t, first, version+"-")
	}
	require.Equal(t, "sha256-abc", name("sha256-abc", "v1.4.0", "a"))
	require.Empty(t, name(noBuildID, "v1.4.0", "a"))
	_, err := buildID("", "development", func() (string, error) { return "/nowhere/levy", nil })
	require.Error(t, err)
}
