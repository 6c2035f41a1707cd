package fair

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

const waitLimit = time.Second

// taken starts to take a slot, and returns the result.
func taken(ctx context.Context, p *Slots, partner string) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- p.Acquire(ctx, partner) }()
	synctest.Wait()
	return ended
}

func TestAPartnerCannotUseTheShareOfOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{Total: 3, One: 2, Waits: waitLimit}, time.Now)
		require.NoError(t, p.Acquire(t.Context(), "a"))
		require.NoError(t, p.Acquire(t.Context(), "a"))
		third := taken(t.Context(), p, "a")
		require.Empty(t, third, "its quota is used up")
		require.NoError(t, p.Acquire(t.Context(), "b"))
		require.Equal(t, 2, p.Held("a"))
		require.ErrorIs(t, <-third, ErrShareUsed, "it does not wait without a limit")
		require.ErrorIs(t, <-taken(t.Context(), p, "c"), ErrFull)
		p.Release("b")
		p.Release("a")
		p.Release("a")
		require.Empty(t, p.partners, "a partner without slots is forgotten")
		require.Empty(t, p.queue)
	})
}

func TestWaitingPartnersAreServedInRotation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{Total: 1, One: 1, Waits: time.Hour}, time.Now)
		require.NoError(t, p.Acquire(t.Context(), "x"))
		var order []string
		wait := func(name string) {
			go func() {
				if p.Acquire(t.Context(), name) == nil {
					order = append(order, name)
					p.Release(name)
				}
			}()
			synctest.Wait()
		}
		for range 3 {
			wait("many")
		}
		wait("one")
		p.Release("x")
		synctest.Wait()
		require.Equal(t, []string{"many", "one", "many", "many"}, order)
	})
}

func TestACancelledWaiterTakesNoPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{Total: 1, One: 1, Waits: time.Hour}, time.Now)
		require.NoError(t, p.Acquire(t.Context(), "a"))
		ctx, leave := context.WithCancel(t.Context())
		left := taken(ctx, p, "a")
		leave()
		require.ErrorIs(t, <-left, context.Canceled)
		full := taken(t.Context(), p, "b")
		p.Release("a")
		require.NoError(t, <-full)
		p.Release("b")
		require.Empty(t, p.partners)
	})
}

// A partner gets more slots while no other has work, and returns to its share as soon as another one has.
func TestAPartnerGetsMoreWhileNobodyElseWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{Total: 5, One: 1, Alone: 3, Waits: time.Hour, Recent: time.Second}, time.Now)
		for range 3 {
			require.NoError(t, p.Acquire(t.Context(), "a"))
		}
		require.NoError(t, p.Acquire(t.Context(), "b"))
		p.Release("a")
		waiting := taken(t.Context(), p, "a")
		require.Empty(t, waiting, "b has had work just now")
		p.Release("a")
		p.Release("a")
		require.NoError(t, <-waiting)
		<-time.After(2 * time.Second)
		require.NoError(t, p.Acquire(t.Context(), "a"))
		require.NoError(t, p.Acquire(t.Context(), "a"), "b has no work any more")
	})
}

func BenchmarkPlaces(b *testing.B) {
	p := New(Sizes{Total: 1 << 20, One: 1 << 20, Waits: waitLimit, Recent: time.Second}, time.Now)
	for i := range 100 {
		if err := p.Acquire(b.Context(), fmt.Sprint(i)); err != nil {
			b.Fatal(err)
		}
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_ = p.Acquire(b.Context(), "50")
			p.Release("50")
		}
	})
}
