package content_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
	"levy/tax/money"
)

func importRates(t *testing.T, s *store.Store, file string) int64 {
	t.Helper()
	rates, err := money.ReadReferenceRates(strings.NewReader(file))
	require.NoError(t, err)
	heard := 0
	changed, err := s.Content.ImportRates(context.Background(), "ECB", rates, func(n int) { heard += n })
	require.NoError(t, err)
	require.Len(t, rates, heard)
	return changed
}

func TestTheRateIsThatOfTheTaxDateOrOfTheSevenDaysBefore(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	importRates(t, s, "Date,USD,CAD,GBP\n2026-05-15,1.25,1.5,0.8\n2026-05-14,1.2,N/A,0.7\n2026-05-13,1.1,1.6,0.6\n")
	day := func(n int) time.Time { return time.Date(2026, 5, n, 0, 0, 0, 0, time.UTC) }
	type found struct{ rate, day string }
	want := map[models.CurrencyPair]found{
		{From: "USD", To: "CAD", Day: day(15)}: {"1.200000000", "2026-05-15"},
		{From: "CAD", To: "USD", Day: day(15)}: {"0.833333333", "2026-05-15"},
		{From: "EUR", To: "USD", Day: day(15)}: {"1.250000000", "2026-05-15"},
		{From: "USD", To: "EUR", Day: day(15)}: {"0.800000000", "2026-05-15"},
		{From: "USD", To: "CAD", Day: day(14)}: {"1.454545455", "2026-05-13"}, // both of one day, not one of each
		{From: "USD", To: "GBP", Day: day(14)}: {"0.583333333", "2026-05-14"},
		{From: "USD", To: "CAD", Day: day(22)}: {"1.200000000", "2026-05-15"},
	}
	pairs := []models.CurrencyPair{
		{
			From: "USD", To: "CAD", Day: day(23),
		}, {From: "USD", To: "CAD", Day: day(12)}, {From: "USD", To: "XXX", Day: day(15)},
		{From: "XXX", To: "EUR", Day: day(15)},
	}
	for pair := range want {
		pairs = append(pairs, pair)
	}
	rates, err := s.Content.ConversionRates(t.Context(), pairs)
	require.NoError(t, err)
	got := map[models.CurrencyPair]found{}
	for pair, rate := range rates {
		require.Equal(t, "ECB", rate.Source)
		got[pair] = found{money.FormatRate(rate.Rate), rate.Day.Format(time.DateOnly)}
	}
	require.Equal(t, want, got)
}

// A sale in lev may be refunded in lev long after Bulgaria got the euro, when nobody publishes a rate of the lev any more.
func TestACurrencyThatTheEuroReplacedHasAFixedRate(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	importRates(t, s, "Date,USD,BGN\n2026-02-02,1.2,N/A\n2025-12-31,1.1,1.9558\n")
	on := func(day string) time.Time {
		d, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		return d
	}
	want := map[models.CurrencyPair]string{
		{From: "BGN", To: "EUR", Day: on("2025-12-31")}: "0.511299724 2025-12-31 ECB",
		{From: "BGN", To: "EUR", Day: on("2026-01-01")}: "0.511291881 2026-01-01 " + money.FixedRateSource,
		{From: "BGN", To: "EUR", Day: on("2026-02-02")}: "0.511291881 2026-01-01 " + money.FixedRateSource,
		{From: "EUR", To: "HRK", Day: on("2026-02-02")}: "7.534500000 2023-01-01 " + money.FixedRateSource,
		{From: "BGN", To: "USD", Day: on("2026-02-02")}: "0.613550257 2026-02-02 ECB",
		{From: "USD", To: "BGN", Day: on("2026-02-02")}: "1.629858333 2026-02-02 ECB",
	}
	pairs := []models.CurrencyPair{
		{From: "HRK", To: "EUR", Day: on("2022-12-31")}, {From: "BGN", To: "USD", Day: on("2026-01-20")},
	}
	for pair := range want {
		pairs = append(pairs, pair)
	}
	rates, err := s.Content.ConversionRates(t.Context(), pairs)
	require.NoError(t, err)
	got := map[models.CurrencyPair]string{}
	for pair, rate := range rates {
		got[pair] = money.FormatRate(rate.Rate) + " " + rate.Day.Format(time.DateOnly) + " " + rate.Source
	}
	require.Equal(t, want, got)
}

func TestImportingTheSameRatesTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	require.EqualValues(t, 2, importRates(t, s, "Date,USD,CAD\n2026-05-15,1.25,1.5\n"))
	require.Zero(t, importRates(t, s, "Date,USD,CAD,\n2026-05-15,1.2500,1.5,\n"))
	require.EqualValues(t, 2, importRates(t, s, "Date,USD,CAD\n2026-05-15,1.26,1.5\n2026-05-16,1.25,N/A\n"))
}
