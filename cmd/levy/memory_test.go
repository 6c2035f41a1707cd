package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Memory is released to the operating system once after each load, and neither during a load nor without one.
func TestMemoryIsReleasedAfterALoad(t *testing.T) {
	t.Parallel()
	var k memoryKeeper
	var allocated uint64
	given := func(perTick ...uint64) (ticks []int) {
		for i, bytes := range perTick {
			allocated += bytes
			if k.over(allocated) {
				ticks = append(ticks, i)
			}
		}
		return ticks
	}
	const load, rest = 100 << 20, 1 << 20
	require.Equal(t, []int{3}, given(load, load, rest, rest, rest, rest), "after the load, once")
	require.Empty(t, given(load, rest, load, rest, load), "a load that pauses for a moment is one load")
	require.Equal(t, []int{1}, given(rest, rest))
	require.Empty(t, given(rest, rest, 8<<20, rest, rest, rest), "the garbage of a small load is left to the collector")
	require.Equal(t, []int{2}, given(load, rest, rest), "and so after the next load")
}
