package failpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestActionsOfAFailpointTakeEffectInOrder(t *testing.T) {
	t.Parallel()
	p, err := parse("a=skip*2,error*1;b=sleep(5ms);c=timeout*1,kill")
	require.NoError(t, err)
	next := func(point string, n int) (kinds []kind) {
		for range n {
			kinds = append(kinds, p.next(point).kind)
		}
		return kinds
	}
	require.Equal(t, []kind{skip, skip, fail, skip, skip}, next("a", 5))
	require.Equal(t, []kind{sleep, sleep, sleep}, next("b", 3))
	require.Equal(t, 5*time.Millisecond, p.next("b").pause)
	require.Equal(t, []kind{timeout, kill, kill}, next("c", 3))
	require.Equal(t, []kind{skip}, next("unknown", 1))
}

func TestInvalidFailpointsAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a", "=kill", "a=", "a=explode", "a=kill*0", "a=kill*x", "a=sleep", "a=sleep(1", "a=sleep(fast)",
	} {
		_, err := parse(text)
		require.Error(t, err, text)
	}
}
