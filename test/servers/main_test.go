package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What `go test` prints for people is read as events; flags for that stand before its own.
func TestOnlyTestsThatPeopleReadAreCounted(t *testing.T) {
	t.Parallel()
	for _, c := range []command{{"go", "test", "./a"}, {"/usr/bin/go", "test", "-run", "X"}} {
		require.True(t, c.runsTests(), c)
	}
	for _, c := range []command{{"go", "test", "-json"}, {"go", "build"}, {"true"}, {"./faults.test", "test"}} {
		require.False(t, c.runsTests(), c)
	}
	require.Equal(t, command{"go", "test", "-json", "-run", "X"}, command{"go", "test", "-run", "X"}.with("-json"))
}
