package money

import (
	"math/big"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFractionsOfACent(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		amount         string
		whole, nearest int64
	}{
		{"0", 0, 0}, {"1/3", 0, 0}, {"1/2", 0, 1}, {"4999999999/10000000000", 0, 0}, {"2/3", 0, 1}, {"1", 1, 1},
		{"3/2", 1, 2},
		{"5/2", 2, 3}, {"7/2", 3, 4}, {"299/100", 2, 3}, {"999999999999/1", MaxCents, MaxCents},
		{"1999999999999/2", MaxCents, MaxCents + 1}, {"-1/2", 0, 0}, {"-7", 0, 0}, // no remainder stays zero
	} {
		require.Equal(t, test.whole, Whole(mustRat(test.amount)), test.amount)
		require.Equal(t, test.nearest, Nearest(mustRat(test.amount)), test.amount)
	}
}

// A rate has nine decimals, halves up, and is less than 1000: above that no rate is shown.
func TestTheRateOfATaxOnABase(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		tax  string // in cents
		base int64
		rate int64 // in units of 10^-9
	}{
		{"0", 10_000, 0}, {"888", 10_000, 88_800_000}, {"8875/10", 10_000, 88_750_000}, {"1", 3, 333_333_333},
		{"2", 3, 666_666_667}, {"1", 2_000_000_000, 1}, {"1", 2_000_000_001, 0}, {"1", 0, 0}, {"999", 1, 999_000_000_000},
		{"1000", 1, 0}, {"9999999999/10000000", 1, 999_999_999_900}, {"1001", 1, 0},
	} {
		require.Equal(t, test.rate, RateOf(mustRat(test.tax), test.base), "%s on %d", test.tax, test.base)
	}
}

// An amount in cents keeps thirteen decimals of a dollar; further decimals are cut, on both signs alike.
func TestAnExactAmountOfCents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cents string
		sign  int64
		want  string
	}{
		{"0", 1, "0.00"}, {"0", -1, "0.00"}, {"8875/10", 1, "8.875"}, {"8875/10", -1, "-8.875"},
		{"1/3", 1, "0.0033333333333"}, {"2/3", 1, "0.0066666666666"}, {"2/3", -1, "-0.0066666666666"},
		{"1/100000000000", 1, "0.0000000000001"}, {"9/1000000000000", -1, "0.00"},
		{"99999999999999999999", 1, "999999999999999999.99"}, // more than 64 bits of units
	} {
		exact := ExactOf(mustRat(test.cents), test.sign)
		require.Equal(t, test.want, exact.String(), test.cents)
		text, err := exact.MarshalText()
		require.NoError(t, err)
		require.Equal(t, test.want, string(text), "stored as it is written")
		var back Exact
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, exact, back)
		require.Equal(t, exact.Neg(), ExactOf(mustRat(test.cents), -test.sign), "the other sign mirrors it")
		require.Equal(t, exact, exact.Neg().Neg())
		require.Equal(t, test.want == "0.00", exact == Exact{})
		require.Equal(t, Exact{}, exact.Plus(exact.Neg()))
	}
}

func TestSharesBetweenRefuseWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		amount, from, to, whole string
		err                     error
	}{
		{"0.001", "0", "1", "1", ErrPrecision}, {"1", "0.001", "1", "1", ErrPrecision},
		{"1", "0", "0.001", "1", ErrPrecision},
		{"1", "0", "1", "0.001", ErrPrecision}, {"1", "0", "1", "9999999999999999999", ErrOverflow},
		{"92233720368547758.07", "0", "0.01", "0.01", ErrOverflow},
		{"-92233720368547758.07", "0", "0.01", "0.01", ErrOverflow},
		{"90000000000000000.00", "0", "90000000000000000.00", "0.01", ErrOverflow}, // 8.1 x 10^35
		{"90000000000000000.00", "90000000000000000.00", "0", "0.01", ErrOverflow},
		{"46116860184273879.03", "0", "1", "1", nil}, {"9999999999.99", "0", "9999999999.99", "9999999999.99", nil},
	} {
		got, err := ShareBetween(dec(test.amount), dec(test.from), dec(test.to), dec(test.whole))
		require.ErrorIs(t, err, test.err, "%+v", test)
		if test.err == nil {
			require.Equal(t, test.amount, got.String())
		}
	}
}

// A share is the difference of two exact parts of the amount, each rounded half away from zero, for all signs.
func TestASharedAmountIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.OneOf(rapid.Int64Range(-20, 20), rapid.Int64Range(-MaxCents, MaxCents))
		amount, from, to := cents.Draw(t, "amount"), cents.Draw(t, "from"), cents.Draw(t, "to")
		whole := cents.Filter(func(c int64) bool { return c != 0 }).Draw(t, "whole")
		rounded := func(point int64) *big.Int {
			exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(amount), big.NewInt(point)), big.NewInt(whole))
			sign := big.NewInt(int64(exact.Sign()))
			exact.Abs(exact).Add(exact, big.NewRat(1, 2))
			return sign.Mul(sign, new(big.Int).Quo(exact.Num(), exact.Denom()))
		}
		limit := new(big.Int).Lsh(big.NewInt(1), 62)
		start, end := rounded(from), rounded(to)
		share, err := ShareBetween(FromCents(amount), FromCents(from), FromCents(to), FromCents(whole))
		if start.CmpAbs(limit) >= 0 || end.CmpAbs(limit) >= 0 {
			require.ErrorIs(t, err, ErrOverflow)
			return
		}
		require.NoError(t, err)
		require.Equal(t, FromCents(end.Sub(end, start).Int64()), share)
	})
}

// Each sale shares many amounts.
func TestASharedAmountNeedsNoMemory(t *testing.T) {
	amount, from, to, whole := dec("17.50"), dec("9.99"), dec("-3.01"), dec("23.96")
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = ShareBetween(amount, from, to, whole) }))
}

// Wherever an amount is divided, the parts add up to it, and each is within a cent of its exact share.
func TestPartsOfAnAmountAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := FromCents(rapid.Int64Range(-MaxCents, MaxCents).Draw(t, "amount"))
		whole := rapid.Int64Range(1, MaxCents).Draw(t, "whole")
		cuts := []int64{0}
		for range rapid.IntRange(0, 6).Draw(t, "cuts") {
			cuts = append(cuts, rapid.Int64Range(cuts[len(cuts)-1], whole).Draw(t, "cut"))
		}
		cuts = append(cuts, whole)
		sum := decimal.MustNew(0, 2)
		for i := range len(cuts) - 1 {
			part, err := ShareBetween(amount, FromCents(cuts[i]), FromCents(cuts[i+1]), FromCents(whole))
			require.NoError(t, err)
			sum, err = Add(sum, part)
			require.NoError(t, err)
			exact := new(big.Rat).Mul(rational(amount), big.NewRat(cuts[i+1]-cuts[i], whole))
			apart := exact.Sub(exact, rational(part))
			require.LessOrEqual(t, apart.Abs(apart).Cmp(big.NewRat(1, 100)), 0)
		}
		require.Equal(t, amount.String(), sum.String())
	})
}
