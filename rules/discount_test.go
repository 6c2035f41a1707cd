package rules

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADiscountIsAtMostTheAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		discount, amount string
		exceeds          bool
	}{
		{"0.00", "10.00", false},
		{"9.99", "10.00", false},
		{"10.00", "10.00", false},
		{"10.01", "10.00", true},
		{"0.01", "0.00", true},
		{"0.00", "0.00", false},
		{"0.00", "-5.00", false},
		{"0.01", "-5.00", true},
	} {
		require.Equal(t, c.exceeds, ExceedsAmount(amountOf(c.discount), amountOf(c.amount)), "%s of %s", c.discount, c.amount)
	}
}
