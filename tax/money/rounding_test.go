package money

import (
	"math/big"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func dec(s string) decimal.Decimal { return decimal.MustParse(s) }

// anyDecimal draws decimals over the whole range of the type.
func anyDecimal(maxScale int) *rapid.Generator[decimal.Decimal] {
	return rapid.Custom(func(t *rapid.T) decimal.Decimal {
		return decimal.MustNew(rapid.Int64().Draw(t, "coefficient"), rapid.IntRange(0, maxScale).Draw(t, "scale"))
	})
}

func rational(d decimal.Decimal) *big.Rat {
	r, ok := new(big.Rat).SetString(d.String())
	if !ok {
		panic(d)
	}
	return r
}

// roundedRational rounds half away from zero, as FloatString does.
func roundedRational(r *big.Rat, scale int) string { return r.FloatString(scale) }

func TestMulRateHalfUpAgreesWithBigArithmetic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyDecimal(19).Draw(t, "amount"), anyDecimal(19).Draw(t, "rate")
		scale := rapid.IntRange(0, 19).Draw(t, "scale")
		got, err := MulRateHalfUp(a, b, scale)
		want := roundedRational(new(big.Rat).Mul(rational(a), rational(b)), scale)
		digits := new(big.Int)
		digits.SetString(stripPoint(want), 10)
		if digits.IsInt64() && digits.CmpAbs(big.NewInt(maxInt64)) <= 0 {
			require.NoError(t, err)
			require.Zero(t, rational(got).Cmp(mustRat(want)), "%v x %v = %v, want %s", a, b, got, want)
			require.Equal(t, scale, got.Scale())
			return
		}
		require.ErrorIs(t, err, ErrOverflow)
	})
}

func stripPoint(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] != '.' {
			b = append(b, s[i])
		}
	}
	return string(b)
}

func mustRat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return r
}

func TestTiesRoundAwayFromZeroOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ amount, rate, want string }{
		{"100.00", "0.08875", "8.88"},
		{"-100.00", "0.08875", "-8.88"},
		{"0.50", "0.01", "0.01"},
		{"-0.50", "0.01", "-0.01"},
		{"0.49", "0.01", "0.00"},
		{"1607246760.38", "788.445317275", "1267226181927.02"},
		{"9999999999.99", "0.999999999", "9999999989.99"},
		{"0.00", "0.08875", "0.00"},
	} {
		got, err := MulRateHalfUp(dec(test.amount), dec(test.rate), 2)
		require.NoError(t, err)
		want := roundedRational(new(big.Rat).Mul(rational(dec(test.amount)), rational(dec(test.rate))), 2)
		require.Equal(t, want, got.String())
		require.Equal(t, test.want, got.String(), "%s x %s", test.amount, test.rate)
	}
	got, err := MulRateHalfUp(dec("0.125"), decimal.One, 2)
	require.NoError(t, err)
	require.Equal(t, "0.13", got.String())
	_, err = MulRateHalfUp(dec("9999999999999999999"), dec("10"), 2)
	require.ErrorIs(t, err, ErrOverflow)
	_, err = MulRateHalfUp(dec("1"), dec("1"), 20)
	require.ErrorIs(t, err, ErrPrecision)
}

func TestEveryCentAtCommonRates(t *testing.T) {
	t.Parallel()
	for _, rate := range []string{"0.08875", "0.0825", "0.07", "0.0625", "0.005", "0.039375", "0.115"} {
		r := rational(dec(rate))
		for cents := int64(-20_000); cents <= 20_000; cents += 7 {
			amount := decimal.MustNew(cents, 2)
			got, err := MulRateHalfUp(amount, dec(rate), 2)
			require.NoError(t, err)
			require.Zero(t, rational(got).Cmp(mustRat(roundedRational(new(big.Rat).Mul(rational(amount), r), 2))))
		}
	}
}

func TestAllocateGivesLeftoverCentsToTheLargestRemainders(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		total   string
		weights []string
		want    []string
	}{
		"the first of equal remainders": {"0.01", []string{"1", "1", "1"}, []string{"0.01", "0.00", "0.00"}},
		"largest remainder wins":        {"8.88", []string{"4", "4.5", "0.375"}, []string{"4.00", "4.50", "0.38"}},
		"a negative total mirrors": {
			"-8.88", []string{"4", "4.5", "0.375"}, []string{"-4.00", "-4.50", "-0.38"},
		},
		"negative weights share":            {"10.00", []string{"150", "-50"}, []string{"15.00", "-5.00"}},
		"nothing to spread needs no weight": {"0.00", []string{"0", "0"}, []string{"0.00", "0.00"}},
		"nobody to spread over":             {"0.00", nil, []string{}},
		"a third each":                      {"100.00", []string{"1", "1", "1"}, []string{"33.34", "33.33", "33.33"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var weights []decimal.Decimal
			for _, w := range test.weights {
				weights = append(weights, dec(w))
			}
			got, err := Allocate(dec(test.total), weights)
			require.NoError(t, err)
			text := []string{}
			for _, g := range got {
				text = append(text, g.String())
			}
			require.Equal(t, test.want, text)
		})
	}
}

func TestAllocateRefusesWhatCannotBeShared(t *testing.T) {
	t.Parallel()
	_, err := Allocate(dec("1.00"), []decimal.Decimal{dec("1"), dec("-1")})
	require.ErrorIs(t, err, ErrNoWeight)
	_, err = Allocate(dec("1.00"), nil)
	require.ErrorIs(t, err, ErrNoWeight)
	_, err = Allocate(dec("1.001"), []decimal.Decimal{dec("1")})
	require.ErrorIs(t, err, ErrPrecision)
	_, err = Allocate(dec("90000000000000000.00"), []decimal.Decimal{dec("900000"), dec("-899999.99")})
	require.ErrorIs(t, err, ErrOverflow)
	_, err = Allocate(dec("1.00"), []decimal.Decimal{decimal.MustNew(maxInt64, 0), dec("1")})
	require.ErrorIs(t, err, ErrOverflow)
}

func TestAllocatedPartsAlwaysAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total := decimal.MustNew(rapid.Int64Range(-MaxCents, MaxCents).Draw(t, "cents"), 2)
		weights := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) decimal.Decimal {
			return decimal.MustNew(rapid.Int64Range(0, MaxCents).Draw(t, "weight"), 2)
		}), 1, 20).Draw(t, "weights")
		parts, err := Allocate(total, weights)
		if err != nil {
			require.ErrorIs(t, err, ErrNoWeight)
			return
		}
		sum, all := decimal.MustNew(0, 2), decimal.MustNew(0, 2)
		for i, p := range parts {
			sum, err = Add(sum, p)
			require.NoError(t, err)
			all, err = Add(all, weights[i])
			require.NoError(t, err)
		}
		require.Zero(t, sum.Cmp(total))
		if all.IsZero() { // nothing was spread over nothing
			return
		}
		for i, p := range parts { // each part is within a cent of its exact share
			share := new(big.Rat).Mul(rational(total), new(big.Rat).Quo(rational(weights[i]), rational(all)))
			diff := new(big.Rat).Sub(share, rational(p))
			require.Negative(t, diff.Abs(diff).Cmp(big.NewRat(1, 100)))
		}
	})
}
