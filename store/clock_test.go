package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
)

// What decides is the clock of the database, or none at all: a process whose own clock is
// wrong revokes at once, does each thing once and in its order, and takes nothing twice.
func TestNoGuardNeedsTheClockOfAProcess(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-26 * time.Hour, -time.Hour, time.Hour, 26 * time.Hour} {
		t.Run(fmt.Sprintf("%+.0f hours", skew.Hours()), func(t *testing.T) {
			t.Parallel()
			t.Run("keys", func(t *testing.T) {
				t.Parallel()
				s, _ := newStore(t)
				root, hasher := newRoot(t, s), newHasher(t)
				store.SkewClock(s, skew)
				key, record := newKey(hasher)
				expires := time.Now().Add(time.Minute)
				record.ExpiresAt = &expires
				require.NoError(t, s.CreateAPIKey(t.Context(), root, actor, record))
				_, err := s.FindPrincipal(t.Context(), hasher.Hashes(key))
				require.NoError(t, err, "it works at once, and until its time is over")
				require.NoError(t, s.RevokeAPIKey(t.Context(), root, actor, record.ID))
				_, err = s.FindPrincipal(t.Context(), hasher.Hashes(key))
				require.ErrorIs(t, err, models.ErrNotFound, "it does not once it is revoked")
			})
			t.Run("onboarding", func(t *testing.T) {
				t.Parallel()
				n := aboard(t, 3)
				store.SkewClock(n.store, skew)
				again := n.submission(4)
				require.NoError(t, n.do(again))
				require.NoError(t, n.do(again), "the same submission")
				require.Equal(t, 1, n.record().Steps[3].Attempts)
				var order *models.StepOrderError
				require.ErrorAs(t, n.do(n.submission(6)), &order)
				execute(t, n.url, "UPDATE onboardings SET next_check_at = now() WHERE organization_id = $1", n.scope.OrganizationID)
				leased, err := n.store.LeaseOnboardings(t.Context(), 10)
				require.NoError(t, err)
				require.Len(t, leased, 1)
				leased, err = n.store.LeaseOnboardings(t.Context(), 10)
				require.NoError(t, err)
				require.Empty(t, leased, "somebody has it")
			})
			t.Run("filing", func(t *testing.T) {
				t.Parallel()
				b := setupFilings(t)
				store.SkewClock(b.store, skew)
				b.process(t, b.sale(t, "2026-01-10", "100.00"))
				f := b.january(t, models.FilingUnfiled)
				_, err := b.approve(f.ID)
				require.NoError(t, err)
				require.Equal(t, "1 100.00 10.00", sums(b.read(t, f.ID)))
				b.process(t, b.sale(t, "2026-01-11", "20.00"))
				require.Equal(t, 1, b.count(t, "SELECT count(*) FROM filings WHERE filing_category = 'AMENDMENT'")+b.count(t, "SELECT count(*) FROM late_transactions"), "what comes later is amended")
			})
		})
	}
}
