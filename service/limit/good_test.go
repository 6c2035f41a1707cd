package limit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGoodIsBoundedAndForgetsWhatIsRefused(t *testing.T) {
	t.Parallel()
	good := NewGood()
	require.False(t, good.Has([]byte("a")))
	good.Add([]byte("a"))
	require.True(t, good.Has([]byte("a")))
	good.Drop([]byte("a"))
	require.False(t, good.Has([]byte("a")))
	for i := range maxGood + 50 {
		good.Add([]byte(fmt.Sprint(i)))
	}
	require.Len(t, good.hashes, maxGood, "one is forgotten at a time")
	require.True(t, good.Has([]byte(fmt.Sprint(maxGood+49))))
}
