package money

import (
	"math/big"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/tax/calendar"
)

func TestMoneyIsReadExactlyOrRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0.00", "12.5": "12.50", "-3": "-3.00", "10.100": "10.10", "9999999999.99": "9999999999.99", "-0.00": "0.00",
		"007": "7.00",
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got.String())
	}
	for text, want := range map[string]error{
		"": ErrFormat, "-": ErrFormat, "1.": ErrFormat, ".5": ErrFormat, "+1": ErrFormat, "1e2": ErrFormat, " 1": ErrFormat,
		"NaN": ErrFormat, "1,000": ErrFormat,
		"1.005": ErrPrecision, "10000000000": ErrOverflow, "999999999999999999.99": ErrOverflow,
		"1.0000000000000000000000000001": ErrPrecision,
	} {
		_, err := Parse(text)
		require.ErrorIs(t, err, want, text)
	}
}

func TestFormatsOfTheContract(t *testing.T) {
	t.Parallel()
	require.Equal(t, "12.30", Format(dec("12.3")))
	require.Equal(t, "12.30", Format(dec("12.3000")))
	require.Equal(t, "0.00", Format(decimal.Decimal{}))
	require.Equal(t, "0.060000000", FormatRate(dec("0.06")))
	require.Equal(t, "0.000000000", FormatRate(decimal.Decimal{}))
	require.Equal(t, "1.0", FormatQuantity(dec("1")))
	require.Equal(t, "2.25", FormatQuantity(dec("2.2500")))
	require.Equal(t, "0.0", FormatQuantity(decimal.Decimal{}))
	require.Equal(t, "100.0", FormatQuantity(dec("100.00")))
}

func TestSumsAreExactOrFail(t *testing.T) {
	t.Parallel()
	sum, err := Add(dec("99999999999999999.98"), dec("0.01"))
	require.NoError(t, err)
	require.Equal(t, "99999999999999999.99", sum.String())
	_, err = Add(dec("99999999999999999.99"), dec("0.01"))
	require.ErrorIs(t, err, ErrOverflow)
	diff, err := Sub(dec("1.00"), dec("1.10"))
	require.NoError(t, err)
	require.Equal(t, "-0.10", diff.String())
}

func TestExactHoldsEveryProductAndSum(t *testing.T) {
	t.Parallel()
	unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(exactScale), nil))
	rapid.Check(t, func(t *rapid.T) {
		base, rate := rapid.Int64Range(-100*MaxCents, 100*MaxCents), rapid.Int64Range(-1e9, 1e9)
		b1, r1, b2, r2 := base.Draw(t, "b1"), rate.Draw(t, "r1"), base.Draw(t, "b2"), rate.Draw(t, "r2")
		sum := Product(b1, r1).Plus(Product(b2, r2))
		want := new(big.Int).Add(
			new(big.Int).Mul(big.NewInt(b1), big.NewInt(r1)), new(big.Int).Mul(big.NewInt(b2), big.NewInt(r2)),
		)
		wantRat := new(big.Rat).Mul(new(big.Rat).SetInt(want), unit)
		require.Zero(t, mustRat(sum.String()).Cmp(wantRat), sum.String())

		var back Exact
		require.NoError(t, back.UnmarshalText([]byte(sum.String())))
		require.Equal(t, sum, back)

		if cents, err := sum.Units(1); err == nil {
			require.Zero(t, big.NewRat(cents, 100).Cmp(mustRat(wantRat.FloatString(2))))
		}
		if b1 != 0 {
			if got := sum.PerBase(b1); got != 0 {
				want := new(big.Rat).Quo(wantRat, big.NewRat(b1, 10_000))
				require.Zero(t, big.NewRat(got, 1e9).Cmp(mustRat(want.FloatString(9))))
			}
		}
	})
}

func TestExactTextIsPlain(t *testing.T) {
	t.Parallel()
	require.Equal(t, "0.00", Exact{}.String())
	require.Equal(t, "8.875", Product(1_000_000, 88_750_000).String())
	require.Equal(t, "-0.0000000000001", Product(-1, 1).String())
	require.Equal(t, Exact{}, Product(0, 5))
	var e Exact
	for text, want := range map[string]error{"": ErrFormat, "-": ErrFormat, "1.": ErrFormat, "x": ErrFormat,
		"0.00000000000001": ErrPrecision, "1234567890123456789012345": ErrOverflow} {
		require.ErrorIs(t, e.UnmarshalText([]byte(text)), want, text)
	}
	require.NoError(t, e.UnmarshalText([]byte("-0")))
	require.Equal(t, Exact{}, e)
}

func TestDatesAreRealDays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31"} {
		d, err := calendar.ParseDate(text)
		require.NoError(t, err)
		require.Equal(t, text, d.String())
	}
	for _, text := range []string{
		"", "2026-02-29", "2026-13-01", "2026-1-01", "0000-01-01", "2026/01/01", "2026-01-0a",
	} {
		_, err := calendar.ParseDate(text)
		require.ErrorIs(t, err, calendar.ErrDate, text)
	}
	require.Equal(t, calendar.MustDate("2027-01-01"), calendar.MustDate("2026-12-31").AddDays(1))
	require.Equal(t, calendar.MustDate("2026-12-31"), calendar.MustDate("2027-01-01").AddDays(-1))
	require.Less(t, calendar.MustDate("2026-12-31"), calendar.MustDate("2027-01-01"))
	require.Empty(t, calendar.Date(0).String())
	require.True(t, calendar.Date(0).IsZero())
}
