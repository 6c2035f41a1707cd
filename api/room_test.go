package api

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoomIsShared(t *testing.T) {
	t.Parallel()
	r := newRoom(10, 6)
	first, ok := r.take("a", 6)
	require.True(t, ok)
	_, ok = r.take("a", 1)
	require.False(t, ok, "its share is used up")
	other, ok := r.take("b", 4)
	require.True(t, ok, "the others have theirs")
	_, ok = r.take("c", 1)
	require.False(t, ok, "all is used up")
	first()
	_, ok = r.take("c", 6)
	require.True(t, ok)
	other()
	_, ok = r.take("b", 4)
	require.True(t, ok)
	require.Len(t, r.held, 2, "who holds nothing is forgotten")
}
