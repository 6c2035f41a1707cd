package money

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An amount that is too large for a document is an error, however it is read: it is never truncated.
func TestExactAmountsThatAreTooLarge(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		amount         string
		rounds, isCut  bool
		cents, wantCut int64
	}{
		{"9999999999.99", true, true, MaxCents, MaxCents},
		{"9999999999.9949999999999", true, true, MaxCents, MaxCents},
		{"9999999999.995", false, true, 0, MaxCents}, // rounded it is a cent too much
		{"9999999999.9999999999999", false, true, 0, MaxCents},
		{"10000000000.00", false, false, 0, 0},
		{"999999999999999999999999.99", false, false, 0, 0},
		{"200000000000000000.00", false, false, 0, 0},
		{"20000000000000000000000.00", false, false, 0, 0}, // a quotient of more than 64 bits
	} {
		for _, sign := range []string{"", "-"} {
			var e Exact
			require.NoError(t, e.UnmarshalText([]byte(sign+test.amount)))
			cents, err := e.Units(1)
			require.Equal(t, test.rounds, err == nil, sign+test.amount)
			cut, rest, cutErr := e.Cut(1)
			require.Equal(t, test.isCut, cutErr == nil, sign+test.amount)
			if sign == "-" {
				cents, cut, rest = -cents, -cut, -rest
			}
			require.Equal(t, []int64{test.cents, test.wantCut}, []int64{cents, cut}, sign+test.amount)
			require.GreaterOrEqual(t, rest, int64(0), "the rest has the sign of the amount")
			for _, err := range []error{err, cutErr} {
				if err != nil {
					require.ErrorIs(t, err, ErrOverflow)
				}
			}
		}
	}
}

// A rate per base has nine decimals, halves away from zero, whatever the signs; from 1000 on there is none.
func TestRatesPerBase(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		amount string
		base   int64 // in units of 10^-4
		rate   int64
	}{
		{"8.875", 1_000_000, 88_750_000}, {"-8.875", 1_000_000, -88_750_000}, {"8.875", -1_000_000, -88_750_000},
		{"-8.875", -1_000_000, 88_750_000}, {"1.00", 30_000, 333_333_333}, {"2.00", 30_000, 666_666_667},
		{"0.0000000000005", 10_000, 0}, {"0.0000000005", 10_000, 1}, {"0.0000000004999", 10_000, 0},
		{"-0.0000000005", 10_000, -1}, {"999.9999999994", 10_000, 999_999_999_999}, {"999.9999999995", 10_000, 0},
		{"1000.00", 10_000, 0}, {"5.00", 0, 0}, {"0.00", 10_000, 0}, {"999999999999999999999999", 1, 0},
	} {
		var e Exact
		require.NoError(t, e.UnmarshalText([]byte(test.amount)))
		require.Equal(t, test.rate, e.PerBase(test.base), "%s per %d", test.amount, test.base)
	}
}

// Sums carry from the lower half of the number into the upper one and back, and have one zero.
func TestSumsOfExactAmounts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, b, sum string }{
		{"1844674.4073709551615", "0.0000000000001", "1844674.4073709551616"}, // 2^64 units less one
		{"1844674.4073709551616", "-0.0000000000001", "1844674.4073709551615"},
		{"-1844674.4073709551616", "0.0000000000001", "-1844674.4073709551615"},
		{"0.0000000000001", "-1844674.4073709551616", "-1844674.4073709551615"},
		{"5.00", "-5.00", "0.00"}, {"-5.00", "5.00", "0.00"}, {"-0.00", "0.00", "0.00"}, {"2.50", "-5.00", "-2.50"},
		{"-2.50", "-2.50", "-5.00"},
		{"99999999999999999999999.99", "0.01", "100000000000000000000000.00"},
	} {
		var a, b Exact
		require.NoError(t, a.UnmarshalText([]byte(test.a)))
		require.NoError(t, b.UnmarshalText([]byte(test.b)))
		require.Equal(t, test.sum, a.Plus(b).String(), "%s + %s", test.a, test.b)
		require.Equal(t, a.Plus(b), b.Plus(a), "%s + %s", test.a, test.b)
		require.Equal(t, a.Plus(b).Neg(), a.Neg().Plus(b.Neg()), "%s + %s", test.a, test.b)
	}
}
