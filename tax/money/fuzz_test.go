package money

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAmounts checks that a parsed amount has exactly the written value in each of the three forms, and is written as
// it was read.
func FuzzAmounts(f *testing.F) {
	for _, text := range []string{"0", "-0", "-0.00", "12.5", "-3", "9999999999.99", "10000000000", "1.005",
		"999999999999999999.99", "-", ".", "-.5", "1.", "00.10", "1e2", "+1", "0.0000000000000000000", "٣"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, isNumber := new(big.Rat).SetString(text)
		same := func(err error, written string) {
			if err != nil {
				require.True(
					t, errors.Is(err, ErrFormat) || errors.Is(err, ErrPrecision) || errors.Is(err, ErrOverflow),
					"%v", err,
				)
				return
			}
			require.True(t, isNumber, "%q was read as %s", text, written)
			got, ok := new(big.Rat).SetString(written)
			require.True(t, ok, written)
			require.Zero(t, want.Cmp(got), "%q was read as %s", text, written)
		}
		d, err := ParseDecimal(text)
		same(err, d.String())
		money, err := Parse(text)
		same(err, Format(money))
		total, totalErr := ParseTotal(text)
		same(totalErr, total.String())
		if err == nil {
			require.NoError(t, totalErr, "every amount is a total")
			require.Equal(t, strings.TrimPrefix(Format(money), "-"), strings.TrimPrefix(total.String(), "-"))
		}
	})
}
