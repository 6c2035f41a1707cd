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

// all is the share of one that may have everything.
var all = Share{Busy: 1 << 20}

// by is a partner with one organization.
func by(partner string) Who { return Who{Partner: partner, Organization: partner} }

// client is an organization of the partner "p".
func client(id string) Who { return Who{Partner: "p", Organization: id} }

// taken starts to take a slot, and returns the result.
func taken(ctx context.Context, p *Slots, who Who) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- p.Acquire(ctx, who) }()
	synctest.Wait()
	return ended
}

func TestAPartnerCannotUseTheShareOfOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{Total: 3, Partner: Share{Busy: 2}, Organization: all, Waits: waitLimit, Recent: time.Hour}, time.Now)
		require.NoError(t, p.Acquire(t.Context(), by("a")))
		require.NoError(t, p.Acquire(t.Context(), by("a")))
		third := taken(t.Context(), p, by("a"))
		require.Empty(t, third, "its quota is used up")
		require.NoError(t, p.Acquire(t.Context(), by("b")))
		require.Equal(t, 2, p.Held("a"))
		require.ErrorIs(t, <-third, ErrShareUsed, "it does not wait without a limit")
		require.ErrorIs(t, <-taken(t.Context(), p, by("c")), ErrFull)
		p.Release(by("b"))
		p.Release(by("a"))
		p.Release(by("a"))
		<-time.After(time.Hour)
		require.NoError(t, p.Acquire(t.Context(), by("d")))
		require.Len(t, p.partners, 1, "a partner without slots is forgotten")
		require.Empty(t, p.queue)
	})
}

func TestWaitingPartnersAreServedInRotation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{Total: 1, Partner: all, Organization: all, Waits: time.Hour}, time.Now)
		require.NoError(t, p.Acquire(t.Context(), by("x")))
		var order []string
		wait := func(name string) {
			go func() {
				if p.Acquire(t.Context(), by(name)) == nil {
					order = append(order, name)
					p.Release(by(name))
				}
			}()
			synctest.Wait()
		}
		for range 3 {
			wait("many")
		}
		wait("one")
		p.Release(by("x"))
		synctest.Wait()
		require.Equal(t, []string{"many", "one", "many", "many"}, order)
	})
}

func TestACancelledWaiterTakesNoPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{Total: 1, Partner: all, Organization: all, Waits: time.Hour}, time.Now)
		require.NoError(t, p.Acquire(t.Context(), by("a")))
		ctx, leave := context.WithCancel(t.Context())
		left := taken(ctx, p, by("a"))
		leave()
		require.ErrorIs(t, <-left, context.Canceled)
		full := taken(t.Context(), p, by("b"))
		p.Release(by("a"))
		require.NoError(t, <-full)
		p.Release(by("b"))
		require.Empty(t, p.partners)
	})
}

// A partner gets more slots while no other has work, and returns to its share as soon as another one has.
func TestAPartnerGetsMoreWhileNobodyElseWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{
			Total: 5, Partner: Share{Busy: 1, Alone: 3}, Organization: all, Waits: time.Hour, Recent: time.Second,
		}, time.Now)
		for range 3 {
			require.NoError(t, p.Acquire(t.Context(), by("a")))
		}
		require.NoError(t, p.Acquire(t.Context(), by("b")))
		p.Release(by("a"))
		waiting := taken(t.Context(), p, by("a"))
		require.Empty(t, waiting, "b has had work just now")
		p.Release(by("a"))
		p.Release(by("a"))
		require.NoError(t, <-waiting)
		<-time.After(2 * time.Second)
		require.NoError(t, p.Acquire(t.Context(), by("a")))
		require.NoError(t, p.Acquire(t.Context(), by("a")), "b has no work any more")
	})
}

// A client that takes all that it can leaves the other clients of its partner their turns and their slots.
func TestAClientCannotUseTheShareOfItsPartner(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{
			Total: 9, Partner: Share{Busy: 3, Alone: 8}, Organization: Share{Busy: 4, Alone: 7}, Waits: waitLimit,
			Recent: time.Minute,
		}, time.Now)
		for range 7 {
			require.NoError(t, p.Acquire(t.Context(), client("greedy")))
		}
		eighth := taken(t.Context(), p, client("greedy"))
		require.Empty(t, eighth, "it leaves one for the next client")
		require.NoError(t, p.Acquire(t.Context(), client("small")), "who gets it at once")
		require.ErrorIs(t, <-eighth, ErrShareUsed)
		require.ErrorIs(t, <-taken(t.Context(), p, client("third")), ErrShareUsed, "the share of the partner")
		for range 4 {
			p.Release(client("greedy"))
		}
		require.NoError(t, p.Acquire(t.Context(), client("greedy")))
		require.Empty(t, taken(t.Context(), p, client("greedy")), "not a fifth, while others have work")
		require.NoError(t, p.Acquire(t.Context(), by("other")))
		p.Release(client("greedy"))
		p.Release(client("greedy"))
		p.Release(client("small"))
		require.Empty(t, taken(t.Context(), p, client("greedy")), "beside another partner two of three are the most")
		require.Equal(t, 2, p.Held("p"))
	})
}

func TestWaitingClientsAreServedInRotation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Sizes{Total: 1, Partner: all, Organization: all, Waits: time.Hour}, time.Now)
		require.NoError(t, p.Acquire(t.Context(), by("x")))
		var order []string
		wait := func(who Who) {
			go func() {
				if p.Acquire(t.Context(), who) == nil {
					order = append(order, who.Organization)
					p.Release(who)
				}
			}()
			synctest.Wait()
		}
		for range 3 {
			wait(client("many"))
		}
		wait(client("one"))
		wait(by("other"))
		wait(by("other"))
		p.Release(by("x"))
		synctest.Wait()
		require.Equal(t, []string{"many", "other", "one", "other", "many", "many"}, order)
		require.Empty(t, p.partners)
		require.Empty(t, p.queue)
	})
}

func BenchmarkPlaces(b *testing.B) {
	p := New(Sizes{Total: 1 << 20, Partner: all, Organization: all, Waits: waitLimit, Recent: time.Second}, time.Now)
	for i := range 100 {
		if err := p.Acquire(b.Context(), by(fmt.Sprint(i))); err != nil {
			b.Fatal(err)
		}
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_ = p.Acquire(b.Context(), by("50"))
			p.Release(by("50"))
		}
	})
}
