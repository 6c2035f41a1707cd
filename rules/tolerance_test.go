package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// A document of a currency without cents may differ by a whole unit a line before it is told, that of another by a cent.
func TestTheToleranceIsTheUnitOfTheCurrency(t *testing.T) {
	t.Parallel()
	for currency, tolerated := range map[string]string{"JPY": "2.00", "USD": "0.02"} {
		for _, c := range []struct {
			more   string
			warned bool
		}{{"0.00", false}, {"0.01", true}} {
			sold := sale()
			sold.Items = []models.TransactionItem{item(1, "1000.00"), item(2, "5.00")}
			sold.Currency, sold.Subtotal, sold.TotalDiscount = currency, amountOf("1005.00"), nothing
			sold.TotalTaxAmountImported = amountOf("101.00")
			sold.TotalAmount = add(t, add(t, amountOf("1106.00"), amountOf(tolerated)), amountOf(c.more))
			result := tax.Result{Explanation: tax.Explanation{Certainty: &tax.Certainty{}}}
			require.NoError(t, warnOfTotal(sold, &result))
			require.Equal(t, c.warned, len(result.Explanation.Certainty.Warnings) > 0, currency)
		}
	}
}

// A discount of the whole sale is spread in units of the currency.
func TestADiscountIsSpreadInUnitsOfTheCurrency(t *testing.T) {
	t.Parallel()
	for currency, want := range map[string][]string{"JPY": {"34.00", "33.00", "33.00"}, "USD": {"33.34", "33.33", "33.33"}} {
		items := []models.TransactionItem{item(1, "1000.00"), item(2, "1000.00"), item(3, "1000.00")}
		off := &models.Discount{AppliedTo: "TRANSACTION", Amount: amountOf("100.00")}
		require.Empty(t, SpreadDiscounts(items, []*models.Discount{off, nil, nil}, currency))
		for i := range items {
			require.Equal(t, want[i], items[i].TotalDiscount.String(), currency)
		}
	}
}
