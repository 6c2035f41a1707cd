package limit

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func testShares() (*Shares, *time.Time) {
	now := time.Date(2026, 5, 15, 10, 0, 0, 0, time.UTC)
	return NewShares(Sizes{Total: 16, Partner: 8, Alone: 12, Organization: 2}, func() time.Time { return now }), &now
}

// A client that holds all that it may refuses nothing to the other clients of its partner.
func TestAClientLeavesTheShareOfItsPartnerToOthers(t *testing.T) {
	t.Parallel()
	s, _ := testShares()
	refused := 0
	for range 10 {
		if _, ok := s.TryAcquire("partner", "greedy", 1); !ok {
			refused++
		}
	}
	require.Equal(t, 8, refused)
	for i := range 10 {
		_, ok := s.TryAcquire("partner", fmt.Sprint(i), 1)
		require.True(t, ok, "client %d", i)
	}
	_, ok := s.TryAcquire("partner", "one more", 1)
	require.False(t, ok, "what is left is for another partner")
	_, ok = s.TryAcquire("other", "its client", 2)
	require.True(t, ok)
}

// A partner gets more than its part only while no other asks, and gives back what it borrowed.
func TestAPartnerBorrowsWhatIsIdle(t *testing.T) {
	t.Parallel()
	s, now := testShares()
	var releases []func()
	take := func(i int) bool {
		release, ok := s.TryAcquire("a", fmt.Sprint(i), 1)
		if ok {
			releases = append(releases, release)
		}
		return ok
	}
	for i := range 12 {
		require.True(t, take(i))
	}
	other, ok := s.TryAcquire("b", "1", 2)
	require.True(t, ok, "what a left")
	for i := range 4 {
		releases[i]()
		require.False(t, take(20+i), "what it borrowed does not come back to it")
	}
	releases[4]()
	require.True(t, take(30), "its own part does")
	other()
	require.False(t, take(31), "b asked just now")
	*now = now.Add(othersAsk)
	require.True(t, take(31))
	require.Len(t, s.partners, 1, "a partner that asks no more is forgotten")
	require.Len(t, s.organizations, 9)
}

func TestOneOrganizationOfTwoPartnersHasAShareOfEach(t *testing.T) {
	t.Parallel()
	s, _ := testShares()
	for _, partner := range []string{"a", "a", "b", "b"} {
		_, ok := s.TryAcquire(partner, "shop", 1)
		require.True(t, ok)
	}
}
