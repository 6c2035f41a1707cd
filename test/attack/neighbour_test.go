package attack_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// neighbour is another program on the machine, which keeps one CPU busy on command and never calls the service. The
// latencies of the victim beside it are the reference of all attacks: they are what any work on the machine causes.
type neighbour struct{ orders io.WriteCloser }

// neighbourVariable makes the test program the process of a neighbour.
const neighbourVariable = "LEVY_ATTACK_NEIGHBOUR"

// The commands of a neighbour.
const computes, rests = 'c', 'r'

func startNeighbour(t *testing.T) *neighbour {
	t.Helper()
	process := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0]) // it ends with its input
	process.Env = append(os.Environ(), neighbourVariable+"=1", "GOMAXPROCS=2")
	process.Stderr = os.Stderr
	orders, err := process.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		require.NoError(t, orders.Close())
		require.NoError(t, process.Wait())
	})
	return &neighbour{orders}
}

func (n *neighbour) order(b *attackRun, order byte) {
	_, err := n.orders.Write([]byte{order})
	require.NoError(b, err)
}

// runNeighbour is the process of a neighbour: it executes commands until its input ends.
func runNeighbour() {
	var busy atomic.Bool
	for order := make([]byte, 1); ; {
		if _, err := os.Stdin.Read(order); err != nil {
			return
		}
		if busy.Store(order[0] == computes); !busy.Load() {
			continue
		}
		go func() {
			for busy.Load() {
			}
		}()
	}
}

// busyNeighbour is the reference, and no attack.
func busyNeighbour(b *attackRun) {
	b.neighbour.order(b, computes)
	<-time.After(b.length)
	b.waitForCalls()
	b.neighbour.order(b, rests)
	b.saw("no call")
}
