package testbed

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/stretchr/testify/require"
)

// clockLibraries are where distributions put libfaketime.
var clockLibraries = []string{"/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib*/faketime/libfaketime.so.1",
	"/usr/local/lib/faketime/libfaketime.so.1"}

// mountClock gives the bed's own PostgreSQL a clock that SetClock can set. The test is
// skipped where that cannot be done.
func (b *Bed) mountClock() {
	b.tb.Helper()
	for _, pattern := range clockLibraries {
		found, err := filepath.Glob(pattern)
		require.NoError(b.tb, err)
		if len(found) == 0 {
			continue
		}
		b.clock = filepath.Join(b.dir, "clock")
		b.writeClock(0)
		b.serverEnvironment = []string{
			"LD_PRELOAD=" + found[0], "FAKETIME_TIMESTAMP_FILE=" + b.clock,
			"FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_DISABLE_SHM=1",
		}
		return
	}
	b.tb.Skip("the clock of PostgreSQL is set with libfaketime, which this machine does not have")
}

func (b *Bed) writeClock(ahead time.Duration) {
	text := fmt.Appendf(nil, "%+.0f\n", ahead.Seconds())
	require.NoError(b.tb, os.WriteFile(b.clock+".new", text, 0o644)) //nolint:gosec // PostgreSQL's user reads it
	require.NoError(b.tb, os.Rename(b.clock+".new", b.clock))
}

// SetClock lets the clock of the bed's own PostgreSQL, while it runs, jump to where it is
// ahead of the true time.
func (b *Bed) SetClock(ahead time.Duration) {
	b.tb.Helper()
	b.writeClock(ahead)
	b.Eventually(fmt.Sprintf("the clock of PostgreSQL is ahead by %v", ahead), func(ctx context.Context) (bool, error) {
		var there time.Time
		err := b.DB.QueryRow(ctx, "SELECT now()").Scan(&there)
		return math.Abs((time.Until(there) - ahead).Seconds()) < 60, err
	})
}

// FirstOfPeriod is the first day of the n-th last month that is over everywhere, which a month is 12 hours after its end in UTC. Its
// returns exist; 0 is the month after the last of them.
func FirstOfPeriod(n int) time.Time {
	now := time.Now().UTC().Add(-12 * time.Hour)
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -n, 0)
}

// FirstOfMonth is the first day of the month n months ago, at midnight UTC.
func FirstOfMonth(n int) time.Time {
	now := time.Now().UTC()
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -n, 0)
}
