package attack_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// attackRun is one attack on an installation.
type attackRun struct {
	*testing.T
	bed *testbed.Bed
	// attacker attacks; victim must not notice it. They have different addresses and keys.
	attacker, victim *tenant
	neighbour        *neighbour
	tenant           func(address string) *tenant // makes another one
	private          string                       // the address of the metrics of the API
	length           time.Duration                // of attacks without an end of their own
	long             bool                         // the run waits for timeouts, too
	calls            func() int                   // of the victim since the attack began
	filled           bool                         // the attacker has sales that were written by SQL

	mu      sync.Mutex
	answers map[string]int
}

// saw counts an answer, or another end of a request.
func (b *attackRun) saw(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[what]++
}

// only fails the test when anything else was answered.
func (b *attackRun) only(expected ...string) {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for answer, n := range b.answers {
		require.True(b, slices.ContainsFunc(expected, func(e string) bool { return strings.HasPrefix(answer, e) }),
			"%d times: %s", n, answer)
	}
}

func (b *attackRun) count(answer string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.answers[answer]
}

// summary lists all answers in one line, the most frequent first.
func (b *attackRun) summary() string {
	var parts []string
	for _, answer := range slices.SortedFunc(maps.Keys(b.answers),
		func(x, y string) int { return b.answers[y] - b.answers[x] }) {
		parts = append(parts, fmt.Sprintf("%d x %s", b.answers[answer], answer))
	}
	return strings.Join(parts, ", ")
}

// parallel lets n attackers work at the same time and waits for them.
func (b *attackRun) parallel(n int, work func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { work(i) })
	}
	all.Wait()
}

// while lets n attackers work until the time of an attack is over, in a long run until the victim has made enough
// calls meanwhile.
func (b *attackRun) while(n int, work func(i, round int)) {
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	go func() {
		defer stop()
		<-time.After(b.length)
		b.waitForCalls()
	}()
	b.parallel(n, func(i int) {
		for round := 0; ctx.Err() == nil; round++ {
			work(i, round)
		}
	})
}

// waitForCalls waits in a long run until the victim has made enough calls for a p99 during the attack. Attacks that hold
// connections open end with it.
func (b *attackRun) waitForCalls() {
	if b.long {
		enough(b.calls, 5*b.length)
	}
}
