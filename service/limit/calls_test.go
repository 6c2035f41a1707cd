package limit

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func testCalls(limits Config) (*Calls, *time.Time) {
	now := time.Date(2026, 5, 15, 10, 0, 0, 0, time.UTC)
	return NewCalls(limits, func() time.Time { return now }), &now
}

func TestTheBucketEmptiesAndFills(t *testing.T) {
	t.Parallel()
	calls, now := testCalls(Config{})
	rate := calls.config.Rate
	require.Equal(t, models.RateLimit{PerMinute: 10_000, Burst: 500}, rate)
	c := func() Decision {
		v := calls.Begin("org_1", rate, false)
		if v.Refused == "" {
			calls.End("org_1", false)
		}
		return v
	}
	for left := range 500 {
		v := c()
		require.Empty(t, v.Refused)
		require.Equal(t, 499-left, v.Remaining)
	}
	v := c()
	require.Equal(t, Rate, v.Refused)
	require.Zero(t, v.Remaining)
	require.Equal(t, 3*time.Second, v.Reset, "500 tokens at 10,000 a minute")
	require.Equal(t, 6*time.Millisecond, v.Wait)
	require.Empty(t, calls.Begin("org_2", rate, false).Refused, "another organization has its own")

	*now = now.Add(5 * time.Millisecond)
	require.Equal(t, Rate, c().Refused)
	*now = now.Add(time.Millisecond)
	require.Empty(t, c().Refused, "a token after 6 ms")
	require.Equal(t, Rate, c().Refused, "and only one: what is refused costs nothing")
	*now = now.Add(time.Hour)
	require.Equal(t, 499, c().Remaining, "it never holds more than its capacity")

	// In the long run it is the rate that counts.
	passed := 0
	for range 60_000 {
		*now = now.Add(time.Millisecond)
		if c().Refused == "" {
			passed++
		}
	}
	require.InDelta(t, 10_499, passed, 2)
}

func TestALimitThatBecomesLowerHoldsAtOnce(t *testing.T) {
	t.Parallel()
	calls, now := testCalls(Config{Concurrent: 1000})
	for range 500 {
		calls.Begin("org_1", models.RateLimit{PerMinute: 60, Burst: 500}, false)
	}
	lower := models.RateLimit{PerMinute: 60, Burst: 2}
	v := calls.Begin("org_1", lower, false)
	require.Equal(t, Rate, v.Refused)
	require.Equal(t, time.Second, v.Wait)
	*now = now.Add(time.Second)
	require.Empty(t, calls.Begin("org_1", lower, false).Refused)
}

func TestCallsAndStreamsUnderWayAreBounded(t *testing.T) {
	t.Parallel()
	calls, _ := testCalls(Config{Concurrent: 3, Streams: 2})
	rate := calls.config.Rate
	begin := func(stream bool) string { return calls.Begin("org_1", rate, stream).Refused }
	require.Equal(t, []string{"", "", "", Concurrency}, []string{
		begin(false), begin(false), begin(false), begin(false),
	})
	require.Equal(t, []string{"", "", Concurrency}, []string{begin(true), begin(true), begin(true)})
	calls.End("org_1", false)
	require.Equal(t, []string{Concurrency, "", Concurrency}, []string{begin(true), begin(false), begin(false)})
	calls.End("org_1", true)
	require.Empty(t, begin(true))
	require.Equal(t, 493, calls.Begin("org_1", rate, false).Remaining, "what is refused costs nothing")
}

func TestRateMemoryIsBounded(t *testing.T) {
	t.Parallel()
	calls, now := testCalls(Config{})
	rate := calls.config.Rate
	calls.Begin("busy", rate, false)
	for i := range 2 * maxOrganizations {
		id := fmt.Sprint(i)
		calls.Begin(id, rate, false)
		calls.End(id, false)
		if len(calls.organizations) > maxOrganizations {
			t.Fatal("too many are remembered")
		}
	}
	require.Contains(t, calls.organizations, "busy", "what is under way is not forgotten")
	*now = now.Add(time.Second)
	calls.forget(*now)
	require.Len(t, calls.organizations, 1, "full buckets are forgotten first")
	calls.End("busy", false)
}

func BenchmarkCalls(b *testing.B) {
	calls := NewCalls(Config{Rate: models.RateLimit{PerMinute: 1 << 40, Burst: 1 << 20}, Concurrent: 1 << 20}, time.Now)
	for i := range 1000 {
		calls.Begin(fmt.Sprint(i), calls.config.Rate, false)
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			calls.Begin("500", calls.config.Rate, false)
			calls.End("500", false)
		}
	})
}
