package money_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/money"
)

func TestTotal(t *testing.T) {
	t.Parallel()

	t.Run("texts are read and written exactly", func(t *testing.T) {
		t.Parallel()
		for in, out := range map[string]string{
			"0": "0.00", "-0.00": "0.00", "1": "1.00", "12.5": "12.50", "-3.07": "-3.07", "0.10": "0.10", "0.01": "0.01",
			"-0.01": "-0.01",
			"007":   "7.00", "10.5000": "10.50", "100000000000000000": "100000000000000000.00",
			"999999999999999999.99": "999999999999999999.99", "-999999999999999999.99": "-999999999999999999.99",
		} {
			total, err := money.ParseTotal(in)
			require.NoError(t, err, in)
			require.Equal(t, out, total.String(), in)
		}
	})

	t.Run("what does not fit is refused and never cut", func(t *testing.T) {
		t.Parallel()
		for in, want := range map[string]error{
			"": money.ErrFormat, "-": money.ErrFormat, "+1": money.ErrFormat, ".5": money.ErrFormat, "1.": money.ErrFormat,
			"1e3": money.ErrFormat,
			"NaN": money.ErrFormat, "--1": money.ErrFormat, "1 ": money.ErrFormat, "0.001": money.ErrPrecision,
			"1000000000000000000": money.ErrOverflow,
		} {
			_, err := money.ParseTotal(in)
			require.ErrorIs(t, err, want, in)
		}
		most, err := money.ParseTotal("999999999999999999.99")
		require.NoError(t, err)
		cent, err := money.ParseTotal("0.01")
		require.NoError(t, err)
		_, err = most.Plus(cent)
		require.ErrorIs(t, err, money.ErrOverflow)
		_, err = most.Neg().Minus(cent)
		require.ErrorIs(t, err, money.ErrOverflow)
		less, err := most.Minus(cent)
		require.NoError(t, err)
		require.Equal(t, "999999999999999999.98", less.String())
	})

	t.Run("a database writes numbers as text", func(t *testing.T) {
		t.Parallel()
		var total money.Total
		require.NoError(t, total.Scan("12345678901234567.89"))
		require.Equal(t, "12345678901234567.89", total.String())
		require.NoError(t, total.Scan([]byte("-1.00")))
		require.Equal(t, "-1.00", total.String())
		for _, sum := range []string{"1000000000000000000.00",
			"-999999999999999999999999999999999999.99"} { // nobody has bounded it
			require.NoError(t, total.Scan(sum))
			require.Equal(t, sum, total.String())
			_, err := total.Plus(money.Total{})
			require.ErrorIs(t, err, money.ErrOverflow)
		}
		require.ErrorIs(t, total.Scan(strings.Repeat("9", 37)), money.ErrOverflow)
		require.ErrorIs(t, total.Scan(1.5), money.ErrFormat)
		require.ErrorIs(t, total.Scan(nil), money.ErrFormat)
	})
}

// Sums of random totals are those of numbers without any limit.
func TestWholeUnitsAndPortionsOfATotal(t *testing.T) {
	t.Parallel()
	for of, whole := range map[string]string{
		"0.49": "0.00", "0.50": "1.00", "-0.50": "-1.00", "-0.49": "0.00", "41237.48": "41237.00", "1.00": "1.00",
		"999999999999999998.50": "999999999999999999.00",
	} {
		total, err := money.ParseTotal(of)
		require.NoError(t, err)
		require.Equal(t, whole, total.WholeUnits().String(), of)
	}
	for of, alone := range map[string]string{
		"0.99": "0.00", "-0.99": "0.00", "401.99": "401.00", "-401.99": "-401.00", "5.00": "5.00",
		"999999999999999999.99": "999999999999999999.00",
	} {
		total, err := money.ParseTotal(of)
		require.NoError(t, err)
		require.Equal(t, alone, total.UnitsAlone().String(), of)
	}
	for _, c := range [][4]string{
		{"10.00", "824.74", "3402.05", "2.42"}, {"0.01", "1.00", "2.00", "0.01"}, {"-0.01", "1.00", "2.00", "-0.01"},
		{"0.01", "-1.00", "2.00", "-0.01"}, {"0.01", "-1.00", "-2.00", "0.01"}, {"5.00", "1.00", "0.00", "0.00"},
		{"5.00", "0.00", "-1.00", "0.00"},
		{"999999999999999999.99", "999999999999999999.99", "999999999999999999.99", "999999999999999999.99"},
	} {
		var totals [3]money.Total
		for i := range totals {
			var err error
			totals[i], err = money.ParseTotal(c[i])
			require.NoError(t, err)
		}
		require.Equal(t, c[3], totals[0].Portion(totals[1], totals[2]).String(), c)
	}
}

