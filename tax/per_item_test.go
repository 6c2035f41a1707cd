package tax

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/money"
)

func perItemOf(t *testing.T, amount, quantity string) perItem {
	t.Helper()
	cents, err := money.Cents(decimal.MustParse(amount))
	require.NoError(t, err)
	return newPerItem(cents, &Line{Quantity: decimal.MustParse(quantity)})
}

// The price of one item is compared exactly with a limit of 100.00, without rounding. The part of a line within the
// limit is that of all its items.
func TestThePricePerItemIsComparedWithALimitExactly(t *testing.T) {
	t.Parallel()
	const limit = 100_00
	for _, test := range []struct {
		rule             string
		amount, quantity string
		compared         int
		within           int64 // cents
	}{
		{"nothing", "0.00", "1", -1, 0},
		{"a cent below", "99.99", "1", -1, 99_99},
		{"at the limit", "100.00", "1", 0, 100_00},
		{"a cent above", "100.01", "1", 1, 100_00},
		{"a cent above, taken back", "-100.01", "1", 1, 100_00},
		{"a cent below, taken back", "-99.99", "1", -1, 99_99},
		{"no quantity is one item", "100.00", "0", 0, 100_00},
		{"nor is one with decimals", "100.01", "0.000", 1, 100_00},
		{"one with decimals is one", "100.01", "1.0000", 1, 100_00},
		{"taken back by the quantity", "200.01", "-2", 1, 200_00},
		{"three items, a third of a cent below", "299.99", "3", -1, 299_99},
		{"three items at the limit", "300.00", "3", 0, 300_00},
		{"three items, a third of a cent above", "300.01", "3", 1, 300_00},
		{"half an item below", "49.99", "0.5", -1, 49_99},
		{"half an item at the limit", "50.00", "0.5", 0, 50_00},
		{"half an item above", "50.01", "0.5", 1, 50_00},
		{"a third of an item, to the cent", "40.00", "0.33333", 1, 33_33},
		{"half a cent is rounded up", "1.00", "0.00005", 1, 1},
		{"less than half a cent is nothing", "1.00", "0.000049", 1, 0},
		{"never more than the line", "0.01", "0.00006", 1, 1},
		{"the largest amount and quantity", "9999999999.99", "9999999999.99", -1, 9999999999_99},
		{"the largest amount, one item", "9999999999.99", "1", 1, 100_00},
		{"the least quantity there is", "9999999999.99", "0.0000000000000000001", 1, 0},
		{"more digits than a number of 64 bits has", "5497558138.88", "0.0001800000000000001", 1, 2},
		{"the largest quantity there is", "0.01", "9999999999999999999", -1, 1},
	} {
		p := perItemOf(t, test.amount, test.quantity)
		require.Equal(t, test.compared, p.compare(bound{limit, one}), test.rule)
		require.Equal(t, test.within, p.capped(bound{limit, one}), test.rule)
	}
}

// Quantities that are equal are one input, however many decimals they are written with.
func TestEqualQuantitiesAreOneInput(t *testing.T) {
	t.Parallel()
	for _, same := range []string{"2.0", "2.000000000", "-2"} {
		require.Equal(t, perItemOf(t, "5.00", "2"), perItemOf(t, "5.00", same), same)
	}
	for _, none := range []string{"0", "0.0", "-0.00"} {
		require.Equal(t, perItemOf(t, "5.00", "1"), perItemOf(t, "5.00", none), none)
	}
	require.NotEqual(t, perItemOf(t, "5.00", "2"), perItemOf(t, "5.00", "20"))
}

// A base is shown in cents, half of one rounded away from zero.
func TestABaseIsShownInCents(t *testing.T) {
	t.Parallel()
	for base, cents := range map[int64]int64{
		0: 0, 49: 0, 50: 1, 99: 1, 100: 1, 149: 1, 150: 2, -49: 0, -50: -1, -149: -1, -150: -2,
	} {
		require.Equal(t, cents, centsOf(base), base)
	}
}
