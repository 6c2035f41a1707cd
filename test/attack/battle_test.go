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

// battle is one attack on one installation.
type battle struct {
	*testing.T
	bed *testbed.Bed
	// attacker is who attacks, victim who must not notice. They come from different
	// addresses, with keys of their own.
	attacker, victim *tenant
	neighbour        *neighbour
	tenant           func(address string) *tenant // makes another one
	private          string                       // where the API shows what it holds
	length           time.Duration                // of what lasts
	long             bool                         // the run waits for timeouts, too
	calls            func() int                   // of the victim since the attack began

	mu      sync.Mutex
	answers map[string]int
}

// saw counts an answer, or another end of a request.
func (b *battle) saw(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[what]++
}

// only fails the test when anything else was answered.
func (b *battle) only(expected ...string) {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for answer, n := range b.answers {
		require.True(b, slices.ContainsFunc(expected, func(e string) bool { return strings.HasPrefix(answer, e) }),
			"%d times: %s", n, answer)
	}
}

func (b *battle) count(answer string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.answers[answer]
}

// told is all answers in one line, the most frequent first.
func (b *battle) told() string {
	var parts []string
	for _, answer := range slices.SortedFunc(maps.Keys(b.answers),
		func(x, y string) int { return b.answers[y] - b.answers[x] }) {
		parts = append(parts, fmt.Sprintf("%d x %s", b.answers[answer], answer))
	}
	return strings.Join(parts, ", ")
}

// everywhere lets n attackers work at the same time and waits for them.
func (b *battle) everywhere(n int, work func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { work(i) })
	}
	all.Wait()
}

// while lets n attackers work until the time of an attack is over, in a long run until the victim has made enough
// calls meanwhile.
func (b *battle) while(n int, work func(i, round int)) {
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	go func() {
		defer stop()
		<-time.After(b.length)
		b.stay()
	}()
	b.everywhere(n, func(i int) {
		for round := 0; ctx.Err() == nil; round++ {
			work(i, round)
		}
	})
}

// stay waits in a long run until the victim has made enough calls beside the attack, for a p99. Attacks that stay open
// end with it.
func (b *battle) stay() {
	if b.long {
		enough(b.calls, 5*b.length)
	}
}