func TestTotalsAddUpExactly(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(18, 2))
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(20), nil)
	cents := func() *big.Int {
		n := new(big.Int).SetUint64(random.Uint64())
		n.Mul(n, big.NewInt(int64(random.IntN(6)+1))).Rsh(n, uint(random.IntN(66)))
		if n.Cmp(limit) >= 0 {
			n.Sub(limit, big.NewInt(1))
		}
		if random.IntN(2) == 0 {
			n.Neg(n)
		}
		return n
	}
	write := func(n *big.Int) string {
		digits := new(big.Int).Abs(n).String()
		digits = strings.Repeat("0", max(0, 3-len(digits))) + digits
		text := digits[:len(digits)-2] + "." + digits[len(digits)-2:]
		if n.Sign() < 0 {
			text = "-" + text
		}
		return text
	}
	for range 20_000 {
		a, b := cents(), cents()
		x, err := money.ParseTotal(write(a))
		require.NoError(t, err)
		y, err := money.ParseTotal(write(b))
		require.NoError(t, err)
		require.Equal(t, write(a), x.String())
		sum := new(big.Int).Add(a, b)
		got, err := x.Plus(y)
		if sum.CmpAbs(limit) >= 0 {
			require.ErrorIs(t, err, money.ErrOverflow)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, write(sum), got.String(), "%s + %s", x, y)
		back, err := got.Minus(y)
		require.NoError(t, err)
		require.Equal(t, x, back)
	}
}

func TestExactSumHasNoLimit(t *testing.T) {
	t.Parallel()
	most, err := money.ParseTotal("999999999999999999.99")
	require.NoError(t, err)
	cent, err := money.ParseTotal("0.01")
	require.NoError(t, err)
	require.Equal(t, "1000000000000000000.00", money.ExactSum(most, cent))
	require.Equal(t, "-1999999999999999999.98", money.ExactSum(most.Neg(), most.Neg()))
	require.Equal(t, "999999999999999999.98", money.ExactSum(most, cent.Neg()))
	require.Equal(t, "0.00", money.ExactSum())
	_, err = most.Plus(cent)
	require.ErrorIs(t, err, money.ErrOverflow)
}

// A share in whole units is rounded once: by way of cents 0.495 would be 0.50, and then 1.
func TestAShareInUnitsIsRoundedOnce(t *testing.T) {
	t.Parallel()
	for _, test := range [][4]string{
		{"198.00", "0.0025", "0.50", "0.00"}, {"-198.00", "0.0025", "-0.50", "0.00"}, {"200.00", "0.0025", "0.50", "1.00"},
		{"-200.00", "0.0025", "-0.50", "-1.00"}, {"314.00", "0.0175", "5.50", "5.00"}, {"0.00", "0.5", "0.00", "0.00"},
		{"999999999999999999.99", "1", "999999999999999999.99", "1000000000000000000.00"},
	} {
		amount, err := money.ParseTotal(test[0])
		require.NoError(t, err)
		share, err := money.ParseDecimal(test[1])
		require.NoError(t, err)
		require.Equal(t, test[2], amount.Share(share).String())
		require.Equal(t, test[3], amount.ShareInUnits(share).String())
	}
}
