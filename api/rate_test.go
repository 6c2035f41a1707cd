package api

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func testRate(limits Limits) (*rateLimit, *time.Time) {
	now := time.Date(2026, 5, 15, 10, 0, 0, 0, time.UTC)
	return newRateLimit(limits, func() time.Time { return now }), &now
}

func TestTheBucketEmptiesAndFills(t *testing.T) {
	t.Parallel()
	rates, now := testRate(Limits{})
	rate := rates.limits.Rate
	require.Equal(t, models.RateLimit{PerMinute: 10_000, Burst: 500}, rate)
	call := func() verdict {
		v := rates.take("org_1", rate, false)
		if v.refused == "" {
			rates.giveBack("org_1", false)
		}
		return v
	}
	for left := range 500 {
		v := call()
		require.Empty(t, v.refused)
		require.Equal(t, 499-left, v.remaining)
	}
	v := call()
	require.Equal(t, "rate", v.refused)
	require.Zero(t, v.remaining)
	require.Equal(t, 3*time.Second, v.reset, "500 tokens at 10,000 a minute")
	require.Equal(t, 6*time.Millisecond, v.wait)
	require.Empty(t, rates.take("org_2", rate, false).refused, "another organization has its own")

	*now = now.Add(5 * time.Millisecond)
	require.Equal(t, "rate", call().refused)
	*now = now.Add(time.Millisecond)
	require.Empty(t, call().refused, "a token after 6 ms")
	require.Equal(t, "rate", call().refused, "and only one: what is refused costs nothing")
	*now = now.Add(time.Hour)
	require.Equal(t, 499, call().remaining, "it never holds more than its capacity")

	// In the long run it is the rate that counts.
	passed := 0
	for range 60_000 {
		*now = now.Add(time.Millisecond)
		if call().refused == "" {
			passed++
		}
	}
	require.InDelta(t, 10_499, passed, 2)
}

func TestALimitThatBecomesLowerHoldsAtOnce(t *testing.T) {
	t.Parallel()
	rates, now := testRate(Limits{Concurrent: 1000})
	for range 500 {
		rates.take("org_1", models.RateLimit{PerMinute: 60, Burst: 500}, false)
	}
	lower := models.RateLimit{PerMinute: 60, Burst: 2}
	v := rates.take("org_1", lower, false)
	require.Equal(t, "rate", v.refused)
	require.Equal(t, time.Second, v.wait)
	*now = now.Add(time.Second)
	require.Empty(t, rates.take("org_1", lower, false).refused)
}

func TestCallsAndStreamsUnderWayAreBounded(t *testing.T) {
	t.Parallel()
	rates, _ := testRate(Limits{Concurrent: 3, Streams: 2})
	rate := rates.limits.Rate
	take := func(stream bool) string { return rates.take("org_1", rate, stream).refused }
	require.Equal(t, []string{"", "", "", "concurrency"}, []string{take(false), take(false), take(false), take(false)})
	require.Equal(t, []string{"", "", "concurrency"}, []string{take(true), take(true), take(true)})
	rates.giveBack("org_1", false)
	require.Equal(t, []string{"concurrency", "", "concurrency"}, []string{take(true), take(false), take(false)})
	rates.giveBack("org_1", true)
	require.Empty(t, take(true))
	require.Equal(t, 493, rates.take("org_1", rate, false).remaining, "what is refused costs nothing")
}

func TestRateMemoryIsBounded(t *testing.T) {
	t.Parallel()
	rates, now := testRate(Limits{})
	rate := rates.limits.Rate
	rates.take("busy", rate, false)
	for i := range 2 * maxBuckets {
		id := fmt.Sprint(i)
		rates.take(id, rate, false)
		rates.giveBack(id, false)
		if len(rates.buckets) > maxBuckets {
			t.Fatal("too many are remembered")
		}
	}
	require.Contains(t, rates.buckets, "busy", "what is under way is not forgotten")
	*now = now.Add(time.Second)
	rates.forget(*now)
	require.Len(t, rates.buckets, 1, "full buckets are forgotten first")
	rates.giveBack("busy", false)
}

func BenchmarkRateLimit(b *testing.B) {
	rates := newRateLimit(Limits{Rate: models.RateLimit{PerMinute: 1 << 40, Burst: 1 << 20}, Concurrent: 1 << 20}, time.Now)
	for i := range 1000 {
		rates.take(fmt.Sprint(i), rates.limits.Rate, false)
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			rates.take("500", rates.limits.Rate, false)
			rates.giveBack("500", false)
		}
	})
}
