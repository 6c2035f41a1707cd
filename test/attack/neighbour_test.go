package attack_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// neighbour is another program on the machine, which keeps CPUs busy on command and never calls the service. The
// latencies of the victim beside it are the reference of all attacks: they are what any work on the machine causes.
type neighbour struct{ orders io.WriteCloser }

// neighbourVariable makes the test program the process of a neighbour.
const neighbourVariable = "LEVY_ATTACK_NEIGHBOUR"

// The commands of a neighbour: to keep one CPU more busy, and to rest.
const computes, rests = 'c', 'r'

func startNeighbour(t *testing.T) *neighbour {
	t.Helper()
	process := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0]) // it ends with its input
	process.Env = append(os.Environ(), neighbourVariable+"=1", "GOMAXPROCS="+itoa(runtime.NumCPU()+1))
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
	busy := &atomic.Bool{}
	for order := make([]byte, 1); ; {
		if _, err := os.Stdin.Read(order); err != nil {
			return
		}
		if order[0] == rests {
			busy.Store(false)
			busy = &atomic.Bool{}
			continue
		}
		busy.Store(true)
		go func(busy *atomic.Bool) {
			for busy.Load() {
			}
		}(busy)
	}
}

// busyNeighbour and busyMachine are the references, and no attacks: one CPU is busy, or all are.
func busyNeighbour(b *attackRun) { b.busyCPUs(1) }
func busyMachine(b *attackRun)   { b.busyCPUs(runtime.NumCPU()) }

func (b *attackRun) busyCPUs(n int) {
	for range n {
		b.neighbour.order(b, computes)
	}
	<-time.After(b.length)
	b.waitForCalls()
	b.neighbour.order(b, rests)
	b.saw("no call")
}
