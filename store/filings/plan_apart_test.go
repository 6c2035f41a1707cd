package filings_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// The plan of a registration that ended and that of the next one read at the same time what there is to file.
// Neither sees the returns of the other, and still no day has a return of both.
func TestPlansOfTwoRegistrationsAtOnceFileNoDayTwice(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 4)
	ended, later := succession(t, b)
	open := func() string {
		var days []string
		for _, f := range filingsOf(t, b.Store, b.Scope) {
			days = append(days, f.StartDate.Format(time.DateOnly)+" "+f.EndDate.Format(time.DateOnly))
		}
		slices.Sort(days)
		return strings.Join(days, ", ")
	}
	done := make(chan error, 1)
	require.NoError(t, b.Store.InTx(t.Context(), func(ctx context.Context) error {
		_, err := b.Store.Filings.InsertPlannedFilings(ctx, periodsUntil("2026-03-31")(*ended))
		require.NoError(t, err)
		go func() {
			_, err := b.Store.Filings.PlanRegistration(t.Context(), b.Scope, later.ID, periodsUntil("2026-06-30"))
			done <- err
		}()
		waitForPlan(t, b, done)
		return nil
	}))
	require.NoError(t, <-done)
	require.Equal(t, "2026-01-01 2026-03-31, 2026-04-01 2026-06-30", open())
	_, err := planAll(t.Context(), b.Store, "2026-06-30")
	require.NoError(t, err)
	require.Equal(t, "2026-01-01 2026-03-31, 2026-04-01 2026-06-30", open())
}

// Two plans of an organization create returns of several authorities in any order. They do not wait for each other and
// file no day twice. This also holds if a return follows a skipped one and is not in the plan.
func TestPlansOfAnOrganizationWriteOneAfterTheOther(t *testing.T) {
	t.Parallel()
	for name, planned := range map[string]bool{"planned": true, "after a skipped one": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := storetest.Setup(t, 1, 4)
			ended, later := succession(t, b)
			nevada := register(t, b.Store, b.Scope, "NV", calendar.FilingQuarterly, "2026-01-01")
			insert := func(ctx context.Context, r *models.Registration, planned bool) error {
				f := periodsUntil("2026-03-31")(*r)[0]
				f.Planned = planned
				_, err := b.Store.Filings.InsertPlannedFilings(ctx, []models.Filing{f})
				return err
			}
			done := make(chan error, 1)
			require.NoError(t, b.Store.InTx(t.Context(), func(ctx context.Context) error {
				require.NoError(t, insert(ctx, ended, true))
				go func() {
					done <- b.Store.InTx(t.Context(), func(ctx context.Context) error {
						return errors.Join(insert(ctx, nevada, true), insert(ctx, later, planned))
					})
				}()
				waitForPlan(t, b, done)
				return insert(ctx, nevada, true)
			}))
			require.NoError(t, <-done)
			require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filings WHERE state_code = 'IA'"))
			require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filings WHERE state_code = 'NV'"))
		})
	}
}

// succession is a registration that ended with March, and one since the middle of February that follows it.
func succession(t *testing.T, b *storetest.Bundle) (ended, later *models.Registration) {
	t.Helper()
	ended = register(t, b.Store, b.Scope, "IA", calendar.FilingQuarterly, "2026-01-01")
	for _, status := range []string{"DEREGISTERING", "DEREGISTERED"} {
		_, err := b.SQL.Exec(t.Context(),
			"UPDATE registrations SET status = $2, deregistration_date = '2026-03-31' WHERE id = $1", ended.ID, status)
		require.NoError(t, err)
	}
	return ended, register(t, b.Store, b.Scope, "IA", calendar.FilingQuarterly, "2026-02-15")
}

// waitForPlan waits until another plan waits for this one, or is over.
func waitForPlan(t *testing.T, b *storetest.Bundle, done chan error) {
	t.Helper()
	require.Eventually(t, func() bool {
		waits := b.Count(t, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 13 AND NOT granted")
		return len(done) == 1 || waits == 1
	}, waitLimit, pollEvery)
}
