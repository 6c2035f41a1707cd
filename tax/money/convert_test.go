package money

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
)

func TestCrossRatesAreRoundedOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, from, to, want string }{
		{"from the base", "1", "1.1492", "1.149200000"},
		{"to the base", "1.1492", "1", "0.870170553"},
		{"between two others", "1.1492", "163.07", "141.898712148"},
		{"a half is rounded away from zero", "2000000000", "1", "0.000000001"},
		{"trailing zeros say nothing", "1.149200000", "163.070000000", "141.898712148"},
		{"large", "1", "9223372036.854775807", "9223372036.854775807"},
	} {
		rate, err := CrossRate(decimal.MustParse(c.from), decimal.MustParse(c.to))
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, FormatRate(rate), c.name)
	}
	for _, c := range [][2]string{{"0", "1"}, {"1", "0"}, {"-1", "1"}, {"9999999999", "0.1"},
		{"0.000000001", "9999999999"}} {
		_, err := CrossRate(decimal.MustParse(c[0]), decimal.MustParse(c[1]))
		require.ErrorIs(t, err, ErrOverflow, c)
	}
}

// The reference is arithmetic with whole numbers of any size.
func TestCrossRateAgreesWithRationals(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		from, to := decimal.MustNew(1+r.Int64N(10_000_000_000), r.IntN(7)),
			decimal.MustNew(1+r.Int64N(10_000_000_000), r.IntN(7))
		exact, _ := new(big.Rat).SetString(to.String())
		divisor, _ := new(big.Rat).SetString(from.String())
		exact.Quo(exact, divisor)
		rate, err := CrossRate(from, to)
		if err != nil {
			continue
		}
		require.Equal(t, exact.FloatString(9), FormatRate(rate), "%v / %v", to, from)
	}
}

func TestConvertedPartsAddUp(t *testing.T) {
	t.Parallel()
	money := func(texts ...string) []decimal.Decimal {
		var all []decimal.Decimal
		for _, text := range texts {
			all = append(all, decimal.MustParse(text))
		}
		return all
	}
	for _, c := range []struct {
		name, whole, rate string
		parts, want       []decimal.Decimal
	}{
		{
			"equal parts: the first gets the cent", "0.02", "0.5", money("0.01", "0.01", "0.01"),
			money("0.01", "0.01", "0.00"),
		},
		{"the largest remainder gets the cent", "1.33", "1.1", money("0.33", "0.88"), money("0.36", "0.97")},
		{"parts of both signs", "0.01", "0.5", money("1000.00", "-999.99"), money("500.00", "-499.99")},
		{"nothing", "0.00", "1.1", nil, money()},
	} {
		got, err := ConvertParts(decimal.MustParse(c.whole), c.parts, decimal.MustParse(c.rate))
		require.NoError(t, err, c.name)
		require.Len(t, got, len(c.want), c.name)
		for i := range got {
			require.Equal(t, c.want[i].String(), got[i].String(), c.name)
		}
	}
	_, err := ConvertParts(decimal.MustParse("5.00"), money("0.01"), decimal.One)
	require.ErrorIs(t, err, ErrFormat)
	_, err = Convert(decimal.MustParse("9999999999.99"), decimal.MustParse("1.1"))
	require.ErrorIs(t, err, ErrOverflow)
}

// Amounts that cannot be converted exactly are refused: as the total, as the rate and as a part.
func TestConversionsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		why, whole, rate, part string
		err                    error
	}{
		{"a whole with fractions of a cent", "1.001", "1", "1.00", ErrPrecision},
		{"a whole of eleven digits", "10000000000.00", "1", "1.00", ErrOverflow},
		{"a rate of ten decimals", "1.00", "1.0000000001", "1.00", ErrPrecision},
		{"a rate that is no number of units", "1.00", "9999999999", "1.00", ErrOverflow},
		{"a part with fractions of a cent", "1.00", "1", "1.001", ErrPrecision},
		{"a part of eleven digits", "1.00", "1", "10000000000.00", ErrOverflow},
		{"a part that becomes a cent too much", "9999999999.99", "1.000000001", "9999999999.99", ErrOverflow},
		{
			"a part that becomes more than numbers hold", "9999999999.99", "9223372036.854775807", "9999999999.99", ErrOverflow,
		},
		{"a part that becomes eleven digits", "9999999999.99", "2", "5000000000.00", ErrOverflow},
		{"two cents too many for one part", "1.02", "1", "0.99", ErrFormat},
		{"two cents too few for one part", "-1.02", "1", "-0.99", ErrFormat},
		{"a cent that a rounding explains", "1.00", "1", "0.99", nil},
	} {
		_, err := ConvertParts(dec(test.whole), []decimal.Decimal{dec(test.part)}, dec(test.rate))
		require.ErrorIs(t, err, test.err, test.why)
	}
	for _, test := range []struct {
		amount, rate string
		err          error
	}{
		{"9999999999999999999", "10", ErrOverflow}, {"9999999999.99", "1.000000001", ErrOverflow},
		{"-9999999999.99", "1.000000001", ErrOverflow}, {"9999999999.99", "1", nil}, {"-9999999999.99", "1", nil},
	} {
		_, err := Convert(dec(test.amount), dec(test.rate))
		require.ErrorIs(t, err, test.err, "%s at %s", test.amount, test.rate)
	}
	for _, pair := range [][2]string{
		{"0.00000000001", "1"}, {"1", "0.0000000001"}, {"0.00000000000000001", "1"}, {"9999999999999999999", "0.000000001"},
	} {
		_, err := CrossRate(dec(pair[0]), dec(pair[1]))
		require.ErrorIs(t, err, ErrOverflow, "%v", pair)
	}
	rate, err := CrossRate(dec("0.0000000001"), dec("0.1"))
	require.NoError(t, err)
	require.Equal(t, "1000000000.000000000", FormatRate(rate))
}

func FuzzConvertedPartsAddUp(f *testing.F) {
	f.Add(int64(123), int64(-45), int64(6), int64(1_149_200_000))
	f.Fuzz(func(t *testing.T, a, b, c, nano int64) {
		limit := func(v int64) decimal.Decimal { return FromCents(v % 100_000_000_00) }
		parts := []decimal.Decimal{limit(a), limit(b), limit(c)}
		rate := FromNano(int64(Magnitude(nano)%10_000_000_000) + 1)
		sum, err := Add(parts[0], parts[1])
		require.NoError(t, err)
		sum, err = Add(sum, parts[2])
		require.NoError(t, err)
		whole, err := Convert(sum, rate)
		if err != nil {
			return // too large: there is nothing to compare
		}
		converted, err := ConvertParts(whole, parts, rate)
		if err != nil {
			return // too large: there is nothing to compare
		}
		got := decimal.Zero
		for i, part := range converted {
			got, err = Add(got, part)
			require.NoError(t, err)
			alone, err := MulRateHalfUp(parts[i], rate, Scale)
			require.NoError(t, err)
			apart, err := Sub(alone, part)
			require.NoError(t, err)
			require.LessOrEqual(t, apart.CmpAbs(decimal.MustNew(2, 2)), 0, "a part is moved by two cents at most")
		}
		require.Equal(t, Format(whole), Format(got))
	})
}
