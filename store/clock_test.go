package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// A process whose own clock is wrong revokes keys at once, does each step once and in order, and leases nothing twice.
// Such decisions use the clock of the database or none.
func TestNoGuardNeedsTheClockOfAProcess(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-26 * time.Hour, -time.Hour, time.Hour, 26 * time.Hour} {
		t.Run(fmt.Sprintf("%+.0f hours", skew.Hours()), func(t *testing.T) {
			t.Parallel()
			t.Run("keys", func(t *testing.T) {
				t.Parallel()
				s, url := storetest.NewStore(t)
				root, hasher := storetest.NewRoot(t, s), storetest.NewHasher(t)
				s = storetest.Skewed(t, url, skew)
				key, record := storetest.NewKey(hasher)
				expires := time.Now().Add(time.Minute)
				record.ExpiresAt = &expires
				require.NoError(t, s.Organizations.CreateAPIKey(t.Context(), root, storetest.Actor, record))
				_, err := s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
				require.NoError(t, err, "it works at once, and until its time is over")
				require.NoError(t, s.Organizations.RevokeAPIKey(t.Context(), root, storetest.Actor, record.ID))
				_, err = s.Organizations.FindPrincipal(t.Context(), hasher.Hashes(key))
				require.ErrorIs(t, err, models.ErrNotFound, "not after it is revoked")
			})
			t.Run("onboarding", func(t *testing.T) {
				t.Parallel()
				n := storetest.Onboard(t, 3)
				n.Store = storetest.Skewed(t, n.URL, skew)
				again := n.Submission(4)
				require.NoError(t, n.Do(again))
				require.NoError(t, n.Do(again), "the same submission")
				require.Equal(t, 1, n.Record().Steps[3].Attempts)
				var order *models.StepOrderError
				require.ErrorAs(t, n.Do(n.Submission(6)), &order)
				storetest.Execute(
					t, n.URL, "UPDATE onboardings SET next_check_at = now() WHERE organization_id = $1",
					n.Scope.OrganizationID,
				)
				leased, err := n.Store.Organizations.LeaseOnboardings(t.Context(), 10)
				require.NoError(t, err)
				require.Len(t, leased, 1)
				leased, err = n.Store.Organizations.LeaseOnboardings(t.Context(), 10)
				require.NoError(t, err)
				require.Empty(t, leased, "another process has the lease")
			})
			t.Run("filing", func(t *testing.T) {
				t.Parallel()
				b := storetest.SetupFilings(t)
				b.Skew(t, skew)
				b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
				f := b.January(t, models.FilingUnfiled)
				_, err := b.Approve(f.ID)
				require.NoError(t, err)
				require.Equal(t, "1 100.00 10.00", storetest.FilingSums(b.Read(t, f.ID)))
				b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
				require.Equal(
					t, 1,
					b.Count(
						t, "SELECT count(*) FROM filings WHERE filing_category = 'AMENDMENT'",
					)+b.Count(t, "SELECT count(*) FROM late_transactions"),
					"later transactions are amended",
				)
			})
		})
	}
}
