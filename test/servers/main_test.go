package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Several commands are told apart, and what stands before a program is its environment, not that of the others.
func TestCommandsHaveSettingsOfTheirOwn(t *testing.T) {
	t.Parallel()
	all := commands([]string{"go", "test", "-ldflags=-w", "./a", "--", "CGO_ENABLED=1", "GORACE=a=b", "go", "test",
		"-race", "--", "true"})
	require.Equal(t, []command{
		{[]string{}, []string{"go", "test", "-ldflags=-w", "./a"}},
		{[]string{"CGO_ENABLED=1", "GORACE=a=b"}, []string{"go", "test", "-race"}},
		{[]string{}, []string{"true"}},
	}, all)
	require.True(t, all[1].runsTests())
	require.False(t, all[2].runsTests())
	env := []string{"CGO_ENABLED=0"}
	measured := all[1].with("-json")
	require.Equal(t, []string{"go", "test", "-json", "-race"}, measured.words)
	require.Equal(t, []string{"CGO_ENABLED=0", "CGO_ENABLED=1", "GORACE=a=b"}, newCommand(t.Context(), measured, env).Env)
	require.Equal(t, env, newCommand(t.Context(), all[0].with("-json"), env).Env)
}
